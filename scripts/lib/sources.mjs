// What pkg/ is made from, and whether it still fits: hashes of sources and outputs, compared with pkg/build.json.
// Never builds and needs no tool but Node, so that a checkout without Rust can check its pkg/ too.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from './prefix.mjs';

// Everything that can change a byte of the outputs; the versions of the tools are recorded beside it.
const SOURCES = ['Cargo.lock', 'Cargo.toml', 'build.rs', 'packs', 'rust-toolchain.toml', 'scripts/build.mjs', 'scripts/lib/lexer.h', 'scripts/lib/toolchain.mjs', 'src'];
/** The second copy of the core is what the command hooks fall back to when the first is damaged. */
export const OUTPUTS = ['packs/powershell.js', 'packs/powershell_bg.wasm', 'trimtab.js', 'trimtab_bg.wasm', 'trimtab_bg.wasm.br'];
export const PKG = join(REPO, 'pkg');
export const BUILD_JSON = join(PKG, 'build.json');

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** `{path: sha256}` of every source, sorted, with `/` between folders on every system. */
export function sourceHashes() {
  const hashes = {};
  for (const path of SOURCES.flatMap(filesBelow).sort()) hashes[path] = sha256(readFileSync(join(REPO, path)));
  return hashes;
}

function filesBelow(path) {
  const full = join(REPO, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** `{file: {sha256, bytes}}` of what lies in a folder like pkg/. */
export function outputHashes(folder = PKG) {
  return Object.fromEntries(OUTPUTS.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return [name, { sha256: sha256(bytes), bytes: bytes.length }];
  }));
}

/** The reasons why pkg/ does not fit the sources; empty when it does. */
export function staleReasons() {
  if (!existsSync(BUILD_JSON)) return ['pkg/build.json is missing'];
  let build;
  try {
    build = JSON.parse(readFileSync(BUILD_JSON, 'utf8'));
  } catch {
    return ['pkg/build.json is not JSON'];
  }
  const reasons = [];
  const now = sourceHashes();
  for (const path of Object.keys({ ...now, ...build.sources }).sort()) {
    if (build.sources?.[path] === now[path]) continue;
    reasons.push(`${path} ${now[path] === undefined ? 'is gone' : build.sources?.[path] === undefined ? 'is new' : 'has changed'}`);
  }
  const binaryen = JSON.parse(readFileSync(join(REPO, 'package-lock.json'), 'utf8')).packages['node_modules/binaryen'].version;
  if (build.tools?.binaryen !== binaryen) reasons.push(`binaryen is ${binaryen} now`);
  for (const name of OUTPUTS) {
    const file = join(PKG, name);
    if (!existsSync(file)) reasons.push(`pkg/${name} is missing`);
    else if (sha256(readFileSync(file)) !== build.outputs?.[name]?.sha256) reasons.push(`pkg/${name} is not what the build wrote`);
  }
  return reasons;
}
