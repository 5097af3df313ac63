// Runs a WebAssembly program of the system interface `preview1`: the file, then its arguments.
import { readFile } from "node:fs/promises";
import process, { argv } from "node:process";
import { WASI } from "node:wasi";

const [, , file, ...args] = argv;
const wasi = new WASI({ version: "preview1", args: [file, ...args], preopens: { "/": "/" } });
const program = await WebAssembly.compile(await readFile(file));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
