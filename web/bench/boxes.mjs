// World boxes of two characters, frame by frame: half extents, centres, and rotations as
// quaternions.

/** Box of twelve edges, six numbers each: a corner and its three edges determine it. */
function boxOf(lines) {
  const corner = lines.slice(0, 3);
  const same = (a, b) => a.every((value, i) => value === b[i]);
  const edges = [];
  for (let i = 0; i < lines.length; i += 6) {
    const [from, to] = [lines.slice(i, i + 3), lines.slice(i + 3, i + 6)];
    if (same(from, corner)) edges.push(to.map((value, k) => value - corner[k]));
    else if (same(to, corner)) edges.push(from.map((value, k) => value - corner[k]));
  }
  if (edges.length !== 3) throw new Error(`a corner with ${edges.length} edges`);
  const lengths = edges.map((edge) => Math.hypot(...edge));
  const axes = edges.map((edge, i) => edge.map((value) => value / lengths[i]));
  const cross = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return axes[0][j] * axes[1][k] - axes[0][k] * axes[1][j];
  });
  // A box is unchanged when an axis is reversed; a rotation must have no reflection.
  if (cross.reduce((sum, value, i) => sum + value * axes[2][i], 0) < 0) axes[2] = axes[2].map((value) => -value);
  const center = corner.map((value, k) => value + edges.reduce((sum, edge) => sum + 0.5 * edge[k], 0));
  return { center, axes, half: lengths.map((length) => 0.5 * length) };
}

/** Rotation whose columns are three axes. Source: Shepperd 1978, by the largest of four squares. */
function quaternion([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]) {
  const squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const largest = squares.indexOf(Math.max(...squares));
  const rows = [
    [squares[0], yz - zy, zx - xz, xy - yx],
    [yz - zy, squares[1], xy + yx, zx + xz],
    [zx - xz, xy + yx, squares[2], yz + zy],
    [xy - yx, zx + xz, yz + zy, squares[3]],
  ];
  const [w, x, y, z] = rows[largest].map((value) => value / Math.hypot(...rows[largest]));
  return { x, y, z, w };
}

export class Boxes {
  constructor(character, frames) {
    const count = character.parts().length;
    const all = Array.from({ length: count }, (_, part) => Array.from(character.boxes(part, 0)));
    /** Parts that have a box. */
    this.solid = all.flatMap((lines, part) => (lines.length > 0 ? [part] : []));
    const local = all.map((lines) => (lines.length > 0 ? boxOf(lines) : null));
    this.half = local.map((box) => box?.half);
    /** Poses by frame, side and part: `{ position, rotation }`. */
    this.frames = frames.map((matrices) =>
      [0, 1].map((side) =>
        local.map((box, part) => {
          if (!box) return null;
          const m = matrices.subarray(16 * (side * count + part), 16 * (side * count + part + 1));
          const turned = (v) => [0, 1, 2].map((row) => m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2]);
          const [x, y, z] = turned(box.center).map((value, row) => value + m[12 + row]);
          return { position: { x, y, z }, rotation: quaternion(box.axes.map(turned)) };
        }),
      ),
    );
  }
}
