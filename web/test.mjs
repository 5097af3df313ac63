// Runs the built page in a headless Chromium, from its file, as a user opens it. Prints SKIPPED if
// Chromium or the page is missing.
//
//   node test.mjs [--only WORDS] [--pictures FOLDER] [--duel FILE] [--bodies FILE] [--tool PROGRAM]
//     [--document-pictures FOLDER] [--store-pictures] [--store-verdicts]
//
// --pictures: stores screenshots for inspection. --store-pictures: rewrites the pictures of
// test/pictures, with which later runs are compared. --document-pictures: stores the pictures of the
// documents, of which `docs/internals/pictures.md` has a table.
// --duel: hits written by `cargo run --release --features enhanced-determinism --example duel --
// --detail parts --json FILE`: they must equal those of the page, bit for bit, in every frame.
// --bodies: likewise, written with `--detail bodies`.
// --tool: the program `boxwood`, whose command `view` writes pages that are then opened.
// --store-verdicts: rewrites test/arm_verdicts.json, the page's verdicts on the example robot, which a
// test of the crate (tests/rooms/robot/page_verdicts.rs) compares with its own queries.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { firstFrames } from "./test/first_frame.mjs";
import { documentPictures } from "./test/document_pictures.mjs";
import { comparePictures } from "./test/stored_pictures.mjs";
import { crowdChecks } from "./test/crowd.mjs";
import { linkChecks } from "./test/links.mjs";
import { filesAreGrouped, robotChecks } from "./test/robot.mjs";
import { browser, close, drop, opened, option, page, picture, pictures, slide, text, troubles } from "./test/tab.mjs";
import { timeChecks } from "./test/times.mjs";
import { walkChecks } from "./test/walk.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "boxwood-web-"));

/** A small robot of MuJoCo. */
const MJCF = `<mujoco><worldbody><body name="arm"><joint name="turn" range="-90 90" limited="true"/>
  <geom type="capsule" fromto="0 0 0 0 0 .5" size=".05"/></body></worldbody></mujoco>`;

/** Numbers of the kinds of contacts, and of the accuracies, in the module. */
const [BODIES, DEEPEST_BOXES] = [0, 1];
const [DEPTH, EXACT] = [0, 2];

/** Returns the hits of a frame in the page: numbers and names. */
const hitsAt = (tab, frame) =>
  tab.evaluate((frame) => {
    const { fight } = boxwoodPage;
    fight.arena.pose(frame);
    fight.arena.find_contacts(0.1);
    const list = (view, Kind) => {
      const memory = boxwoodPage.memory();
      const copy = Array.from(new Kind(memory.buffer, view.at, view.len));
      view.free();
      return copy;
    };
    fight.arena.find_push();
    return {
      numbers: list(fight.arena.hit_numbers(), Float32Array),
      sites: list(fight.arena.hit_sites(), Uint32Array),
      push: list(fight.arena.push_numbers(), Float32Array),
      names: fight.names,
    };
  }, frame);

/** Compares the contacts of every frame of the page with a file of `duel`. */
async function compareWithDuel(file, detail, accuracy) {
  const lines = (await readFile(file, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  const frames = new Map();
  for (const line of lines) {
    if (!frames.has(line.frame)) frames.set(line.frame, { hits: [], push: null });
    if (line.push) frames.get(line.frame).push = line.push;
    else frames.get(line.frame).hits.push(line);
  }
  const tab = await opened();
  await tab.evaluate(([detail, accuracy]) => {
    boxwoodPage.fight.arena.set_detail(detail);
    boxwoodPage.fight.arena.set_accuracy(...accuracy);
  }, [detail, accuracy]);
  const round = (numbers) => numbers.map(Math.fround);
  let compared = 0;
  for (let frame = 0; frame < 300; frame++) {
    const { numbers, sites, push, names } = await hitsAt(tab, frame);
    const expected = frames.get(frame) ?? { hits: [], push: null };
    const flat = expected.hits.flatMap((hit) => [...hit.point, hit.point_error, ...hit.normal, hit.depth, hit.slack]);
    assert.deepEqual(numbers, round(flat), `numbers of frame ${frame}`);
    const node = (site) => [site.character, site.part, Number(site.node)];
    const named = expected.hits.flatMap((hit) => [...node(hit.a), ...node(hit.b)]);
    const found = sites.map((value, i) => (i % 3 === 1 ? names[sites[i - 1]][value] : value));
    assert.deepEqual(found, named, `parts of frame ${frame}`);
    const way = expected.push;
    const pushed = way ? [...way.normal, way.depth, ...way.on_a, ...way.on_b] : [];
    assert.deepEqual(push, round(pushed), `push of frame ${frame}`);
    compared += numbers.length + push.length;
  }
  console.log(`   ${compared} numbers of 300 frames are equal`);
  assert(compared > 400);
  await close(tab);
}

/** Opens every tab in a window, and checks that nothing is cut off; in both themes if pictures are stored. */
async function tabsFit(kind, options) {
  for (const theme of pictures ? ["light", "dark"] : ["light"]) {
    for (const name of ["fight", "robot", "crowd", "walk", "depth"]) {
      const tab = await opened({ ...options, theme, hash: `#${name}` });
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
      assert(wide <= options.width, `${name} is ${wide} wide in ${options.width}`);
      const stage = await tab.locator("#stage").boundingBox();
      assert(stage.y >= 0 && stage.y + stage.height <= options.height && stage.height > 250, `the scene of ${name} is visible`);
      if (name === "depth") await tab.waitForFunction(() => boxwoodPage.depth.cases >= 48, null, { timeout: 120_000 });
      await picture(tab, `all-${name}-${kind}-${theme}`);
      if (pictures) {
        await tab.evaluate((name) => document.querySelectorAll(`#panel-${name} .card`)[2]?.scrollIntoView({ block: "end" }), name);
        await picture(tab, `all-${name}-${kind}-${theme}-below`);
      }
      await close(tab);
    }
  }
}

const checks = {
  async "the file is small"() {
    const bytes = await readFile(page);
    const [whole, packed] = [bytes.length / 1e6, gzipSync(bytes).length / 1e6];
    console.log(`   ${whole.toFixed(2)} MB, ${packed.toFixed(2)} MB gzip`);
    assert(whole < 2.5 && packed < 1.45, "below 2.5 MB, 1.45 MB gzip");
    const place = '<script type="text/plain" id="boxwood-file" data-name=""></script>';
    assert.equal(bytes.toString().split(place).length, 2, "the place for a file is there once");
    assert(!/https?:\/\/(?!www\.w3\.org|[a-z.]*github|threejs|jcgt|[a-z.]*\/\S*\*)\S+\.(js|css|woff2?)/.test(bytes.toString()));
  },

  async "it starts, with wide instructions, and shows a fight"() {
    const tab = await opened();
    assert.equal(await text(tab, "simd"), "SIMD128");
    assert(Number(await text(tab, "count-hits")) > 0, "the first picture shows hits");
    assert((await text(tab, "hit-list")).includes("–"));
    await picture(tab, "fight-light");
    await close(tab);
  },

  "the first picture comes soon": firstFrames,
  "pictures are those that are stored, loosely": comparePictures,
  "no picture of the documents cuts a list": documentPictures,

  async "contacts of boxes are those of the example duel, bit for bit"() {
    const file = option("--duel");
    if (!file) return console.log("SKIPPED: no hits of duel (--duel FILE)");
    await compareWithDuel(file, DEEPEST_BOXES, [DEPTH, 3]);
  },

  async "contacts of bodies are those of the example duel, bit for bit"() {
    const file = option("--bodies");
    if (!file) return console.log("SKIPPED: no hits of bodies of duel (--bodies FILE)");
    await compareWithDuel(file, BODIES, [EXACT, 0]);
  },

  async "contacts are of bodies; of boxes on demand"() {
    const tab = await opened();
    await tab.click("#accuracy button[value=exact]");
    const depths = async (kind) => {
      await tab.click(`#detail button[value="${kind}"]`);
      const { numbers, sites } = await hitsAt(tab, await tab.evaluate(() => boxwoodPage.fight.player.frame));
      return { depths: numbers.filter((_, i) => i % 9 === 7), nodes: sites.filter((_, i) => i % 3 === 2) };
    };
    const [bodies, parts, boxes] = [await depths(0), await depths(1), await depths(2)];
    console.log(`   deepest of bodies ${Math.max(...bodies.depths).toFixed(4)} m, of boxes ${Math.max(...parts.depths).toFixed(4)} m`);
    assert(bodies.depths.length > 0 && bodies.depths.length === parts.depths.length && boxes.depths.length > parts.depths.length);
    assert(bodies.nodes.every((node) => node === 0) && parts.nodes.some((node) => node > 0));
    assert(bodies.depths.every((depth) => depth > 0), "exact contacts share points");
    assert((await text(tab, "detail-says")).startsWith("Every pair of boxes"));
    // Coarse boxes report parts that are apart: their distance is listed.
    await tab.click('#detail button[value="0"]');
    await tab.click("#accuracy button[value=depth]");
    await slide(tab, "dial-depth", 0);
    const isApart = async (frame) => (await hitsAt(tab, frame)).numbers.some((number, i) => i % 9 === 7 && number < 0);
    let frame = 0;
    while (frame < 300 && !(await isApart(frame))) frame++;
    assert(frame < 300, "depth 0 reports parts that are apart");
    await tab.evaluate((frame) => {
      boxwoodPage.fight.player.seek(frame);
      boxwoodPage.fight.ask();
    }, frame);
    const listed = await text(tab, "hit-list");
    assert(!listed.includes("-"), `no length is negative: ${listed}`);
    await close(tab);
  },

  async "a tick is played slowly, with the impact that its start does not show"() {
    const tab = await opened();
    assert(!(await tab.isVisible("#tick-view")));
    const drawn = () => tab.evaluate(() => boxwoodPage.fight.marks.impact.dot.mesh.count);
    await tab.click('#tick-rate button[value="5"]');
    assert(await tab.isVisible("#tick-view"));
    await tab.click("#tick-next");
    console.log(`   ${await text(tab, "tick-says")}`);
    console.log(`   ${await text(tab, "tick-samples")}`);
    assert(/^First impact at \d+\.\d ms: .+ – .+\. Clear until \d+\.\d ms; /.test(await text(tab, "tick-says")));
    assert(/would be missed|ms late/.test(await text(tab, "tick-samples")));
    assert.equal(await drawn(), 1, "the impact is marked at its time");
    await picture(tab, "fight-tick");
    await slide(tab, "tick-time", 0);
    assert.equal(await drawn(), 0, "and not before");
    assert.equal(await text(tab, "tick-time-value"), "0.0 ms of 200.0 ms");
    // Exact tests at many times of the tick find no touch before, and one after.
    const { time, clearUntil, seen, slack, hits } = await tab.evaluate(() => {
      const { fight } = boxwoodPage;
      const { tick, arena, player } = fight;
      const { impact, seen } = tick;
      arena.set_accuracy(2, 0);
      const hits = [];
      for (let i = 0; i <= 1000; i++) {
        arena.pose_in_tick(player.frame, player.frame + tick.frames, i / 1000);
        arena.find_contacts(0.1);
        const view = arena.hit_numbers();
        if (view.len > 0) hits.push(i / 1000);
        view.free();
      }
      return { ...impact, seen, hits };
    });
    console.log(`   of 1,001 samples ${hits.length} touch, from ${hits[0]} to ${hits.at(-1)}; impact ${time.toFixed(4)}, clear until ${clearUntil.toFixed(4)}`);
    assert(!seen[0] && seen[1] === (hits.at(-1) === 1));
    assert(hits.length > 0 && hits[0] > 0);
    assert(clearUntil <= time && clearUntil <= hits[0] && hits[0] - time < 0.02 && slack <= 0.0011);
    await tab.click("#tick-play");
    assert.equal(await tab.getAttribute("#tick-play", "aria-pressed"), "true");
    await tab.waitForFunction(() => boxwoodPage.fight.tick.time > 0.05);
    await tab.click("#tick-play");
    assert.equal(await tab.evaluate(() => boxwoodPage.fight.tick.playing), false);
    // Steps are whole ticks now; at the ends the poses are those of the frames.
    const frame = () => tab.evaluate(() => boxwoodPage.fight.player.frame);
    const before = await frame();
    await tab.click("#forward");
    assert.equal(await frame(), (before + 12) % 300);
    const same = await tab.evaluate(() => {
      const { arena, player } = boxwoodPage.fight;
      const matrices = () => {
        const view = arena.matrices();
        const copy = Array.from(new Float32Array(boxwoodPage.memory().buffer, view.at, view.len));
        view.free();
        return copy.join();
      };
      const at = (pose) => (pose(), matrices());
      const { frame } = player;
      return [0, 1].map((end) => at(() => arena.pose_in_tick(frame, frame + 12, end)) === at(() => arena.pose(frame + 12 * end)));
    });
    assert.deepEqual(same, [true, true]);
    await tab.click('#tick-rate button[value="0"]');
    assert(!(await tab.isVisible("#tick-view")));
    assert.equal(await drawn(), 0);
    await close(tab);
  },

  async "sliders and choices change what is drawn and asked"() {
    const tab = await opened();
    const lines = () => tab.evaluate(() => boxwoodPage.fight.lineCount);
    const counts = [];
    for (const depth of [0, 3, 6]) {
      await slide(tab, "dial-depth", depth);
      counts.push(await lines());
    }
    console.log(`   lines at depth 0, 3, 6: ${counts.join(", ")}`);
    assert(counts[0] >= 12 * 40 && counts[1] > 4 * counts[0] && counts[2] > 4 * counts[1]);
    const boxes = Number((await text(tab, "count-boxes")).replaceAll(",", ""));
    await slide(tab, "dial-depth", 0);
    assert(Number((await text(tab, "count-boxes")).replaceAll(",", "")) < boxes);
    await tab.click("#wires button[value=hulls]");
    assert.notEqual(await lines(), counts[0]);
    await picture(tab, "fight-hulls");
    await tab.click("#wires button[value=none]");
    assert.equal(await lines(), 0);
    for (const kind of ["within", "exact", "budget"]) {
      await tab.click(`#accuracy button[value=${kind}]`);
      const slack = await text(tab, "count-slack");
      if (kind === "exact") assert(["0", "–"].includes(slack), `exact has no slack: ${slack}`);
    }
    await slide(tab, "budget", 0);
    assert(await tab.isVisible("#open-pairs"), "a budget of one test is spent");
    await slide(tab, "time", 120);
    assert.equal(await text(tab, "clock"), "2.00 s");
    await tab.click("#forward");
    assert.equal(await text(tab, "frame-number"), "frame 121");
    await tab.selectOption("#clip-red", { label: "kick" });
    assert.equal(await text(tab, "frame-number"), "frame 0");
    await close(tab);
  },

  async "it plays by itself; keys stop and step it, the mouse turns it"() {
    const tab = await opened({ plays: true });
    const frame = () => tab.evaluate(() => boxwoodPage.fight.player.frame);
    const first = await frame();
    await tab.waitForFunction((first) => boxwoodPage.fight.player.frame !== first, first);
    assert(await tab.evaluate(() => boxwoodPage.fight.player.playing));
    await tab.keyboard.press("Space");
    assert.equal(await tab.evaluate(() => boxwoodPage.fight.player.playing), false, "space stops it");
    const stopped = await frame();
    await tab.keyboard.press("ArrowRight");
    assert.equal(await frame(), (stopped + 1) % 300);
    await tab.keyboard.press("ArrowLeft");
    await tab.click("#back");
    assert.equal(await frame(), (stopped + 299) % 300);
    const camera = () =>
      tab.evaluate(() => {
        const { camera, controls } = boxwoodPage.fight.view;
        return [camera.position.x, camera.position.distanceTo(controls.target)];
      });
    const moved = (x) => tab.waitForFunction((x) => boxwoodPage.fight.view.camera.position.x !== x, x);
    const [x, distance] = await camera();
    await tab.mouse.move(300, 300);
    await tab.mouse.down();
    await tab.mouse.move(380, 320, { steps: 4 });
    await tab.mouse.up();
    await moved(x);
    const [turned, still] = await camera();
    assert(Math.abs(still - distance) < 1e-4 * distance, "turning keeps the distance");
    await tab.mouse.wheel(0, -400);
    await moved(turned);
    await tab.waitForFunction((far) => {
      const { camera, controls } = boxwoodPage.fight.view;
      return camera.position.distanceTo(controls.target) < 0.95 * far;
    }, distance);
    await close(tab);
  },

  async "parts are named under the pointer"() {
    const tab = await opened();
    const names = await tab.evaluate(() => boxwoodPage.fight.names[0]);
    const seen = new Set();
    const box = await tab.locator("#canvas").boundingBox();
    for (let x = 0.25; x < 0.8; x += 0.02) {
      await tab.mouse.move(box.x + box.width * x, box.y + box.height * 0.5);
      if (await tab.isVisible("#part-name")) seen.add(await text(tab, "part-name-text"));
    }
    console.log(`   ${[...seen].join(", ")}`);
    assert(seen.size >= 2 && [...seen].every((name) => names.includes(name)));
    await close(tab);
  },

  async "a ball along the pointer stops at a part, not behind the ray"() {
    const tab = await opened();
    const box = await tab.locator("#canvas").boundingBox();
    const ball = () => tab.evaluate(() => boxwoodPage.fight.marks.ball.visible);
    let found = null;
    for (let x = 0.3; x < 0.8 && !found; x += 0.02) {
      await tab.mouse.move(box.x + box.width * x, box.y + box.height * 0.5);
      if (await tab.isVisible("#part-name")) found = x;
    }
    assert(found && !(await ball()), "a ray shows no ball");
    assert(/ away, [\d,]+ tests$/.test(await text(tab, "part-name-ray")));
    // The mark is where the ray ends, and its coordinates are shown.
    const mark = () =>
      tab.evaluate(() => {
        const { mesh } = boxwoodPage.fight.marks.pointed;
        const matrix = mesh.matrix.clone();
        if (mesh.count > 0) mesh.getMatrixAt(0, matrix);
        return { count: mesh.count, at: matrix.elements.slice(12, 15), eye: boxwoodPage.fight.view.camera.position.toArray() };
      });
    const far = ({ at, eye }) => Math.hypot(...at.map((x, axis) => x - eye[axis]));
    const metres = (words) => Number(/^([\d.]+) m away/.exec(words)?.[1]);
    const coordinates = ({ at }) => `at ${at.map((x) => x.toFixed(3)).join(", ")} m`;
    const hit = await mark();
    assert.equal(hit.count, 1);
    assert(Math.abs(far(hit) - metres(await text(tab, "part-name-ray"))) < 0.006, "as far from the eye as it says");
    assert.equal(await text(tab, "part-name-at"), coordinates(hit));
    await tab.click("#pointer button[value=ball]");
    await tab.mouse.move(box.x + box.width * found + 1, box.y + box.height * 0.5);
    assert(await ball(), "the ball is shown where it stops");
    const says = await text(tab, "part-name-ray");
    assert(/ away, stops a ball of [\d.]+ (cm|m|mm), to .+, [\d,]+ tests$/.test(says), says);
    console.log(`   ${await text(tab, "part-name-text")}: ${says}`);
    // It stops no later than the ray does, and touches there by the module's own answer.
    const [ray, way] = await tab.evaluate(() => {
      const { fight, stage } = boxwoodPage;
      const { camera } = fight.view;
      const eye = camera.position.clone();
      const to = fight.marks.ball.position.clone().sub(eye).normalize();
      const numbers = new Float32Array([eye.x, eye.y, eye.z, to.x, to.y, to.z]);
      return [fight.arena.part_under(numbers), fight.arena.ball_along(numbers, fight.ballRadius)].map((of) => Array.from(of));
    });
    assert(way.length === 11 && way[3] < 1e-4, "a ball stops within its slack");
    // The same ball but for rounding of its direction.
    const tests = Number(/([\d,]+) tests$/.exec(says)[1].replaceAll(",", ""));
    assert(tests > 0 && Math.abs(tests - way[4]) <= 0.2 * way[4], `${tests} and ${way[4]} tests`);
    const stopped = await mark();
    assert(stopped.at.every((x, axis) => Math.abs(x - way[8 + axis]) < 1e-3), "the point that stops it is marked");
    const radius = await tab.evaluate(() => boxwoodPage.fight.ballRadius);
    const reach = Math.hypot(...[0, 1, 2].map((axis) => way[5 + axis] - way[8 + axis]));
    assert(Math.abs(reach - radius) < 1e-3 * radius + way[3], `the point is on the ball: ${reach}, ${radius}`);
    assert.equal(await text(tab, "part-name-at"), coordinates(stopped));
    assert(ray.length === 0 || way[2] <= ray[2], `${way[2]}, ${ray[2]}`);
    await picture(tab, "fight-ball");
    // At another frame the pointer finds what is there then.
    const before = await text(tab, "part-name-at");
    await tab.evaluate(() => boxwoodPage.fight.player.seek(boxwoodPage.fight.player.frame + 4));
    assert.notEqual(await text(tab, "part-name-at"), before);
    await tab.mouse.move(2, 2);
    assert(!(await ball()) && (await mark()).count === 0, "no ball and no mark without the pointer");
    await close(tab);
  },

  async "the dark theme, by the system and by the switch"() {
    const tab = await opened({ theme: "dark" });
    const back = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await back(), "rgb(21, 20, 18)");
    await slide(tab, "dial-depth", 4);
    await tab.click("#body button[value=parts]");
    await picture(tab, "fight-dark");
    await tab.click("#theme");
    assert.equal(await back(), "rgb(243, 240, 234)", "light by the switch");
    await close(tab);
  },

  async "depth is measured while one looks, and agrees with the documents"() {
    const tab = await opened({ hash: "#depth" });
    await tab.waitForFunction(() => boxwoodPage.depth.isDone, null, { timeout: 300_000 });
    const rows = await tab.evaluate(() => boxwoodPage.depth.rows);
    const wrong = (row) => (100 * row.wrong) / (row.cases - row.touching);
    const depth = (d) => wrong(rows.find((row) => row.kind === 0 && row.value === d));
    console.log(`   depth 0, 2, 11: ${[0, 2, 11].map((d) => depth(d).toFixed(1)).join(", ")} % reported though apart`);
    const documented = await readFile(here("../docs/accuracy.md"), "utf8");
    for (const d of [0, 1, 2, 4, 6, 8, 11]) {
      const row = documented.split("\n").find((line) => line.startsWith(`| depth ${d} |`));
      assert.equal(depth(d).toFixed(1), row.split("|")[3].trim().replace(" %", ""), `depth ${d}`);
    }
    assert(rows.every((row) => row.missed === 0), "no setting misses");
    assert.equal(rows.at(-1).wrong, 0, "exact reports nothing that is apart");
    await slide(tab, "depth-wide", 2);
    assert.equal(await text(tab, "depth-words"), "depth 2");
    assert.equal(await text(tab, "depth-wrong"), "5.8 %");
    await picture(tab, "depth-light");
    await close(tab);
  },

  async "files are dropped: characters, levels, and what is refused"() {
    const tab = await opened();
    const fighter = await readFile(here("../examples/fighter/fighter.glb"));
    await drop(tab, "mine.glb", fighter);
    await tab.waitForFunction(() => document.getElementById("file-red").textContent === "mine.glb", null, { timeout: 60_000 });
    assert(Number(await text(tab, "count-hits")) >= 0);
    await drop(tab, "broken.glb", fighter.subarray(0, 5000));
    await tab.waitForSelector("#trouble:not([hidden])");
    console.log(`   refused: ${await text(tab, "trouble-text")}`);
    assert((await text(tab, "trouble-text")).includes("broken.glb"));
    await drop(tab, "notes.txt", Buffer.from("no"));
    await tab.waitForFunction(() => document.getElementById("trouble-text").textContent.includes(".txt"));
    const level = await readFile(here("../examples/walk_brushes/level.map"));
    await drop(tab, "own.map", level);
    await tab.waitForFunction(() => document.body.dataset.tab === "walk");
    assert.equal(await text(tab, "level-name"), "own.map");
    assert(!(await tab.isVisible("#trouble")));
    await drop(tab, "bad.map", Buffer.from('{ "classname" "worldspawn" { ( 0 0 0 ) ( 1 0'));
    await tab.waitForSelector("#trouble:not([hidden])");
    assert((await text(tab, "trouble-text")).includes("bad.map"));
    assert.equal(await text(tab, "level-name"), "own.map", "the level before is still there");
    await close(tab);
  },

  async "a page with a file inside shows it"() {
    const fighter = await readFile(here("../examples/fighter/fighter.glb"));
    const place = '<script type="text/plain" id="boxwood-file" data-name=""></script>';
    const filled = `<script type="text/plain" id="boxwood-file" data-name="a &quot;b&quot; &amp; c.glb">${fighter.toString("base64")}</script>`;
    const file = join(folder, "view.html");
    await writeFile(file, (await readFile(page, "utf8")).replace(place, () => filled));
    const tab = await opened({ file });
    assert.equal(await text(tab, "file-red"), 'a "b" & c.glb');
    await close(tab);
    // It is the page's own: links do not name it, and may show any tab.
    const crowd = await opened({ file, hash: "#crowd&people=20&frame=7" });
    assert.deepEqual(await crowd.evaluate(() => [boxwoodPage.crowd.people, boxwoodPage.address.text]), [20, "#crowd&people=20&frame=7"]);
    assert(!(await crowd.isVisible("#warnings")));
    await close(crowd);
    const level = join(folder, "level.html");
    const map = (await readFile(here("../examples/walk_brushes/level.map"))).toString("base64");
    await writeFile(level, (await readFile(page, "utf8")).replace(place, () => place.replace('data-name="">', `data-name="own.map">${map}`)));
    const walk = await opened({ file: level });
    await walk.waitForFunction(() => document.body.dataset.tab === "walk" && boxwoodPage.walk.trail.length > 1);
    await close(walk);
    const depth = await opened({ file: level, hash: "#depth&exact" });
    assert.deepEqual(await depth.evaluate(() => [document.body.dataset.tab, boxwoodPage.dial.kind]), ["depth", "exact"]);
    await close(depth);
  },

  "files dropped together are grouped": filesAreGrouped,
  ...timeChecks,
  ...walkChecks,
  ...linkChecks,
  ...robotChecks,
  ...crowdChecks,

  async "pages of boxwood view open on the tab of their file"() {
    const tool = option("--tool");
    if (!tool) return console.log("SKIPPED: no program boxwood (--tool PROGRAM)");
    const baked = join(folder, "fighter.baked");
    await promisify(execFile)(tool, ["bake", here("../examples/fighter/fighter.glb"), "-o", baked]);
    const mujoco = join(folder, "arm.xml");
    await writeFile(mujoco, MJCF);
    for (const [file, tab, name] of [
      [here("../examples/fighter/fighter.glb"), "fight", "fighter.glb"],
      [baked, "fight", "fighter.baked"],
      [here("robot/arm.urdf"), "robot", "arm.box"],
      [mujoco, "robot", "arm.box"],
      [here("../examples/walk_brushes/level.map"), "walk", "level.map"],
    ]) {
      const written = join(folder, "written.html");
      await promisify(execFile)(tool, ["view", file, "--page", page, "-o", written]);
      const shown = await opened({ file: written });
      assert.equal(await shown.evaluate(() => document.body.dataset.tab), tab, file);
      const where = { fight: "file-red", robot: "robot-name", walk: "level-name" }[tab];
      assert.equal(await text(shown, where), name);
      assert(!(await shown.isVisible("#trouble")));
      await close(shown);
    }
  },

  async "an own character begins with a blow that lands"() {
    // The fighter without its scripts: no clip is called `guard`.
    const fighter = await readFile(here("../examples/fighter/fighter.glb"));
    const changed = Buffer.from(fighter.toString("latin1").replaceAll('"guard"', '"guart"'), "latin1");
    assert(!changed.equals(fighter));
    const tab = await opened();
    await drop(tab, "own.glb", changed);
    await tab.waitForFunction(() => document.getElementById("file-red").textContent === "own.glb", null, { timeout: 60_000 });
    const chosen = (side) => tab.evaluate((side) => document.getElementById(`clip-${side}`).selectedOptions[0].textContent, side);
    const frame = await tab.evaluate(() => boxwoodPage.fight.player.frame);
    console.log(`   ${await chosen("red")} at frame ${frame}, ${await text(tab, "count-hits")} contacts`);
    assert.deepEqual([await chosen("red"), await chosen("blue")], ["kick", "kick"]);
    assert(Number(await text(tab, "count-hits")) > 0);
    // No frame has more pairs of touching boxes.
    const most = await tab.evaluate(() => {
      const { fight } = boxwoodPage;
      fight.arena.set_detail(1);
      fight.arena.set_accuracy(0, 3);
      const count = (frame) => {
        fight.arena.pose(frame);
        fight.arena.find_contacts(0.1);
        const view = fight.arena.hit_sites();
        const { len } = view;
        view.free();
        return len;
      };
      const counts = [];
      for (let frame = 0; frame < fight.player.frames; frame++) counts.push(count(frame));
      return [count(fight.player.frame), Math.max(...counts)];
    });
    assert.equal(most[0], most[1]);
    await close(tab);
  },

  async "the page says what it is, and what its words mean"() {
    const tab = await opened({ hash: "#robot" });
    const manifest = await readFile(here("../Cargo.toml"), "utf8");
    for (const key of ["homepage", "repository"]) {
      const address = new RegExp(`^${key} = "(.+)"$`, "m").exec(manifest)[1];
      assert.equal(await tab.locator(`.about a[href="${address}"]`).count(), 1, key);
    }
    assert(await tab.isVisible(".about"));
    const word = tab.locator("#panel-robot dfn", { hasText: "slack" });
    const tip = () => word.evaluate((element) => getComputedStyle(element, "::after").content);
    assert.equal(await tip(), "none");
    await word.focus();
    assert((await tip()).includes("at most so far apart"));
    await close(tab);
  },

  "every tab fits into a wide window": () => tabsFit("wide", { width: 1280, height: 800 }),
  "every tab fits onto a phone held upright": () => tabsFit("upright", { width: 390, height: 844, touch: true }),
  "every tab fits onto a phone held sideways": () => tabsFit("sideways", { width: 844, height: 390, touch: true }),

  async "real characters and levels"() {
    const data = process.env.BOXWOOD_DATA;
    if (!data) return console.log("SKIPPED: BOXWOOD_DATA is not set");
    const tab = await opened();
    // The clip that each begins with: a blow, or the first of a character without blows.
    for (const [name, clip] of [["kaykit-knight/Knight.glb", "1H_Melee_Attack_Chop"], ["fox/Fox.glb", "Survey"]]) {
      const file = name.split("/")[1];
      await drop(tab, file, await readFile(join(data, "characters", name)));
      await tab.waitForFunction((file) => document.getElementById("file-red").textContent === file, file, { timeout: 120_000 });
      for (const side of ["red", "blue"]) {
        assert.equal(await tab.evaluate((id) => document.getElementById(id).selectedOptions[0].textContent, `clip-${side}`), clip);
      }
      const contacts = Number(await text(tab, "count-hits"));
      const { depths, frame, start } = await tab.evaluate(() => {
        const { fight } = boxwoodPage;
        const view = fight.arena.hit_numbers();
        const numbers = Array.from(new Float32Array(boxwoodPage.memory().buffer, view.at, view.len));
        view.free();
        return { depths: numbers.filter((_, i) => i % 9 === 7), frame: fight.player.frame, start: fight.busiestFrame() };
      });
      console.log(`   ${file}: ${clip} at frame ${frame}, ${contacts} contacts, the deepest ${Math.max(...depths).toFixed(3)} m`);
      assert(contacts > 0 && depths.length === contacts && Math.max(...depths) > 0, "something touches");
      assert.equal(frame, start, "at the frame with most contacts");
      await picture(tab, `real-${file}`);
    }
    await drop(tab, "lqdm3.map", await readFile(join(data, "levels/lq-dm3/lqdm3.map")));
    await tab.waitForFunction(() => document.body.dataset.tab === "walk", null, { timeout: 60_000 });
    const length = await tab.evaluate(() => {
      for (let i = 0; i < 1800; i++) boxwoodPage.walk.step();
      for (let i = 0; i < 60; i++) boxwoodPage.walk.show();
      return boxwoodPage.walk.trail.length;
    });
    console.log(`   lqdm3.map: ${length.toFixed(1)} m in half a minute`);
    assert(length > 30, "it walks by itself");
    await picture(tab, "real-lqdm3");
    await close(tab);
  },

  async "on a phone everything fits, and a finger turns the scene"() {
    for (const hash of ["#fight", "#robot", "#crowd", "#walk", "#depth"]) {
      const tab = await opened({ width: 390, height: 844, touch: true, hash, theme: hash === "#walk" ? "dark" : "light" });
      const fits = async (what) => {
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
        assert(wide <= 390, `${what} is ${wide} wide`);
      };
      await fits(hash);
      if (hash === "#walk") assert(await tab.isVisible("#stick"));
      if (hash === "#depth") await tab.waitForFunction(() => boxwoodPage.depth.cases >= 48, null, { timeout: 120_000 });
      if (hash === "#fight") {
        const camera = () => tab.evaluate(() => boxwoodPage.fight.view.camera.position.toArray());
        const before = await camera();
        const session = await tab.context().newCDPSession(tab);
        const touch = (type, x, y) =>
          session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
        await touch("touchStart", 200, 200);
        for (let x = 200; x <= 260; x += 10) await touch("touchMove", x, 205);
        await touch("touchEnd");
        await tab.waitForTimeout(200);
        assert.notDeepEqual(await camera(), before, "a finger turns it");
        await picture(tab, "phone-fight");
        await tab.tap('#tick-rate button[value="10"]');
        await tab.tap("#tick-next");
        await fits("a tick");
        assert(await tab.isVisible("#tick-says") && (await tab.isVisible("#tick-samples")));
        for (const id of ["tick-time", "tick-play", "tick-next"]) {
          const { x, width, height } = await tab.locator(`#${id}`).boundingBox();
          assert(x >= 0 && x + width <= 390 && height >= 30, `${id} is within the width and large enough for a finger`);
        }
      }
      await picture(tab, `phone-${hash === "#fight" ? "tick" : hash.slice(1)}`);
      await close(tab);
    }
  },

  async "600 frames leave memory as it was, and are fast"() {
    const tab = await opened();
    const measured = await tab.evaluate(() => {
      const { fight, stage, dial } = boxwoodPage;
      stage.paused = true; // drawing in software is not measured
      const once = (frames, work) => {
        const begin = performance.now();
        for (let frame = 0; frame < frames; frame++) work(frame % 300);
        return (performance.now() - begin) / frames;
      };
      // The fastest of several runs counts: other work of the machine only adds.
      const run = (frames, work) => Math.min(...Array.from({ length: 5 }, () => once(frames, work)));
      const whole = (frame) => {
        fight.player.frame = frame;
        fight.ask();
      };
      // Of bodies, with the depth of the page: measured triangle against triangle.
      const bodies = run(300, (frame) => {
        fight.arena.pose(frame);
        fight.arena.find_contacts(0.1);
      });
      const tick = run(50, (i) => fight.arena.pose_in_tick(6 * i, 6 * i + 6, 0.5));
      fight.arena.set_detail(1);
      const memory = () => {
        gc();
        gc();
        return [boxwoodPage.memory().buffer.byteLength, performance.memory.usedJSHeapSize];
      };
      once(600, whole);
      memory(); // excludes garbage of the start
      once(600, whole);
      const before = memory();
      once(600, whole);
      const after = memory();
      const times = {};
      for (const depth of [0, 3, 6, 9]) {
        dial.set({ kind: "depth", depth });
        const pose = run(300, (frame) => fight.arena.pose(frame));
        const both = run(300, (frame) => {
          fight.arena.pose(frame);
          fight.arena.find_contacts(0.1);
        });
        const lines = run(4, () => {
          for (const parts of fight.parts) {
            parts.setWires("none", 0);
            parts.setWires("boxes", depth);
          }
        });
        times[depth] = { contacts: both - pose, pose, lines, all: run(300, whole) };
      }
      return { before, after, times, bodies, tick };
    });
    const { before, after, times, bodies, tick } = measured;
    console.log(`   poses and contacts of bodies ${Math.round(1000 * bodies)} us, a tick of 100 ms ${Math.round(1000 * tick)} us`);
    for (const [depth, { pose, contacts, lines, all }] of Object.entries(times)) {
      const micro = (ms) => `${Math.round(1000 * ms)} us`;
      console.log(`   depth ${depth}: poses ${micro(pose)}, contacts ${micro(contacts)}, the whole frame ${micro(all)}; all lines anew ${micro(lines)}`);
    }
    assert(times[3].contacts < 0.1, "contacts at depth 3 take less than 0.1 ms");
    assert(times[6].all < 1000 / 60 / 10, "a frame at depth 6 takes less than a tenth of a sixtieth of a second");
    assert(times[6].lines < 1000 / 60, "another depth is drawn within a frame");
    console.log(`   memory of the module ${before[0]} and ${after[0]}, of the script ${before[1]} and ${after[1]}`);
    assert.equal(after[0], before[0], "the module's memory does not grow");
    assert(after[1] < before[1] + 400_000, "nor that of the script");
    await close(tab);
  },
};

const only = option("--only");
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (only && !name.includes(only)) continue;
  const begin = Date.now();
  console.log(`-- ${name}`);
  try {
    await check();
    assert.deepEqual(troubles, [], "the console is silent");
    console.log(`   ok, ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`   FAILED: ${error.message}`);
    if (process.env.DEBUG) console.log(error.stack);
  }
  troubles.length = 0;
}
await browser.close();
await rm(folder, { recursive: true });
console.log(failed === 0 ? "all hold" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
