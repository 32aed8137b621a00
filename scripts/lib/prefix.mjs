// Where things are: the repository, and the one private folder that everything installed goes into.
// Never creates anything, and knows no folder outside those two.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './run.mjs';

export const REPO = resolve(fileURLToPath(new URL('../..', import.meta.url)));
export const WASM = 'wasm32-unknown-unknown';

/** The private prefix: `$TRIMTAB_CACHE`, else `$XDG_CACHE_HOME/trimtab`, else `~/.cache/trimtab`. */
export function prefix(env = process.env) {
  if (env.TRIMTAB_CACHE) return resolve(env.TRIMTAB_CACHE);
  // The XDG rules say to ignore a relative path there.
  if (env.XDG_CACHE_HOME?.startsWith('/')) return join(env.XDG_CACHE_HOME, 'trimtab');
  return join(homedir(), '.cache', 'trimtab');
}

/** The version of a crate in Cargo.lock, which is the one place where it is pinned with all it depends on. */
export function lockedVersion(crate) {
  const file = join(REPO, 'Cargo.lock');
  if (!existsSync(file)) throw new SetupError('Cargo.lock is missing', 'run `cargo generate-lockfile`, or check out the repository again');
  const escaped = crate.replace(/[^\w-]/g, '');
  const found = readFileSync(file, 'utf8').match(new RegExp(`name = "${escaped}"\\nversion = "([^"]+)"`));
  if (!found) throw new SetupError(`Cargo.lock has no \`${crate}\``, 'add it to Cargo.toml, then run `cargo update --workspace`');
  return found[1];
}
