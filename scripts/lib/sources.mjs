// What pkg/ is made from, and whether it still fits: hashes of sources and outputs, compared with pkg/build.json.
// Never builds and needs no tool but Node, so that a checkout without Rust can check its pkg/ too.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { REPO } from './prefix.mjs';

// Everything that can change a byte of the outputs; the versions of the tools are recorded beside it.
const SHARED = ['rust-toolchain.toml', 'scripts/build.mjs', 'scripts/lib/lexer.h', 'scripts/lib/toolchain.mjs'];
// Compiled before anything can be unpacked, so it is not packed itself.
const UNPACKED = ['inflate'];
export const PKG = join(REPO, 'pkg');
export const BUILD_JSON = join(PKG, 'build.json');

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * What is built: the core, and a pack for each folder below packs/ whose crate is a `cdylib`.
 * @typedef {{ crate: string, outputs: string[], isCore: boolean, sources: Record<string, string> }} Part `sources`: `{path: sha256}`
 * @returns {Part[]}
 */
export function parts() {
  const lock = lockedPackages();
  const profiles = sha256(text('Cargo.toml').match(/^\[profile[^]*/m)[0]);
  const partOf = (crate, outputs, sources, isCore) => ({
    crate,
    outputs,
    isCore,
    sources: {
      // The second copy of the core is what the command hooks fall back to when the first is damaged.
      ...hashesOf([...sources, ...SHARED]),
      [`Cargo.lock: ${crate}`]: sha256(lockedFor(crate, lock).join('\n')),
      'Cargo.toml: profiles': profiles,
    },
  });
  const core = partOf('trimtab', ['trimtab.js', 'trimtab_bg.wasm', 'trimtab_bg.wasm.br'], ['Cargo.toml', 'build.rs', 'src'], true);
  const crates = ['packs', 'packs/languages'].flatMap(foldersIn);
  const packs = crates.filter((folder) => /crate-type.*"cdylib"/.test(text(`${folder}/Cargo.toml`)));
  // Packs are built together, and cargo joins the features that any of them wants of a crate.
  const manifests = crates.map((folder) => `${folder}/Cargo.toml`);
  return [core, ...packs.map((folder) => {
    const name = basename(folder);
    const [, crate] = text(`${folder}/Cargo.toml`).match(/^name = "(.+)"$/m);
    return partOf(crate, [`packs/${name}.wasm${UNPACKED.includes(name) ? '' : '.zlib'}`], [...readBy(folder), ...manifests], false);
  })];
}

/** The folders and files that a crate of this repository is made from: its own, those of the crates it names, and what it takes in by path. */
function readBy(folder) {
  const crates = [...text(`${folder}/Cargo.toml`).matchAll(/path = "(.+?)"/g)].flatMap(([, path]) => readBy(posix.join(folder, path)));
  const taken = filesBelow(`${folder}/src`).flatMap((file) => [...text(file).matchAll(/#\[path = "(.+?)"\]/g)].map(([, path]) => posix.join(posix.dirname(file), path)));
  return [folder, ...crates, ...taken];
}

/** `{name: block}` of Cargo.lock. Versions side by side count as one: then the other's change builds too much, never too little. */
function lockedPackages() {
  const packages = new Map();
  for (const block of text('Cargo.lock').split('\n[[package]]\n').slice(1)) {
    const [, name] = block.match(/^name = "(.+)"$/m);
    packages.set(name, (packages.get(name) ?? '') + block);
  }
  return packages;
}

/** The blocks of a crate and of all that it depends on, in order. */
function lockedFor(crate, packages) {
  const found = new Set([crate]);
  for (const name of found) for (const [, next] of packages.get(name).matchAll(/^ "([^ "]+)/gm)) found.add(next);
  return [...found].sort().map((name) => packages.get(name));
}

/** One hash for all that a part is made from, by path, so that a file that is gone shows too. */
export const sourceHash = ({ sources }) => sha256(Object.entries(sources).map(([path, hash]) => `${path} ${hash}\n`).sort().join(''));

function hashesOf(paths) {
  return Object.fromEntries(paths.flatMap(filesBelow).map((path) => [path, sha256(readFileSync(join(REPO, path)))]));
}

const text = (path) => readFileSync(join(REPO, path), 'utf8');

function foldersIn(folder) {
  return readdirSync(join(REPO, folder)).sort().map((name) => `${folder}/${name}`).filter((path) => existsSync(join(REPO, path, 'Cargo.toml')));
}

// With `/` between folders on every system.
function filesBelow(path) {
  const full = join(REPO, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** `{file: {sha256, bytes}}` of what lies in a folder like pkg/. */
export function outputHashes(outputs, folder = PKG) {
  return Object.fromEntries(outputs.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return [name, { sha256: sha256(bytes), bytes: bytes.length }];
  }));
}

/** What build.json says, or nothing where it is not there or no JSON. */
export function builtBefore() {
  try {
    return JSON.parse(readFileSync(BUILD_JSON, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * What build.json says after a build: of what was made anew what it is made from now, of the rest what was said before. Of the rest nothing where
 * that was built with other tools, so that it is stale and built next.
 * @param {{ tools: object, sources: object, outputs: object }} made
 * @param {{ tools?: object, sources?: object, outputs?: object }} before
 */
export function buildRecord(made, before, all = parts()) {
  const rest = isSame(made.tools, before.tools) ? before : {};
  const said = (key, names) => Object.fromEntries(names.map((name) => [name, made[key][name] ?? rest[key]?.[name]]).filter(([, value]) => value));
  return { tools: made.tools, sources: said('sources', all.map(({ crate }) => crate)), outputs: said('outputs', all.flatMap(({ outputs }) => outputs)) };
}

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The reasons why pkg/ does not fit the sources of some parts; empty when it does.
 * @param {Part[]} [of]
 */
export function staleReasons(of = parts()) {
  const build = builtBefore();
  if (!build.outputs) return ['pkg/build.json is missing, or is not JSON'];
  const reasons = of.flatMap((part) => {
    if (build.sources?.[part.crate] !== sourceHash(part)) return [`what \`${part.crate}\` is made from ${build.sources?.[part.crate] ? 'has changed' : 'is new'}`];
    return part.outputs.flatMap((name) => {
      const file = join(PKG, name);
      if (!existsSync(file)) return [`pkg/${name} is missing`];
      return sha256(readFileSync(file)) === build.outputs[name]?.sha256 ? [] : [`pkg/${name} is not what the build wrote`];
    });
  });
  const binaryen = JSON.parse(text('package-lock.json')).packages['node_modules/binaryen'].version;
  if (build.tools?.binaryen !== binaryen) reasons.push(`binaryen is ${binaryen} now`);
  return reasons;
}
