// Files of the user: dropped, picked, or embedded by `boxwood view`.

import { $, setText } from "./dom.js";
import { embeddedFile } from "./assets.js";

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

/** Starts the handlers that open files; `open` gets name, bytes and the side under the pointer. */
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
    // With Shift, one side only: the left half of the window is red, the right half blue.
    const side = event.shiftKey ? Number(event.clientX > innerWidth / 2) : null;
    await read([...(event.dataTransfer?.files ?? [])], side);
  });
}

/** Opens the file embedded in the page, if there is one. */
export async function openEmbedded(open) {
  try {
    const file = embeddedFile();
    if (file) await open(file.name, file.bytes, null);
  } catch (error) {
    showTrouble(`the file in this page cannot be read: ${error.message}`);
  }
}
