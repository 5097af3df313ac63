// Assets inside the page: the module, a fighter, a level, and optionally a file of the user.

function fromBase64(text) {
  const clean = text.trim();
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(clean);
  const binary = atob(clean);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Unpacks the bytes of an asset, once: its element is removed. */
export async function asset(name) {
  const element = document.getElementById(`asset-${name}`);
  const packed = fromBase64(element.textContent);
  element.remove();
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Parses an asset in JSON. */
export const record = async (name) => JSON.parse(new TextDecoder().decode(await asset(name)));

/** Returns true if `boxwood view` has embedded a file in the page. */
export const hasEmbeddedFile = () => Boolean(document.getElementById("boxwood-file")?.textContent.trim());

/** Returns the file that `boxwood view` has embedded in the page, or null. */
export function embeddedFile() {
  if (!hasEmbeddedFile()) return null;
  const element = document.getElementById("boxwood-file");
  return { name: element.dataset.name || "file.glb", bytes: fromBase64(element.textContent) };
}
