// What the page carries inside: the module, a fighter, a level, and perhaps a file of the user.

function fromBase64(text) {
  const clean = text.trim();
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(clean);
  const binary = atob(clean);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes of an asset, unpacked. Its element is dropped: the text is not needed twice. */
export async function asset(name) {
  const element = document.getElementById(`asset-${name}`);
  const packed = fromBase64(element.textContent);
  element.remove();
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** An asset that is a text in JSON. */
export const record = async (name) => JSON.parse(new TextDecoder().decode(await asset(name)));

/** Whether `boxwood view` has put a file into the page. */
export const hasEmbeddedFile = () => Boolean(document.getElementById("boxwood-file")?.textContent.trim());

/** The file that `boxwood view` has put into the page, or null. */
export function embeddedFile() {
  if (!hasEmbeddedFile()) return null;
  const element = document.getElementById("boxwood-file");
  return { name: element.dataset.name || "file.glb", bytes: fromBase64(element.textContent) };
}
