// Loose comparison of screenshots: a picture is reduced to the mean colours of its squares and
// stored as a small PNG; two are alike if few squares differ. Software drawing, another graphics
// card or other fonts move edges by less than a square.

import { readFile, writeFile } from "node:fs/promises";

/** Side of a square [pixels]. */
const SQUARE = 8;

/** Difference of a channel, 0 to 255, above which a square differs. */
const DIFFERENT = 8;

/** Reduces a screenshot to `{ width, height, colors, png }`. Any tab will do: it only decodes and encodes PNG. */
async function shrink(tab, shot) {
  const small = await tab.evaluate(
    async ([base64, square]) => {
      const read = async (text) => createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
      const image = await read(base64);
      const [width, height] = [Math.floor(image.width / square), Math.floor(image.height / square)];
      const whole = new OffscreenCanvas(image.width, image.height).getContext("2d");
      whole.drawImage(image, 0, 0);
      const { data } = whole.getImageData(0, 0, image.width, image.height);
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      const pixels = context.createImageData(width, height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const sum = [0, 0, 0];
          for (let i = 0; i < square * square; i++) {
            const at = 4 * ((y * square + Math.floor(i / square)) * image.width + x * square + (i % square));
            for (let k = 0; k < 3; k++) sum[k] += data[at + k];
          }
          const to = 4 * (y * width + x);
          for (let k = 0; k < 3; k++) pixels.data[to + k] = Math.round(sum[k] / (square * square));
          pixels.data[to + 3] = 255;
        }
      }
      context.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/png" });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      const png = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      return { width, height, colors: Array.from(pixels.data), png };
    },
    [shot.toString("base64"), SQUARE],
  );
  return { ...small, png: Buffer.from(small.png, "base64") };
}

/** Reads a stored picture, made by `shrink`. */
async function stored(tab, file) {
  const base64 = (await readFile(file)).toString("base64");
  return tab.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, colors: Array.from(data) };
  }, base64);
}

/** Returns the share of squares that differ, and the mean difference of all, 0 to 255. */
function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return { share: 1, mean: 255 };
  let [different, sum] = [0, 0];
  for (let at = 0; at < a.colors.length; at += 4) {
    const off = Math.max(...[0, 1, 2].map((k) => Math.abs(a.colors[at + k] - b.colors[at + k])));
    sum += off;
    if (off > DIFFERENT) different += 1;
  }
  const squares = a.colors.length / 4;
  return { share: different / squares, mean: sum / squares };
}

/** Difference of a screenshot from the stored one; with `write` it is stored first. */
export async function fromStored(tab, shot, file, write = false) {
  const now = await shrink(tab, shot);
  if (write) await writeFile(file, now.png);
  return difference(now, await stored(tab, file));
}

/** Difference of two screenshots. */
export async function apart(tab, one, other) {
  return difference(await shrink(tab, one), await shrink(tab, other));
}
