// Which client is here: the one that was named, else the first `claude` on the PATH. Asks it for its version and nothing else.

import { resolve } from 'node:path';
import { KINDS } from '../data.mjs';
import { onPath, versionOf } from './program.mjs';

/**
 * @param {import('../world.mjs').World} world
 * @returns {Promise<{ path: string | null, version: string | null, kind: 'wasm' | 'mods' | 'none' | null, has?: string, error?: string }>}
 *   `error`: `missing`, `silent` (it names no version of Claude Code), `timeout`, or a code of the system
 */
export async function findClient(world) {
  const path = world.named === undefined ? onPath('claude', world) : resolve(world.cwd, world.named);
  const unknown = { path, version: null, kind: null };
  if (path === null) return { ...unknown, error: 'missing' };
  const { stdout, error } = await versionOf(path, world);
  if (error) return { ...unknown, error };
  const [, version] = /^(\d+\.\d+\.\d+)\S* \(Claude Code\)/m.exec(stdout) ?? [];
  if (version === undefined) return { ...unknown, error: 'silent' };
  const { kind, has } = KINDS.find(({ from }) => !isBefore(version, from));
  return { path, version, kind, has };
}

/** Whether one version comes before another. */
export function isBefore(version, other) {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at += 1) if (a[at] !== b[at]) return a[at] < b[at];
  return false;
}
