// Files of the user: dropped, picked, or embedded by `boxwood view`.

import { $, setText } from "./dom.js";
import { embeddedFile } from "./assets.js";
import { groups } from "./file_groups.js";

/** Shows an error, or hides it. */
export function showTrouble(text) {
  $("trouble").hidden = !text;
  setText($("trouble-text"), text ?? "");
}

/** Shows the warnings of a file. */
export function showWarnings(name, warnings) {
  $("warnings").hidden = warnings.length === 0;
  setText($("warnings-text"), warnings.map((line) => `${name}: ${line}`).join("\n"));
}

/** Shows further warnings. */
export function addWarnings(name, warnings) {
  if (warnings.length === 0) return;
  const before = $("warnings").hidden ? [] : [$("warnings-text").textContent];
  $("warnings").hidden = false;
  setText($("warnings-text"), [...before, ...warnings.map((line) => `${name}: ${line}`)].join("\n"));
}

const readable = (file, path = file.webkitRelativePath || file.name) => ({
  path,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

/** Lists the files of a dropped folder. */
async function listed(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [readable(file, entry.fullPath.replace(/^\//, ""))];
  }
  const [reader, inside] = [entry.createReader(), []];
  for (;;) {
    // At most 100 at a time.
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(listed))).flat();
}

/** Returns what was dropped: files, and the files of folders. */
function dropped(transfer) {
  // Entries exist only until the event is over.
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...(transfer?.files ?? [])].map((file) => readable(file));
  const hasFolder = entries.some((entry) => entry?.isDirectory);
  return hasFolder ? Promise.all(entries.filter(Boolean).map(listed)).then((all) => all.flat()) : files;
}

/**
 * Starts the handlers that open files; `open` gets `{ name, bytes, beside, notes }` and the side under the pointer, and
 * `failed` an error before that.
 */
export function startOpening(open, failed) {
  const picker = $("picker");
  $("open").addEventListener("click", () => picker.click());
  const read = async (files, side) => {
    try {
      for (const group of await groups(await files)) await open(group, side);
    } catch (error) {
      failed(error);
    }
  };
  picker.addEventListener("change", async () => {
    await read([...picker.files].map((file) => readable(file)), null);
    picker.value = "";
  });
  $("trouble-close").addEventListener("click", () => showTrouble(null));
  $("warnings-close").addEventListener("click", () => showWarnings("", []));

  let depth = 0;
  const over = (on) => $("drop").classList.toggle("over", on);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    over(true);
  });
  addEventListener("dragleave", () => {
    depth -= 1;
    if (depth <= 0) over(false);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    // With Shift, one side only: the left half of the window is red, the right half blue.
    const side = event.shiftKey ? Number(event.clientX > innerWidth / 2) : null;
    await read(dropped(event.dataTransfer), side);
  });
}

/** Opens the file embedded in the page, if there is one. */
export async function openEmbedded(open) {
  try {
    const file = embeddedFile();
    if (file) await open({ ...file, beside: [], notes: [] }, null);
  } catch (error) {
    showTrouble(`the file in this page cannot be read: ${error.message}`);
  }
}
