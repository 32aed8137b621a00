// The client's settings files that can be read without a session, weakest first, and what they say together.
// Sees no `--settings`, and no policy that comes from a server, a plist or the registry. Hands nothing on but the keys that a check asks for.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './json.mjs';

/**
 * @param {import('../world.mjs').World} world
 *
 * @typedef {{ from: 'user' | 'project' | 'local' | 'managed', path: string, place: string, value: object | null, error?: string }} Layer
 *   `error`: `not-json`, `no-object`, or a code of the system; the client goes on without such a file
 */
export async function findSettings(world) {
  const files = [
    ['user', join(world.claude, 'settings.json')],
    ['project', join(world.cwd, '.claude', 'settings.json')],
    ['local', join(world.cwd, '.claude', 'settings.local.json')],
    ['managed', join(world.managed, 'managed-settings.json')],
    ...dropIns(join(world.managed, 'managed-settings.d')).map((path) => ['managed', path]),
  ];
  const layers = [];
  for (const [from, path] of files) {
    // Started in the home folder, the client's user settings are the project's too.
    if (layers.some((layer) => layer.path === path)) continue;
    const { value, error } = await readJson(path);
    if (error !== 'missing') layers.push({ from, path, place: world.shown(path), value, ...(error && { error }) });
  }

  const said = (keys, among) =>
    among.flatMap((layer) => {
      const value = keys.reduce((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), layer.value);
      return value === undefined ? [] : [{ value, from: layer.from, place: layer.place }];
    });
  const managed = layers.filter(({ from }) => from === 'managed');

  return {
    /** @type {Layer[]} */
    layers,
    /** What the strongest file says of a key, with its place; undefined where none says anything. */
    last: (...keys) => said(keys, layers).at(-1),
    /** The same, of managed settings alone. */
    lastManaged: (...keys) => said(keys, managed).at(-1),
    /** Every file's word on a key, weakest first. */
    every: (...keys) => said(keys, layers),
    /** The entries of an object that several files add to, by name: the strongest file's value and its place. */
    merged(...keys) {
      const entries = new Map();
      for (const { value, from, place } of said(keys, layers)) {
        if (isObject(value)) for (const [name, inner] of Object.entries(value)) entries.set(name, { value: inner, from, place });
      }
      return entries;
    },
  };
}

function dropIns(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
