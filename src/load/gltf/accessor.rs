//! glTF accessors: numbers of any component type, strided, normalised, sparse.

use ::gltf::Accessor;
use ::gltf::accessor::DataType;
use ::gltf::accessor::sparse::{IndexType, Sparse};
use ::gltf::buffer::View;

use super::buffers::GltfBuffers;
use super::document::NO_BYTES_OFFSET;

/// The storage format of one element.
#[derive(Clone, Copy)]
struct Layout {
    component: DataType,
    normalised: bool,
}

/// Reads the elements of an accessor, `N` numbers each; normalised integers become 0..=1 or -1..=1.
/// Rejects other element types, numbers that are not finite, and ranges past the end.
pub(super) fn numbers<const N: usize>(
    buffers: &GltfBuffers,
    accessor: &Accessor<'_>,
) -> Result<Vec<[f64; N]>, String> {
    let (index, count) = (accessor.index(), accessor.count());
    let at = |trouble: String| format!("accessor {index}: {trouble}");
    if accessor.dimensions().multiplicity() != N {
        let found = accessor.dimensions().multiplicity();
        return Err(at(format!("elements have {found} numbers, {N} expected")));
    }
    let layout = Layout { component: accessor.data_type(), normalised: accessor.normalized() };
    buffers.spend(count, N).map_err(at)?;
    let sparse = accessor.sparse();
    let mut elements = match accessor.view() {
        _ if accessor.offset() as u64 == NO_BYTES_OFFSET => {
            return Err(at("it has no bytes".to_owned()));
        }
        Some(view) => stored(buffers, &view, accessor.offset(), count, layout).map_err(at)?,
        None => vec![[0.0; N]; count],
    };
    if let Some(sparse) = sparse {
        overwrite(buffers, &sparse, layout, &mut elements).map_err(at)?;
    }
    match elements.iter().position(|element| element.iter().any(|n| !n.is_finite())) {
        Some(bad) => Err(at(format!("element {bad} is not finite"))),
        None => Ok(elements),
    }
}

/// Replaces the elements that a sparse accessor lists.
fn overwrite<const N: usize>(
    buffers: &GltfBuffers,
    sparse: &Sparse<'_>,
    layout: Layout,
    elements: &mut [[f64; N]],
) -> Result<(), String> {
    buffers.spend(sparse.count(), N + 1)?;
    let (indices, values) = (sparse.indices(), sparse.values());
    let component = match indices.index_type() {
        IndexType::U8 => DataType::U8,
        IndexType::U16 => DataType::U16,
        IndexType::U32 => DataType::U32,
    };
    let index_layout = Layout { component, normalised: false };
    let indices =
        stored::<1>(buffers, &indices.view(), indices.offset(), sparse.count(), index_layout)?;
    let values = stored(buffers, &values.view(), values.offset(), sparse.count(), layout)?;
    let len = elements.len();
    for ([place], value) in indices.into_iter().zip(values) {
        let Some(element) = elements.get_mut(place as usize) else {
            return Err(format!("sparse index {place} is past the last of {len} elements"));
        };
        *element = value;
    }
    Ok(())
}

/// Reads `count` elements from `offset` in a view.
fn stored<const N: usize>(
    buffers: &GltfBuffers,
    view: &View<'_>,
    offset: usize,
    count: usize,
    layout: Layout,
) -> Result<Vec<[f64; N]>, String> {
    let width = layout.component.size();
    let size = N * width;
    let stride = view.stride().unwrap_or(size);
    let past = || format!("{count} elements exceed buffer view {}", view.index());
    if stride < size {
        return Err(format!(
            "the stride of {stride} bytes is less than the element size of {size}"
        ));
    }
    let Some(last) = count.checked_sub(1) else { return Ok(Vec::new()) };
    let end = last.checked_mul(stride).and_then(|start| start.checked_add(size));
    let end = end.and_then(|end| end.checked_add(offset)).ok_or_else(past)?;
    let bytes = buffers.view(view).and_then(|bytes| bytes.get(offset..end)).ok_or_else(past)?;
    let element =
        |bytes: &[u8]| std::array::from_fn(|i| number(&bytes[i * width..(i + 1) * width], layout));
    Ok(bytes.chunks(stride).map(element).collect())
}

/// Reads one little-endian number of exactly the bytes of its type. Source: glTF 2.0 specification,
/// section 3.6.2.2 and 3.11 for the normalised integers.
fn number(bytes: &[u8], layout: Layout) -> f64 {
    let (value, most) = match (layout.component, bytes) {
        (DataType::I8, &[a]) => (f64::from(a as i8), 127.0),
        (DataType::U8, &[a]) => (f64::from(a), 255.0),
        (DataType::I16, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32_767.0),
        (DataType::U16, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65_535.0),
        (DataType::U32, &[a, b, c, d]) => {
            (f64::from(u32::from_le_bytes([a, b, c, d])), 4_294_967_295.0)
        }
        (DataType::F32, &[a, b, c, d]) => return f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => return f64::NAN,
    };
    if layout.normalised { (value / most).max(-1.0) } else { value }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn integers_are_normalised_as_the_specification_says() {
        let read = |component, bytes: &[u8]| number(bytes, Layout { component, normalised: true });
        assert_eq!(read(DataType::U8, &[255]), 1.0);
        assert_eq!(read(DataType::I8, &[0x80]), -1.0);
        assert_eq!(read(DataType::I8, &[0x81]), -1.0);
        assert_eq!(read(DataType::U16, &[0xff, 0x7f]), 32_767.0 / 65_535.0);
        assert_eq!(read(DataType::I16, &[0xff, 0x7f]), 1.0);
        assert_eq!(read(DataType::F32, &1.5_f32.to_le_bytes()), 1.5);
        let plain = Layout { component: DataType::U16, normalised: false };
        assert_eq!(number(&[0x02, 0x01], plain), 258.0);
    }
}
