// The walk tab: the autopilot on the example and on own levels, keys, and what must be seen.

import assert from "node:assert/strict";
import { apart } from "./likeness.mjs";
import { shot } from "./stored_pictures.mjs";
import { browser, close, drop, opened, picture } from "./tab.mjs";

/** Returns a box of a map. */
function brush([x0, y0, z0], [x1, y1, z1]) {
  const faces = [
    [[x0, y0, z0], [x1, y0, z0], [x1, y1, z0]],
    [[x1, y1, z1], [x1, y0, z1], [x0, y0, z1]],
    [[x0, y0, z1], [x1, y0, z0], [x0, y0, z0]],
    [[x1, y0, z1], [x1, y1, z0], [x1, y0, z0]],
    [[x1, y1, z1], [x0, y1, z0], [x1, y1, z0]],
    [[x0, y1, z1], [x0, y0, z0], [x0, y1, z0]],
  ];
  const point = (at) => `( ${at.join(" ")} )`;
  const face = (points) => `${points.map(point).join(" ")} plain [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1`;
  return `{\n${faces.map(face).join("\n")}\n}\n`;
}

const entity = (classname, brushes = [], more = "") => `{\n"classname" "${classname}"\n${more}${brushes.join("")}}\n`;

/**
 * A walled floor. The walker starts in a corner whose walls are on the side of the camera, nearer than the cut above its head is
 * high; a trigger shares the planes of the floor and of a wall.
 */
const LEVEL = [
  entity("worldspawn", [
    brush([0, 0, -16], [512, 512, 0]),
    ...[[[0, 0, 0], [16, 512, 64]], [[496, 0, 0], [512, 512, 64]], [[16, 0, 0], [496, 16, 64]], [[16, 496, 0], [496, 512, 64]]].map(
      ([low, high]) => brush(low, high),
    ),
    brush([32, 32, 0], [40, 160, 160]),
    brush([40, 32, 0], [160, 40, 160]),
  ], '"mapversion" "220"\n'),
  entity("info_player_start", [], '"origin" "58 58 29"\n'),
  entity("trigger_multiple", [brush([224, 400, 0], [352, 496, 64])]),
].join("");

const dropLevel = async (tab) => {
  await drop(tab, "own.map", LEVEL);
  await tab.waitForFunction(() => document.body.dataset.tab === "walk" && boxwoodPage.walk.name === "own.map");
};

const place = (tab) => tab.evaluate(() => boxwoodPage.walk.body.position.toArray());

/**
 * Returns the greatest difference of a channel, 0 to 255, among pixels of the trigger's bottom, which lies in the plane of the
 * floor, seen from several places.
 */
const spread = (tab) =>
  tab.evaluate(() => {
    const { walk, stage } = boxwoodPage;
    const { camera, scene } = walk.view;
    const { renderer } = stage;
    const gl = renderer.getContext();
    const [least, greatest] = [[255, 255, 255], [0, 0, 0]];
    const { width, height } = renderer.domElement;
    // The map's (x, y) are the level's (z, x), 32 units a metre; away from the edges.
    const center = camera.position.clone().set(448 / 32, 0, 288 / 32);
    for (let view = 0; view < 6; view++) {
      camera.position.set(11 + 0.17 * view, 14 + 0.53 * view, 7 + 0.31 * view);
      camera.lookAt(center);
      camera.updateMatrixWorld();
      renderer.render(scene, camera);
      for (let x = 0; x < 24; x++) {
        for (let z = 0; z < 24; z++) {
          // Through the middle of the top, so that every pixel shows the top and the bottom.
          const at = center.clone().set(center.x - 0.6 + x / 20, 0, center.z - 0.6 + z / 20).project(camera);
          const pixel = new Uint8Array(4);
          const [column, row] = [((at.x + 1) / 2) * width, ((at.y + 1) / 2) * height];
          gl.readPixels(Math.floor(column), Math.floor(row), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          for (let k = 0; k < 3; k++) {
            least[k] = Math.min(least[k], pixel[k]);
            greatest[k] = Math.max(greatest[k], pixel[k]);
          }
        }
      }
    }
    return Math.max(...least.map((value, k) => greatest[k] - value));
  });

export const walkChecks = {
  async "a level is walked, by itself and by keys"() {
    const tab = await opened({ hash: "#walk" });
    const start = await place(tab);
    await tab.evaluate(() => {
      for (let i = 0; i < 1500; i++) boxwoodPage.walk.step();
      for (let i = 0; i < 60; i++) boxwoodPage.walk.show();
    });
    const { length, reached } = await tab.evaluate(() => {
      const { trail, pilot } = boxwoodPage.walk;
      return { length: trail.length, reached: pilot.reached };
    });
    console.log(`   ${length.toFixed(1)} m in 1500 frames, ${reached} places of the tour reached`);
    assert(length > 100 && reached >= 16, "it comes round the tour");
    await picture(tab, "walk-light");
    await tab.click("#restart");
    await tab.keyboard.down("KeyW");
    await tab.evaluate(() => {
      for (let i = 0; i < 60; i++) boxwoodPage.walk.step();
      boxwoodPage.walk.show();
    });
    await tab.keyboard.up("KeyW");
    const now = await place(tab);
    const way = Math.hypot(now[0] - start[0], now[2] - start[2]);
    assert(way > 0.5 && way < 6, `keys walk: ${way}`);
    assert.equal(await tab.getAttribute("#autopilot", "aria-pressed"), "false");
    await close(tab);
  },

  async "an own level is walked by itself, until the user takes over"() {
    const tab = await opened();
    await dropLevel(tab);
    assert.equal(await tab.getAttribute("#autopilot", "aria-pressed"), "true");
    await tab.waitForFunction(() => boxwoodPage.walk.trail.length > 2, null, { timeout: 60_000 });
    await tab.evaluate(() => {
      for (let i = 0; i < 3000; i++) boxwoodPage.walk.step();
    });
    const length = await tab.evaluate(() => boxwoodPage.walk.trail.length);
    console.log(`   ${length.toFixed(1)} m in 3000 frames`);
    assert(length > 60, "walls do not stop it");
    await picture(tab, "walk-own");
    await tab.keyboard.press("KeyS", { delay: 200 });
    assert.equal(await tab.getAttribute("#autopilot", "aria-pressed"), "false");
    const stopped = await place(tab);
    await tab.waitForTimeout(300);
    assert.deepEqual((await place(tab)).map((x) => x.toFixed(2)), stopped.map((x) => x.toFixed(2)), "it stays where the user left it");
    await tab.click("#autopilot");
    assert.equal(await tab.getAttribute("#autopilot", "aria-pressed"), "true");
    await close(tab);
  },

  async "the walker is seen behind walls, and faces in one plane do not flicker"() {
    const tab = await opened();
    await dropLevel(tab);
    await tab.evaluate(() => {
      const { walk } = boxwoodPage;
      walk.pass = () => {}; // stops the clock of the walk
      walk.steerAlone(false);
      walk.restart();
      for (let i = 0; i < 30; i++) walk.step();
      for (let i = 0; i < 60; i++) walk.show();
    });
    const reader = await browser.newPage();
    const look = async (change) => {
      await tab.evaluate(`(${change})(boxwoodPage.walk); boxwoodPage.stage.draw()`);
      return shot(tab);
    };
    await picture(tab, "walk-behind-a-wall");
    const all = await look(() => {});
    const unmarked = await look((walk) => (walk.ghost.visible = false));
    const free = await look((walk) => (walk.scenery.object.visible = false));
    const empty = await look((walk) => (walk.body.visible = false));
    const [seen, whole] = [(await apart(reader, all, unmarked)).share, (await apart(reader, free, empty)).share];
    await reader.close();
    console.log(`   the hidden walker is in ${(100 * seen).toFixed(2)} % of the picture, free it is in ${(100 * whole).toFixed(2)} %`);
    assert(whole > 0.003 && seen > 0.6 * whole, "the wall does not hide the walker");
    // A free walker is drawn once.
    const once = await look((walk) => (walk.body.visible = true));
    const marked = await look((walk) => (walk.ghost.visible = true));
    const again = await browser.newPage();
    assert((await apart(again, once, marked)).share < 0.1 * whole, "a walker that nothing hides is not marked");
    await again.close();
    await tab.evaluate(() => {
      const { walk } = boxwoodPage;
      walk.scenery.object.visible = true;
      walk.scenery.edges.forEach((edges) => (edges.visible = false));
      for (const thing of [walk.body, walk.ghost, walk.trail.object, walk.ground.object]) thing.visible = false;
    });
    const still = await spread(tab);
    // With equal offsets they do flicker.
    await tab.evaluate(() => {
      for (const { material } of boxwoodPage.walk.scenery.faces) material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
    });
    const flickers = await spread(tab);
    console.log(`   the colour of one face varies by ${still} of 255; with equal offsets by ${flickers}`);
    assert(still <= 8 && flickers > 2 * still, "faces in one plane have one order");
    await close(tab);
  },
};
