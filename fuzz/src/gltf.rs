//! glTF files. First byte 0: the other bytes as a file; otherwise the bytes up to the first 255,
//! which occurs in no text, as the JSON of a GLB, and those after it as its buffer.

use boxwood::Build;
use boxwood::Loader;

pub fn run(bytes: &[u8]) {
    let Some((&how, bytes)) = bytes.split_first() else { return };
    let options = Loader::new().build(Build::fast()).keep_skin(true);
    match how {
        0 => super::answer(options.gltf_bytes(bytes)),
        _ => super::answer(options.gltf_bytes(&glb(bytes))),
    }
}

/// Returns the two chunks behind valid headers.
fn glb(bytes: &[u8]) -> Vec<u8> {
    let cut = bytes.iter().position(|&byte| byte == 255).unwrap_or(bytes.len());
    let (json, buffer) = (&bytes[..cut], bytes.get(cut + 1..).unwrap_or(&[]));
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (name, chunk, filler) in [(b"JSON", json, b' '), (b"BIN\0", buffer, 0)] {
        let length = chunk.len().next_multiple_of(4);
        glb.extend((length as u32).to_le_bytes());
        glb.extend(name);
        glb.extend(chunk);
        glb.extend(vec![filler; length - chunk.len()]);
    }
    let length = glb.len() as u32;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    glb
}
