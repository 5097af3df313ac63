// Ways of rapier.js to find the touching boxes of two characters.

const pairOf = (red, blue) => 1000 * red + blue;

/** Bodies in a world: a step finds the pairs. They are not fixed, because pairs of fixed bodies are not found. */
export class RapierWorld {
  constructor(name, rapier, boxes, sensors) {
    this.name = name;
    this.boxes = boxes;
    this.sensors = sensors;
    this.world = new rapier.World({ x: 0, y: 0, z: 0 });
    this.part = new Map();
    // Members of one group interact only with those of the other.
    const groups = [0x0001_0002, 0x0002_0001];
    this.members = [0, 1].map((side) =>
      boxes.solid.map((part) => {
        const shape = rapier.ColliderDesc.cuboid(...boxes.half[part])
          .setSensor(sensors)
          .setCollisionGroups(groups[side])
          .setActiveCollisionTypes(rapier.ActiveCollisionTypes.ALL);
        const body = this.world.createRigidBody(rapier.RigidBodyDesc.kinematicPositionBased());
        const collider = this.world.createCollider(shape, body);
        this.part.set(collider.handle, part);
        return { body, collider };
      }),
    );
  }

  place(frame) {
    for (const side of [0, 1]) {
      for (const [index, part] of this.boxes.solid.entries()) {
        const { position, rotation } = this.boxes.frames[frame][side][part];
        const { body } = this.members[side][index];
        body.setTranslation(position, true);
        body.setRotation(rotation, true);
      }
    }
  }

  ask() {
    this.world.step();
    this.found = [];
    for (const { collider: red } of this.members[0]) {
      const add = (blue) => this.found.push(pairOf(this.part.get(red.handle), this.part.get(blue.handle)));
      if (this.sensors) this.world.intersectionPairsWith(red, add);
      else this.world.contactPairsWith(red, (blue) => this.touches(red, blue) && add(blue));
    }
  }

  /** Returns true if a pair touches: near pairs have contact points too, at a distance. */
  touches(red, blue) {
    let touching = false;
    this.world.contactPair(red, blue, (manifold) => {
      for (let i = 0; i < manifold.numContacts(); i++) touching ||= manifold.contactDist(i) <= 0;
    });
    return touching;
  }

  pairs() {
    return this.found;
  }
}

/** Boxes without a world: every box of red is tested against every box of blue. */
export class RapierShapes {
  constructor(name, rapier, boxes) {
    this.name = name;
    this.boxes = boxes;
    this.shapes = boxes.half.map((half) => half && new rapier.Cuboid(...half));
  }

  place() {}

  ask(frame) {
    const [red, blue] = this.boxes.frames[frame];
    this.found = [];
    for (const a of this.boxes.solid) {
      for (const b of this.boxes.solid) {
        const [p, q] = [red[a], blue[b]];
        if (this.shapes[a].intersectsShape(p.position, p.rotation, this.shapes[b], q.position, q.rotation)) {
          this.found.push(pairOf(a, b));
        }
      }
    }
  }

  pairs() {
    return this.found;
  }

  /** Distance of two boxes; negative if they overlap. */
  distance(frame, a, b) {
    const [p, q] = [this.boxes.frames[frame][0][a], this.boxes.frames[frame][1][b]];
    const contact = this.shapes[a].contactShape(p.position, p.rotation, this.shapes[b], q.position, q.rotation, 1);
    return contact ? contact.distance : Infinity;
  }
}
