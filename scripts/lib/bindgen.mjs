// wasm-bindgen-cli at exactly the version of the `wasm-bindgen` crate: the two refuse to work together otherwise.
// Never touches a wasm-bindgen of the person's own.
import { join } from 'node:path';
import { findTool, installTool, toolFolder } from './cargo-tool.mjs';
import { lockedVersion } from './prefix.mjs';

/** `{bindgen, testRunner, version}` or null. */
export function findBindgen() {
  const version = lockedVersion('wasm-bindgen');
  const bin = findTool('wasm-bindgen', version);
  return bin && { bindgen: join(bin, 'wasm-bindgen'), testRunner: join(bin, 'wasm-bindgen-test-runner'), version };
}

export const bindgenPart = {
  name: 'wasm-bindgen',
  title: 'wasm-bindgen-cli of the version in Cargo.lock',
  found: () => findBindgen()?.bindgen ?? null,
  plan() {
    const version = lockedVersion('wasm-bindgen');
    return { what: `cargo install wasm-bindgen-cli ${version}, built from source (3-10 minutes on 2 cores)`, where: toolFolder('wasm-bindgen', version) };
  },
  install: () => installTool('wasm-bindgen', lockedVersion('wasm-bindgen'), 'wasm-bindgen-cli'),
};
