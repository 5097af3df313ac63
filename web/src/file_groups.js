// Files chosen or dropped together: which of them are opened, and which are beside a robot's file.

const ending = (path) => path.slice(path.lastIndexOf(".") + 1).toLowerCase();
const base = (path) => path.slice(path.lastIndexOf("/") + 1);
const depth = (path) => path.split("/").length;

/** Endings of the files that a robot's file names. */
const BESIDE = ["stl", "obj", "dae", "glb", "gltf", "msh", "xml", "srdf"];

/** Returns the MJCF files that no other one includes. */
async function mainModels(files) {
  const texts = [];
  for (const file of files.filter(({ path }) => ending(path) === "xml")) {
    const text = new TextDecoder().decode(await file.read());
    if (text.includes("<mujoco")) texts.push({ file, text });
  }
  const named = (path) => texts.some(({ file, text }) => file.path !== path && text.includes(base(path)));
  const mains = texts.filter(({ file }) => !named(file.path)).map(({ file }) => file);
  return mains.length > 0 ? mains : texts.map(({ file }) => file);
}

/** Returns the robots' files among several: those of URDF, else the main ones of MJCF. */
async function robotsOf(files) {
  const urdf = files.filter(({ path }) => ending(path) === "urdf");
  if (urdf.length > 0) return urdf;
  const xml = files.filter(({ path }) => ending(path) === "xml");
  return xml.length < 2 ? xml : mainModels(files);
}

/**
 * Returns what to open, in order: `{ name, bytes, beside, notes }` each, where `beside` has path and bytes of the files that a
 * robot's file may name, and `notes` what was not opened. Files have a path, and a function that reads their bytes.
 */
export async function groups(files) {
  const byPath = (a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1);
  const robots = (await robotsOf(files)).sort(byPath);
  if (robots.length === 0) {
    const open = async ({ path, read }) => ({ name: base(path), bytes: await read(), beside: [], notes: [] });
    return Promise.all(files.map(open));
  }
  const [main, ...others] = robots;
  const rest = files.filter((file) => file !== main && BESIDE.includes(ending(file.path)));
  const beside = [];
  for (const { path, read } of rest) beside.push([path, await read()]);
  const notes = others.map(({ path }) => `${path} is a robot too: open it with its files alone`);
  const scripts = rest.filter(({ path }) => ending(path) === "srdf");
  if (scripts.length > 1) notes.push(`no SRDF file was applied: there are ${scripts.length}`);
  const groups = [{ name: base(main.path), bytes: await main.read(), beside, notes }];
  const own = files.filter(({ path }) => ["map", "box", "baked"].includes(ending(path)));
  for (const { path, read } of own) groups.push({ name: base(path), bytes: await read(), beside: [], notes: [] });
  return groups;
}
