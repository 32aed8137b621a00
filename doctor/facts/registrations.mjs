// Where trimtab is registered with the client: as a plugin (which, from where, in which version) and as hooks in settings files.
// Cannot see a session's `--plugin-dir`. Never hands a command on.

import { join, resolve } from 'node:path';
import { ACTIONS } from '../data.mjs';
import { readJson } from './json.mjs';
import { isObject } from './settings.mjs';

const NAME = 'trimtab';
// `trimtab hook …`, the same by the path of its program, or what the plugin's own hooks start.
const OWN_COMMAND = /\btrimtab(\.mjs)?['"]?\s+hook\b|\btrimtab_root=|\btrimtab\b.*[\\/]hooks[\\/]hook\.(sh|mjs)\b/s;

/**
 * @param {import('../world.mjs').World} world
 *
 * @typedef {{ id: string, folder: string | null, version: string | null, place: string, isManaged: boolean, isSeated: boolean }} Plugin
 *   `folder`: the one that a session reads; null where the plugin is enabled and not there. `place`: the settings file that enables it.
 *   `isManaged`: that is one of the organisation; `isSeated`: and they name the source that it comes from
 * @typedef {{ place: string, event: string, actions: string[] }} Hook `actions`: what it answers of what trimtab answers
 * @returns {Promise<{ plugins: Plugin[], idle: { id: string, place: string | null }[], hooks: Hook[] }>}
 *   `idle`: installed and not enabled; `place`: the settings file that says so
 */
export async function findRegistrations(world) {
  const settings = await world.settings();
  const installed = await installs(world);
  const markets = await marketplaces(world, settings);
  const enabled = settings.merged('enabledPlugins');
  const plugins = [];
  const idle = [];
  for (const id of new Set([...enabled.keys(), ...installed.keys()])) {
    if (id.split('@')[0] !== NAME) continue;
    const said = enabled.get(id);
    if (said?.value === true) {
      const market = id.slice(NAME.length + 1);
      const inPlace = await folderOf(markets.get(market), world.cwd);
      const folders = inPlace ? [inPlace] : [...new Set(installed.get(id) ?? [null])];
      const isManaged = said.from === 'managed';
      const declared = settings.lastManaged('extraKnownMarketplaces', market)?.value?.source;
      // A copy from elsewhere counts only once the client has checked it, which cannot be seen from here.
      const isSeated = isManaged && inPlace !== null && (await folderOf(declared, world.cwd)) === inPlace;
      for (const folder of folders) plugins.push({ id, ...(await copyAt(folder)), place: said.place, isManaged, isSeated });
    } else if (installed.has(id)) {
      idle.push({ id, place: said?.place ?? null });
    }
  }
  return { plugins, idle, hooks: hooksIn(settings) };
}

/** Folders of installed copies that count here, by the plugin's id. */
async function installs(world) {
  const { value } = await readJson(join(world.plugins, 'installed_plugins.json'));
  const found = new Map();
  for (const [id, entries] of Object.entries(isObject(value?.plugins) ? value.plugins : {})) {
    const here = [entries]
      .flat()
      .filter((entry) => isObject(entry) && (entry.projectPath === undefined || resolve(entry.projectPath) === resolve(world.cwd)));
    if (here.length > 0)
      found.set(
        id,
        here.map(({ installPath }) => (typeof installPath === 'string' ? installPath : null)),
      );
  }
  return found;
}

/** Sources of marketplaces by name: those that the client knows, and those that settings files declare. */
async function marketplaces(world, settings) {
  const { value } = await readJson(join(world.plugins, 'known_marketplaces.json'));
  const declared = [...settings.merged('extraKnownMarketplaces')].map(([name, { value: entry }]) => [name, entry]);
  return new Map([...declared, ...Object.entries(value ?? {})].map(([name, entry]) => [name, entry?.source]));
}

/** The plugin's folder where the marketplace is a folder: from there the client reads it in place (2.1.277 to 2.1.332). */
async function folderOf(source, cwd) {
  if (source?.source !== 'directory' || typeof source.path !== 'string') return null;
  const path = resolve(cwd, source.path);
  const { value } = await readJson(join(path, '.claude-plugin', 'marketplace.json'));
  const entry = Array.isArray(value?.plugins) ? value.plugins.find((plugin) => plugin?.name === NAME) : undefined;
  return typeof entry?.source === 'string' ? resolve(path, entry.source) : null;
}

async function copyAt(folder) {
  if (folder === null) return { folder, version: null };
  const { value, error } = await readJson(join(folder, '.claude-plugin', 'plugin.json'));
  return error === 'missing' ? { folder: null, version: null } : { folder, version: typeof value?.version === 'string' ? value.version : null };
}

function hooksIn(settings) {
  const found = [];
  for (const { value, place } of settings.every('hooks')) {
    for (const [event, matchers] of Object.entries(isObject(value) ? value : {})) {
      const own = [matchers].flat().filter((entry) => [entry?.hooks ?? []].flat().some(isOwn));
      if (own.length > 0)
        found.push({ place, event, actions: ACTIONS.filter((action) => own.some(({ matcher }) => matches(matcher, event, action))) });
    }
  }
  return found;
}

function isOwn(hook) {
  return OWN_COMMAND.test(
    [hook?.command, hook?.args]
      .flat()
      .filter((word) => typeof word === 'string')
      .join(' '),
  );
}

function matches(matcher, event, action) {
  const [ofEvent, tool] = action.split(':');
  if (ofEvent !== event) return false;
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool);
  } catch {
    return false;
  }
}
