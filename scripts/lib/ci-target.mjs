// One target folder that CI's clones share, so that a run does not build every dependency anew.
// Never used outside CI, and never trusts what an earlier clone left there of this crate itself.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { REPO, prefix } from './prefix.mjs';
import { capture } from './run.mjs';
import { findWasmStd } from './wasm-std.mjs';

// What cargo may have read of this repository; a folder counts with all that is in it.
const INPUTS = ['Cargo.toml', 'Cargo.lock', 'README.md', 'build.rs', 'docs', 'hooks', 'mod', 'package.json', 'packs', 'pkg', 'src', 'tests'];

/** The folder for this lock file, this rustc and this std, made ready; null outside CI or where one is set already. */
export function ciTargetFolder(env = process.env) {
  if (!env.CI || env.CARGO_TARGET_DIR) return null;
  const lock = join(REPO, 'Cargo.lock');
  if (!existsSync(lock)) return null;
  const key = createHash('sha256').update(readFileSync(lock)).update(capture('rustc', ['-vV']).stdout).update(findWasmStd()?.id ?? '').digest('hex').slice(0, 16);
  const all = join(prefix(), 'target');
  const folder = join(all, key);
  mkdirSync(folder, { recursive: true });
  // Those of other lock files are not asked for again, and each takes a gigabyte.
  for (const other of readdirSync(all)) if (other !== key) rmSync(join(all, other), { recursive: true, force: true });
  touchAll(INPUTS);
  return folder;
}

/**
 * Cargo tells by a file's time whether it has changed, and to it every clone is the same package.
 * A clone older than the last build in this folder would be taken for built; with the time of now it never is.
 */
function touchAll(paths) {
  const now = new Date();
  for (const path of paths) {
    const full = join(REPO, path);
    const kind = lstatSync(full, { throwIfNoEntry: false });
    if (kind?.isDirectory()) touchAll(readdirSync(full).map((name) => `${path}/${name}`));
    else if (kind?.isFile()) utimesSync(full, now, now);
  }
}
