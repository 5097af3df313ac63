// The robot tab: sliders, verdicts, edges, and own files with their meshes.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { groups } from "../src/file_groups.js";
import { close, drop, dropAll, opened, picture, slide, text } from "./tab.mjs";

const verdictsFile = fileURLToPath(new URL("arm_verdicts.json", import.meta.url));
const store = process.argv.includes("--store-verdicts");

/** Number of random configurations and edges of the stored verdicts. */
const [CONFIGURATIONS, EDGES] = [60, 24];

const OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const link = (name, mesh) =>
  `<link name="${name}"><collision><geometry><mesh filename="package://pack/meshes/${mesh}"/></geometry></collision></link>`;
const joint = (name, parent, child) =>
  `<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="${child}"/><origin xyz="0.8 0 0"/><axis xyz="0 0 1"/></joint>`;

/** A robot of three links with meshes. */
const URDF = `<robot name="meshed">${link("a", "a.obj")}${link("b", "b.obj")}${link("c", "c.obj")}
  ${joint("first", "a", "b")}${joint("second", "b", "c")}</robot>`;

/** Verdicts of the page on configurations and edges of the example robot. */
const verdicts = (tab) =>
  tab.evaluate(([configurations, edges]) => {
    const { robot, names } = boxwoodPage.robot;
    const list = (view, Kind) => {
      const copy = Array.from(new Kind(boxwoodPage.memory().buffer, view.at, view.len));
      view.free();
      return copy;
    };
    const random = () => robot.random();
    robot.set_accuracy(2, 0);
    const rows = Array.from({ length: configurations }, () => {
      const values = random();
      robot.set_values(values);
      robot.find_pairs();
      robot.find_nearest();
      const pairs = list(robot.pairs(), Uint32Array).map((part) => names[part]);
      const [distance, , a, b] = list(robot.nearest(), Float64Array);
      return { values: Array.from(values), pairs, distance, closest: [names[a], names[b]] };
    });
    const ways = Array.from({ length: edges }, () => {
      const ends = [random(), random()];
      robot.check_edge(...ends);
      const [kind, first, second, a, b] = list(robot.edge(), Float64Array);
      const parts = kind === 0 ? [] : [names[a], names[b]];
      return { from: Array.from(ends[0]), to: Array.from(ends[1]), kind, first, second, parts };
    });
    return { configurations: rows, edges: ways };
  }, [CONFIGURATIONS, EDGES]);

const becomes = (tab, id, words) =>
  tab.waitForFunction(([id, words]) => document.getElementById(id).textContent.includes(words), [id, words], { timeout: 30_000 });

export async function filesAreGrouped() {
  const bytes = (content) => ({ read: async () => new TextEncoder().encode(content) });
  const grouped = async (files) => {
    const found = await groups(Object.entries(files).map(([path, content]) => ({ path, ...bytes(content) })));
    return found.map(({ name, beside, notes }) => ({ name, beside: beside.map(([path]) => path), notes: notes.length }));
  };
  const alone = (name) => ({ name, beside: [], notes: 0 });
  assert.deepEqual(await grouped({ "a.glb": "", "b.map": "" }), [alone("a.glb"), alone("b.map")]);
  assert.deepEqual(await grouped({ "x/package.xml": "<package/>", "x/m/a.stl": "", "x/r.urdf": "", "x/notes.txt": "" }), [
    { name: "r.urdf", beside: ["x/package.xml", "x/m/a.stl"], notes: 0 },
  ]);
  assert.deepEqual(await grouped({ "x/deep/r.urdf": "", "x/q.urdf": "", "x/a.glb": "" }), [
    { name: "q.urdf", beside: ["x/a.glb"], notes: 1 },
  ]);
  assert.deepEqual(await grouped({ "arm.xml": "<mujoco/>", "scene.xml": '<mujoco><include file="arm.xml"/></mujoco>' }), [
    { name: "scene.xml", beside: ["arm.xml"], notes: 0 },
  ]);
  assert.deepEqual(await grouped({ "r.urdf": "", "a.srdf": "", "b.srdf": "", "l.map": "" }), [
    { name: "r.urdf", beside: ["a.srdf", "b.srdf"], notes: 1 },
    alone("l.map"),
  ]);
}

export const robotChecks = {
  async "joints of a robot change the verdict, and an edge is certified"() {
    const tab = await opened({ hash: "#robot" });
    assert.equal(await text(tab, "robot-touching"), "0", "it begins free");
    assert.equal(await tab.locator("#joints input").count(), 7);
    assert(/^(\d+\.\d cm|\d+\.\d mm)$/.test(await text(tab, "robot-distance")));
    assert.equal(await text(tab, "gap-label"), await text(tab, "robot-distance"));
    assert(Number(await text(tab, "robot-parts")) > 0);
    await picture(tab, "robot-light");
    // Folds the arm onto itself.
    await slide(tab, "joint-1", 0.9);
    await slide(tab, "joint-2", 2.7);
    assert(Number(await text(tab, "robot-touching")) > 0);
    assert(await tab.isVisible("#robot-collides"));
    assert((await text(tab, "robot-pairs")).includes("–"));
    assert.equal(await text(tab, "gap-label"), "touching");
    const hot = () => tab.evaluate(() => {
      const { parts, names } = boxwoodPage.robot;
      return names.filter((_, part) => parts.parts[part].mesh?.material === parts.hot);
    });
    const listed = await text(tab, "robot-pairs");
    const colored = await hot();
    assert(colored.length >= 2 && colored.every((name) => listed.includes(name)), `${colored} are in ${listed}`);
    await picture(tab, "robot-touching");
    await tab.click("#robot-rest");
    assert.equal(await text(tab, "robot-touching"), "0");
    assert.deepEqual(await hot(), []);
    // Continuous joints go from -pi to pi, others within their limits.
    const ends = await tab.evaluate(() => [0, 1].map((joint) => {
      const { min, max } = document.getElementById(`joint-${joint}`);
      return [Number(min), Number(max)];
    }));
    assert.deepEqual(ends, [[-Math.PI, Math.PI], [-2.3, 2.3]]);
    // Boxes alone report more, never less.
    for (const value of [1.9, 2.1, 2.3, 2.5]) {
      await slide(tab, "joint-1", 1);
      await slide(tab, "joint-2", value);
      const exact = Number(await text(tab, "robot-touching"));
      await tab.click("#robot-tested button[value=depth]");
      assert(Number(await text(tab, "robot-touching")) >= exact);
      await tab.click("#robot-tested button[value=exact]");
    }
    await tab.click("#robot-random");
    const first = await tab.evaluate(() => boxwoodPage.robot.values);
    await tab.click("#robot-random");
    assert.notDeepEqual(await tab.evaluate(() => boxwoodPage.robot.values), first);
    // The example's edge: both ends are free, and there is a collision between them.
    assert.equal(await text(tab, "edge-verdict"), "collides");
    console.log(`   ${await text(tab, "edge-says")}`);
    assert(/^First collision at \d+\.\d\d % of the way: .+ – .+\. Proved free before \d+\.\d\d %\.$/.test(await text(tab, "edge-says")));
    const touching = async () => Number(await text(tab, "robot-touching"));
    for (const end of ["a", "b"]) {
      await tab.click(`#go-${end}`);
      assert.equal(await touching(), 0, end);
    }
    await tab.click("#edge-first");
    assert((await touching()) > 0, "the fraction of the verdict touches");
    const { first: fraction, second: clear } = await tab.evaluate(() => boxwoodPage.robot.edge.verdict);
    for (let i = 0; i <= 50; i++) {
      await slide(tab, "edge-time", (clear * i) / 50);
      assert.equal(await touching(), 0, `free until ${clear}`);
    }
    assert(clear <= fraction && fraction < 1);
    await tab.click("#edge-play");
    await tab.waitForFunction((from) => boxwoodPage.robot.edge.time > 0.01 && boxwoodPage.robot.edge.time !== from, clear);
    assert.equal(await text(tab, "edge-play"), "Stop");
    await tab.click("#edge-play");
    // An edge from a configuration to a near one is free.
    await tab.click("#go-a");
    await tab.click("#store-a");
    await slide(tab, "joint-0", 0.2);
    await tab.click("#store-b");
    assert.equal(await text(tab, "edge-verdict"), "free");
    assert(/^Free on the whole way: all parts stay at least .+ apart\.$/.test(await text(tab, "edge-says")));
    await close(tab);
  },

  async "verdicts on the robot are those that the crate's own test compares"() {
    const tab = await opened({ hash: "#robot" });
    const now = await verdicts(tab);
    if (store) await writeFile(verdictsFile, `${JSON.stringify(now, null, 1)}\n`);
    const stored = JSON.parse(await readFile(verdictsFile, "utf8"));
    assert.deepEqual(now, stored, "--store-verdicts writes them anew; then run the crate's test");
    const colliding = now.configurations.filter(({ pairs }) => pairs.length > 0).length;
    const kinds = [0, 1, 2].map((kind) => now.edges.filter((edge) => edge.kind === kind).length);
    console.log(`   ${colliding} of ${CONFIGURATIONS} configurations collide; of ${EDGES} edges ${kinds[0]} are free, ${kinds[1]} collide, ${kinds[2]} are undecided`);
    assert(colliding > 5 && colliding < CONFIGURATIONS - 5 && kinds[0] > 2 && kinds[1] > 2);
    await close(tab);
  },

  async "an own robot opens with the files it names"() {
    const tab = await opened();
    await dropAll(tab, { "meshed.urdf": URDF, "a.obj": OBJ, "b.obj": OBJ, "c.obj": OBJ });
    await tab.waitForFunction(() => document.body.dataset.tab === "robot");
    assert.equal(await text(tab, "robot-name"), "meshed.urdf");
    assert((await text(tab, "robot-counts")).startsWith("3 links, 3 with geometry of 12 shapes"));
    assert.equal(await tab.locator("#joints input").count(), 2);
    assert(!(await tab.isVisible("#trouble")));
    await picture(tab, "robot-own");
    // With both joints turned half round, the last link lies in the first.
    await slide(tab, "joint-0", Math.PI);
    await slide(tab, "joint-1", Math.PI);
    assert.equal(await text(tab, "robot-touching"), "1");
    assert((await text(tab, "robot-pairs")).includes("a – c"));
    const srdf = '<robot name="meshed"><disable_collisions link1="a" link2="c" reason="Never"/></robot>';
    await dropAll(tab, { "meshed.urdf": URDF, "x.srdf": srdf, "a.obj": OBJ, "b.obj": OBJ, "c.obj": OBJ });
    await becomes(tab, "robot-touching", "0");
    await slide(tab, "joint-0", Math.PI);
    await slide(tab, "joint-1", Math.PI);
    assert.equal(await text(tab, "robot-touching"), "0", "the SRDF file applies");
    assert(!(await tab.isVisible("#gap-label")), "no two parts are tested");
    // A missing mesh is named, and the robot before stays.
    await dropAll(tab, { "other.urdf": URDF, "a.obj": OBJ, "c.obj": OBJ });
    await tab.waitForSelector("#trouble:not([hidden])");
    console.log(`   refused: ${await text(tab, "trouble-text")}`);
    assert(/^other\.urdf: .*b\.obj.*no such file/.test(await text(tab, "trouble-text")));
    assert.equal(await text(tab, "robot-name"), "meshed.urdf");
    await drop(tab, "broken.urdf", URDF.slice(0, 200));
    await becomes(tab, "trouble-text", "broken.urdf");
    await drop(tab, "broken.box", "boxrobot");
    await becomes(tab, "trouble-text", "broken.box");
    const scene = '<mujoco><include file="arm.xml"/></mujoco>';
    const arm = `<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body name="base"><geom type="box" size=".1 .1 .1"/>
      <body name="tip"><joint name="swing"/><geom type="mesh" mesh="m"/></body></body></worldbody></mujoco>`;
    await dropAll(tab, { "arm.xml": arm, "scene.xml": scene, "m.obj": OBJ });
    await becomes(tab, "robot-name", "scene.xml");
    assert.equal(await tab.locator("#joints input").count(), 1);
    await close(tab);
  },

  async "real robots open"() {
    const data = process.env.BOXWOOD_DATA;
    if (!data) return console.log("SKIPPED: BOXWOOD_DATA is not set");
    const tab = await opened({ hash: "#robot" });
    const panda = join(data, "robots/panda");
    const { readdir } = await import("node:fs/promises");
    const files = { "panda.urdf": await readFile(join(panda, "urdf/panda.urdf")) };
    for (const name of await readdir(join(panda, "meshes/collision"))) {
      files[name] = await readFile(join(panda, "meshes/collision", name));
    }
    await dropAll(tab, files);
    await becomes(tab, "robot-name", "panda.urdf");
    console.log(`   ${await text(tab, "robot-counts")}; query ${await text(tab, "robot-time")}`);
    await picture(tab, "real-panda");
    await dropAll(tab, { "humanoid.xml": await readFile(join(data, "robots/humanoid-cmu/humanoid_CMU_V2020.xml")) });
    await becomes(tab, "robot-name", "humanoid.xml");
    await tab.click("#robot-random");
    await picture(tab, "real-humanoid");
    await close(tab);
  },
};
