// Autopilot of the walker: the tour of the example level, or at random through any other.

/** Positions of the tour in units of the map, 32 a metre, and whether the walker crouches. */
const TOUR = [
  [288, 480, false],
  [530, 480, false],
  [610, 480, true],
  [640, 404, false],
  [816, 580, false],
  [960, 700, false],
  [960, 192, false],
  [880, 56, false],
  [650, 60, false],
  [650, 300, false],
  [400, 300, false],
  [330, 60, false],
  [60, 60, false],
  [150, 330, false],
  [48, 400, false],
  [48, 480, false],
];

/** Random numbers that are the same in every run (Marsaglia's xorshift, 2003). */
class Chance {
  constructor(seed) {
    this.state = seed;
  }

  next() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 2 ** 32;
  }
}

export class Autopilot {
  constructor(isExample) {
    this.isExample = isExample;
    this.place = 0;
    this.reached = 0;
    this.chance = new Chance(20);
    this.heading = [1, 0];
    this.last = null;
  }

  /** Returns the heading along x and z of the level, and whether to crouch. */
  steer(x, z) {
    return this.isExample ? this.tour(x, z) : this.wander(x, z);
  }

  tour(x, z) {
    // With Y up, the map's (x, y) are the level's (z, x).
    const [mapX, mapY, crouch] = TOUR[this.place];
    const [dx, dz] = [mapY / 32 - x, mapX / 32 - z];
    const far = Math.hypot(dx, dz);
    if (far < 0.15) {
      this.place = (this.place + 1) % TOUR.length;
      this.reached += 1;
    }
    return { x: dx / Math.max(far, 1e-6), z: dz / Math.max(far, 1e-6), crouch };
  }

  wander(x, z) {
    const stuck = this.last && Math.hypot(x - this.last[0], z - this.last[1]) < 0.02;
    if (stuck || this.chance.next() < 1 / 128) {
      const angle = 2 * Math.PI * this.chance.next();
      this.heading = [Math.cos(angle), Math.sin(angle)];
    }
    this.last = [x, z];
    return { x: this.heading[0], z: this.heading[1], crouch: false };
  }
}
