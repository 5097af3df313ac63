//! Models of several files.

use std::path::PathBuf;

use boxwood::f64::Loader;
use boxwood::load::Resolver;

use super::probe::{link_names, load_files, load_files_with};
use support::folder::Folder;

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[test]
fn files_are_included_at_every_depth_and_from_either_folder() {
    let main = "<mujoco><include file='sub/inc.xml'/><worldbody><body name='x'><joint/>\
        <include file='inner.xml'/></body></worldbody></mujoco>";
    let inc = "<a><asset><mesh file='tet.obj'/></asset><default><default class='c'><geom size='.3'/>\
        </default></default><include file='deep/in.xml'/></a>";
    let deep = "<b><worldbody><body name='d'><geom class='c'/><geom type='mesh' mesh='tet'/></body>\
        </worldbody></b>";
    let inner = "<c><geom size='.2'/><body name='y'><joint/><geom size='.1'/></body></c>";
    let files = [
        ("main.xml", main),
        ("sub/inc.xml", inc),
        ("sub/deep/in.xml", deep),
        ("inner.xml", inner),
        ("sub/tet.obj", CUBE),
    ];
    let robot = load_files(&files).expect("a robot");
    assert_eq!(link_names(&robot), ["d", "x", "y"]);
    // An error names the file and the line in it.
    let broken = inner.replace("<body", "\n<geom size='a'/><body");
    let mut files = files;
    files[3].1 = &broken;
    let error = load_files(&files).expect_err("a");
    assert!(
        error.contains("'inner.xml', line 2: <geom>: size=\"a\" is not a list of numbers"),
        "{error}"
    );
}

#[test]
fn circles_and_missing_files_are_refused_by_name() {
    let main = |inner: &str| format!("<mujoco>{inner}<worldbody/></mujoco>");
    let round = main("<include file='a.xml'/>");
    let a = "<mujoco><include file='b.xml'/></mujoco>";
    let b = "<mujoco><include file='a.xml'/></mujoco>";
    let error = load_files(&[("main.xml", &round), ("a.xml", a), ("b.xml", b)]).expect_err("round");
    assert!(
        error.contains("'b.xml', line 1: <include>: 'a.xml': the file is included twice"),
        "{error}"
    );
    let twice = main("<include file='a.xml'/><include file='./a.xml'/>");
    let error = load_files(&[("main.xml", &twice), ("a.xml", "<mujoco/>")]).expect_err("twice");
    assert!(error.contains("'./a.xml': the file is included twice"), "{error}");
    let error = load_files(&[("main.xml", &round)]).expect_err("missing");
    assert!(error.contains("line 1: <include>: 'a.xml': no such file:"), "{error}");
    let error = load_files(&[("main.xml", &round), ("a.xml", "<a>")]).expect_err("broken");
    assert!(error.contains("'a.xml', line 1: invalid XML"), "{error}");
    let own = main("<include file='main.xml'/>");
    assert!(load_files(&[("main.xml", &own)]).is_err());
}

#[test]
fn meshes_are_in_the_mesh_folder_of_the_compiler() {
    let text = |compiler: &str, file: &str| {
        format!(
            "<mujoco>{compiler}<asset><mesh name='m' file='{file}'/></asset><worldbody><body name='a'>\
             <geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        )
    };
    for (compiler, file) in [
        ("<compiler meshdir='meshes'/>", "tet.obj"),
        ("<compiler assetdir='nowhere' meshdir='meshes/'/>", "tet.obj"),
        ("<compiler meshdir='nowhere'/><compiler assetdir='meshes'/>", "tet.obj"),
        ("<compiler meshdir='meshes' strippath='true'/>", "from/elsewhere/tet.obj"),
        ("", "meshes/tet.obj"),
    ] {
        let main = text(compiler, file);
        let files = [("main.xml", &*main), ("meshes/tet.obj", CUBE)];
        load_files(&files).expect(compiler);
        let error = load_files(&files[..1]).expect_err("missing");
        let said = format!("line 1: <mesh>: '{file}': no such file:");
        assert!(error.contains(&said), "{error}");
    }
}

#[test]
fn a_resolver_finds_included_files_and_meshes() {
    let folder = Folder::new();
    folder.write("m.obj", CUBE);
    folder.write("i.xml", "<mujoco><asset><mesh file='m.obj'/></asset></mujoco>");
    let place: PathBuf = folder.path("");
    let resolver = Resolver::new(move |name| Some(place.join(name.strip_prefix("box/")?)));
    let text = "<mujoco><compiler meshdir='box'/><include file='box/i.xml'/><worldbody><body>\
        <geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    let loader = Loader::new().resolver(resolver);
    loader.mjcf_bytes(text.as_bytes()).expect("a robot");
    let error = Loader::new().mjcf_bytes(text.as_bytes()).expect_err("no folder").to_string();
    assert!(error.contains("'box/i.xml': bytes in memory have no folder"), "{error}");
    assert!(load_files_with(&loader, &[("main.xml", text)]).is_ok());
}
