// Files of the user: dropped anywhere, picked, or put into the page by `boxwood view`.

import { $, setText } from "./dom.js";
import { embeddedFile } from "./assets.js";

/** Shows what was refused, or nothing. */
export function showTrouble(text) {
  $("trouble").hidden = !text;
  setText($("trouble-text"), text ?? "");
}

/** Shows what a file could not say. */
export function showWarnings(name, warnings) {
  $("warnings").hidden = warnings.length === 0;
  setText($("warnings-text"), warnings.map((line) => `${name}: ${line}`).join("\n"));
}

/** Starts all ways to open a file; `open` gets name, bytes and the side that was pointed at. */
export function startOpening(open) {
  const picker = $("picker");
  $("open").addEventListener("click", () => picker.click());
  const read = async (files, side) => {
    for (const file of files) await open(file.name, new Uint8Array(await file.arrayBuffer()), side);
  };
  picker.addEventListener("change", async () => {
    await read([...picker.files], null);
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
    // The left half of the window is red, the right half blue; Shift takes one side alone.
    const side = event.shiftKey ? Number(event.clientX > innerWidth / 2) : null;
    await read([...(event.dataTransfer?.files ?? [])], side);
  });
}

/** The file in the page, if there is one. */
export async function openEmbedded(open) {
  try {
    const file = embeddedFile();
    if (file) await open(file.name, file.bytes, null);
  } catch (error) {
    showTrouble(`the file in this page can not be read: ${error.message}`);
  }
}
