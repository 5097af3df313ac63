//! Builder of small glTF files, as text and as GLB.

/// Document under construction: one buffer, everything else as JSON.
#[derive(Clone, Default)]
pub struct Small {
    pub bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    /// Contents of the arrays of those names.
    pub nodes: String,
    pub meshes: String,
    pub skins: String,
    pub animations: String,
    /// Indices of the root nodes.
    pub roots: String,
    /// More members of the root object, each with a comma after it.
    pub more: String,
}

/// Track of a clip: the node, its property, and the accessors of times and values.
pub struct Track {
    pub node: usize,
    pub path: &'static str,
    pub times: usize,
    pub values: usize,
    /// `LINEAR`, `STEP` or `CUBICSPLINE`.
    pub how: &'static str,
}

pub const BYTE: u32 = 5121;
pub const SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

impl Small {
    /// Adds an accessor of floats; `kind` is `SCALAR`, `VEC3`, ... Returns its index.
    pub fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let bounds = r#","min":[0,0,0],"max":[0,0,0]"#;
        let bounds = if kind == "VEC3" { bounds } else { "" };
        self.accessor(FLOAT, kind, values.len() / width, &bytes, bounds)
    }

    /// Adds an accessor of any component type; `more` is further members, each after a comma.
    pub fn accessor(
        &mut self,
        component: u32,
        kind: &str,
        count: usize,
        bytes: &[u8],
        more: &str,
    ) -> usize {
        let view = self.view(bytes);
        self.raw_accessor(&format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"{kind}","count":{count}{more}}}"#
        ))
    }

    pub fn raw_accessor(&mut self, json: &str) -> usize {
        self.accessors.push(json.to_owned());
        self.accessors.len() - 1
    }

    /// Adds a view of bytes appended to the buffer.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.view_with(bytes, "")
    }

    /// Like [`Self::view`], for elements `stride` bytes apart.
    pub fn strided_view(&mut self, bytes: &[u8], stride: usize) -> usize {
        self.view_with(bytes, &format!(r#","byteStride":{stride}"#))
    }

    fn view_with(&mut self, bytes: &[u8], more: &str) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        let view = format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{more}}}"#);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds a clip of those tracks.
    pub fn clip(&mut self, name: &str, tracks: &[Track]) {
        let joined = |items: Vec<String>| items.join(",");
        let channel = |(i, track): (usize, &Track)| {
            let Track { node, path, .. } = track;
            format!(r#"{{"sampler":{i},"target":{{"node":{node},"path":"{path}"}}}}"#)
        };
        let sampler = |track: &Track| {
            let Track { times, values, how, .. } = track;
            format!(r#"{{"input":{times},"output":{values},"interpolation":"{how}"}}"#)
        };
        let channels = joined(tracks.iter().enumerate().map(channel).collect());
        let samplers = joined(tracks.iter().map(sampler).collect());
        let comma = if self.animations.is_empty() { "" } else { "," };
        self.animations += &format!(
            r#"{comma}{{"name":"{name}","channels":[{channels}],"samplers":[{samplers}]}}"#
        );
    }

    /// Returns the document; `uri` names the buffer, `None` for a GLB.
    pub fn json(&self, uri: Option<&str>) -> String {
        let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
        let list = |name: &str, items: &str| match items {
            "" => String::new(),
            _ => format!(r#""{name}":[{items}],"#),
        };
        let mut json = String::from("{");
        json += &list("nodes", &self.nodes);
        json += &list("meshes", &self.meshes);
        json += &list("skins", &self.skins);
        json += &list("animations", &self.animations);
        json += &list("accessors", &self.accessors.join(","));
        json += &list("bufferViews", &self.views.join(","));
        json += &format!(r#""buffers":[{{"byteLength":{}{uri}}}],"#, self.bytes.len());
        json += &format!(r#""scenes":[{{"nodes":[{}]}}],"scene":0,{}"#, self.roots, self.more);
        json + r#""asset":{"version":"2.0"}}"#
    }

    /// Returns everything as one binary file.
    pub fn glb(&self) -> Vec<u8> {
        let pad = |mut bytes: Vec<u8>, with: u8| {
            bytes.resize(bytes.len().next_multiple_of(4), with);
            bytes
        };
        let json = pad(self.json(None).into_bytes(), b' ');
        let bin = pad(self.bytes.clone(), 0);
        let mut glb = b"glTF".to_vec();
        let length = 12 + 8 + json.len() + 8 + bin.len();
        let number = |n: usize| (n as u32).to_le_bytes();
        glb.extend([2, 0, 0, 0].into_iter().chain(number(length)));
        glb.extend(number(json.len()).into_iter().chain(*b"JSON").chain(json));
        glb.extend(number(bin.len()).into_iter().chain(*b"BIN\0").chain(bin));
        glb
    }
}

/// Encodes bytes by RFC 4648, section 4.
pub fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let three = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for symbol in 0..4 {
            let six = (bits >> (18 - 6 * symbol)) as usize & 63;
            text.push(if symbol <= chunk.len() { char::from(alphabet[six]) } else { '=' });
        }
    }
    text
}
