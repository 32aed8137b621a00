// The Node that the command hooks would start: found as hooks/hook.sh finds it, and asked for its version.
// The client may have been started with another PATH than this shell's, which cannot be seen.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MIN_NODE, NODE_PLACES } from '../data.mjs';
import { isProgram, onPath, versionOf } from './program.mjs';

/**
 * @param {import('../world.mjs').World} world
 * @returns {Promise<{ path: string | null, version: string | null, isGood: boolean, error?: string }>}
 *   `error`: `missing`, `old`, `silent`, `timeout`, or a code of the system
 */
export async function findNode(world) {
  const path = onPath('node', world) ?? elsewhere(world);
  const bad = { path, version: null, isGood: false };
  if (path === null) return { ...bad, error: 'missing' };
  const { stdout, error } = await versionOf(path, world);
  if (error) return { ...bad, error };
  const [, version, major] = /^v((\d+)\.\d+\.\d+\S*)\s*$/.exec(stdout) ?? [];
  if (version === undefined) return { ...bad, error: 'silent' };
  return Number(major) < MIN_NODE ? { ...bad, version, error: 'old' } : { path, version, isGood: true };
}

function elsewhere({ home, platform }) {
  // Git Bash writes drives as folders.
  const native = (place) => (platform === 'win32' ? place.replace(/^\/([a-z])\//, '$1:/') : place);
  return (
    NODE_PLACES.flatMap((place) => matches(native(place).replace(/^~/, () => home)))
      .filter(isProgram)
      .at(-1) ?? null
  );
}

function matches(place) {
  const [before, after] = place.split('*');
  if (after === undefined) return [place];
  try {
    return readdirSync(before)
      .sort()
      .map((name) => join(before, name, after));
  } catch {
    return [];
  }
}
