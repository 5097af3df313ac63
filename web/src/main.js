// The page: starts the module, the stage and the tabs, and opens files in them.

import { Address } from "./address.js";
import { asset, hasEmbeddedFile, record } from "./assets.js";
import { CrowdTab } from "./crowd/crowd.js";
import { Depth } from "./depth/depth.js";
import { Dial } from "./dial.js";
import { $, setText } from "./dom.js";
import { Fight } from "./fight/fight.js";
import { startPointer } from "./fight/pointer.js";
import { readLook } from "./fight/skin.js";
import { openEmbedded, showTrouble, showWarnings, startOpening } from "./open.js";
import { EXAMPLE, RobotTab } from "./robot/robot.js";
import { Stage } from "./stage.js";
import { onTab, showTab, shownTab, startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { Keys, isForElement } from "./walk/keys.js";
import { Walk } from "./walk/walk.js";
import { Character, isRobot, moduleMemory, simdLevel, startModule } from "./wasm.js";

async function start() {
  startTheme();
  // Asynchronous: the module is unpacked and compiled while this thread waits for the graphics
  // card.
  const module = startModule();
  const stage = new Stage();
  const dial = new Dial();
  const fight = new Fight(stage, dial);
  const keys = new Keys(() => shownTab() === "walk");
  const walk = new Walk(stage, keys);
  const depth = new Depth(dial);
  const robot = new RobotTab(stage);
  const crowd = new CrowdTab(stage);
  const views = { fight: fight.view, robot: robot.view, crowd: crowd.view, walk: walk.view };
  onTab((tab) => stage.show(views[tab] ?? null));
  startTabs();

  const fighter = await asset("fighter-glb");
  const look = await readLook(fighter);
  const panels = document.querySelector("aside");
  panels.inert = true; // nothing is loaded yet
  if (shownTab() === "fight" && !hasEmbeddedFile()) {
    fight.preview(look, await record("first-picture"));
  }
  stage.start();
  await nextFrame();
  await module;
  setText($("simd"), simdLevel());
  const builtIn = { name: "fighter.glb", character: new Character("fighter.glb", fighter), look };
  depth.begin(builtIn);
  crowd.load(builtIn);
  walk.load("level.map", await asset("level-map"), true);
  robot.load("arm.urdf", await asset("robot-urdf"), [], EXAMPLE);

  const failed = (error) => showTrouble(error.message ?? String(error));
  const open = async (group, side) => {
    showTrouble(null);
    showWarnings("", []);
    try {
      await openFile({ fight, robot, crowd, walk, depth }, group, side);
    } catch (error) {
      failed(error);
    }
  };
  startOpening(open, failed);
  startPointer(stage, fight);
  startKeys(fight);
  fight.first(builtIn);
  await openEmbedded(open);
  const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  fight.player.play(moves);
  crowd.play(moves);
  const address = new Address({ dial, fight, robot, crowd, walk, depth });
  panels.inert = false;

  stage.onFrame((seconds) => {
    const tab = shownTab();
    if (tab === "fight") fight.pass(seconds);
    if (tab === "robot") robot.pass(seconds);
    if (tab === "crowd") crowd.pass(seconds);
    if (tab === "walk") walk.pass(seconds);
    if (tab === "depth") depth.pass();
    address.pass(seconds);
  });
  document.body.dataset.ready = "true";
  // Access for tests and for the console.
  const ready = performance.now();
  globalThis.boxwoodPage = { dial, fight, robot, crowd, walk, depth, address, stage, showTab, open, memory: moduleMemory, ready };
}

/** Waits until the next frame is drawn: callbacks run in order, and the stage registered its own before. */
const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

/** Opens a file in the tab for its format. */
async function openFile({ fight, robot, crowd, walk, depth }, { name, bytes, beside, notes }, side) {
  if (/\.map$/i.test(name)) {
    walk.load(name, bytes, false);
    showWarnings(name, walk.level.warnings());
    showTab("walk");
    return;
  }
  if (isRobot(name, bytes)) {
    robot.load(name, bytes, beside);
    showWarnings(name, [...robot.robot.warnings(), ...notes]);
    showTab("robot");
    return;
  }
  const character = new Character(name, bytes);
  const look = /\.(glb|gltf)$/i.test(name) ? await readLook(bytes) : null;
  const file = { name, character, look };
  fight.begin(fight.files.map((own, each) => (side === null || side === each ? file : own)), null);
  depth.begin(file);
  crowd.load(file);
  showWarnings(name, character.warnings());
  if (["robot", "walk"].includes(shownTab())) showTab("fight");
}

/** Handles the keys of the first tab. */
function startKeys(fight) {
  addEventListener("keydown", (event) => {
    if (shownTab() !== "fight" || event.ctrlKey || event.metaKey || isForElement(event)) return;
    const act = {
      Space: () => event.target.closest("button") || fight.player.play(!fight.player.playing),
      ArrowLeft: () => fight.player.step(-1),
      ArrowRight: () => fight.player.step(1),
    }[event.code];
    if (!act) return;
    if (!event.target.closest("button")) event.preventDefault();
    act();
  });
}

start().catch((error) => {
  document.body.dataset.ready = "failed";
  showTrouble(`The page could not start: ${error.message ?? error}`);
  console.error(error);
});
