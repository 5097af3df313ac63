// Builds the page: one HTML file with script, style, module, fighter and level inside. Needs
// wasm/pkg, which the script `build` creates.

import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { FIRST } from "./src/fight/first.js";
import { Arena, Character, initSync } from "./wasm/pkg/boxwood_web.js";

const at = (path) => new URL(path, import.meta.url);
const examples = at("../examples/");

/** Element that `boxwood view` replaces; it must be in the page exactly once. */
const PLACE = '<script type="text/plain" id="boxwood-file" data-name=""></script>';

/** Builds the script of the page, with its imports. */
async function script() {
  const result = await build({
    entryPoints: [at("src/main.js").pathname],
    bundle: true,
    format: "iife",
    minify: true,
    target: "es2022",
    write: false,
    legalComments: "inline",
    define: { "import.meta.url": '""' },
  });
  return result.outputFiles[0].text;
}

async function style() {
  const result = await build({ entryPoints: [at("style.css").pathname], minify: true, write: false });
  return result.outputFiles[0].text.trim();
}

/** Packs bytes into an element that the page unpacks. */
function asset(name, bytes) {
  const packed = gzipSync(bytes, { level: 9 }).toString("base64");
  return `<script type="text/plain" id="asset-${name}">${packed}</script>`;
}

/**
 * Poses of the two fighters in the first picture, computed by the module: clips, seconds, matrices, and the box around both.
 * The page draws their skins in them before it builds a tree.
 */
function firstPicture(wasm, fighter) {
  const { memory } = initSync({ module: wasm });
  const character = new Character("fighter.glb", fighter);
  const arena = new Arena(character, character);
  arena.pose(FIRST);
  const poses = [0, 1].map((side) => {
    const [clip, second] = arena.playing(side, FIRST);
    return { clip, second, root: Array.from(arena.root(side, FIRST)) };
  });
  return { clips: character.clips(), poses, bounds: Array.from(arena.bounds()) };
}

async function assets() {
  const wasm = await readFile(at("wasm/pkg/boxwood_web_bg.wasm"));
  const fighter = await readFile(new URL("fighter/fighter.glb", examples));
  const level = await readFile(new URL("walk_brushes/level.map", examples));
  const robot = await readFile(at("robot/arm.urdf"));
  const all = {
    wasm,
    "fighter-glb": fighter,
    "level-map": level,
    "robot-urdf": robot,
    "first-picture": JSON.stringify(firstPicture(wasm, fighter)),
  };
  return Object.entries(all).map(([name, bytes]) => asset(name, bytes)).join("\n");
}

/** Replaces a mark by verbatim text; `closed` escapes what would close or comment out a script element. */
const put = (page, mark, text) => page.split(mark).join(text);
const closed = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** The addresses of the documentation and of the source, which the crate's manifest alone names. */
async function addresses() {
  const manifest = await readFile(at("../Cargo.toml"), "utf8");
  return ["homepage", "repository"].map((key) => {
    const address = new RegExp(`^${key} = "(.+)"$`, "m").exec(manifest)?.[1];
    if (!address) throw new Error(`Cargo.toml has no ${key}`);
    return address;
  });
}

const template = await readFile(at("index.html"), "utf8");
let page = put(template, "/*STYLE*/", await style());
const [docs, source] = await addresses();
page = put(put(page, "DOCS_ADDRESS", docs), "SOURCE_ADDRESS", source);
page = put(page, "<!--ASSETS-->", await assets());
page = put(page, "/*SCRIPT*/", closed(await script()));
if (page.split(PLACE).length !== 2) throw new Error("the place for a file is not in the page exactly once");

await mkdir(at("dist/"), { recursive: true });
await writeFile(at("dist/viewer.html"), page);
const size = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
console.log(`dist/viewer.html: ${size(Buffer.byteLength(page))}, ${size(gzipSync(page).length)} gzip`);
