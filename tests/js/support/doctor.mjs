// A scratch machine for `trimtab doctor` on which all is well, and the words of its findings.
// The client is a script that says a version. Touches nothing outside its scratch folder.

import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS } from '../../../doctor/run.mjs';
import { createWorld } from '../../../doctor/world.mjs';
import { scratch } from './plugin.mjs';

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
export const { version: VERSION } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
export const NOW = Date.parse('2030-01-10T12:00:00Z');
const PARTS = ['.claude-plugin', 'bin', 'cli', 'doctor', 'glue', 'hooks', 'mod', 'node', 'package.json', 'pkg'];

export const ok = (code, text) => ({ level: 'ok', code, text });
export const note = (code, text, next) => ({ level: 'note', code, text, ...(next && { next }) });
export const problem = (code, text, next) => ({ level: 'problem', code, text, next });

/** A machine on which all is well: a client with wasm, the plugin installed from a folder and enabled, a Node, and nothing in `~/.trimtab`. */
export function healthy(t) {
  const folder = scratch(t);
  const at = (...parts) => join(folder, ...parts);
  for (const name of ['home', 'project/.git', 'bin', 'etc']) mkdirSync(at(name), { recursive: true });
  const world = {
    at,
    /** A copy of the plugin in the place of this checkout, for what is about to be damaged. */
    copy() {
      for (const part of PARTS) cpSync(join(REPOSITORY, part), at('plugin', part), { recursive: true });
      world.outside.own = at('plugin');
      world.market(at('plugin'));
    },
    market: (path) => world.json('home/.claude/plugins/known_marketplaces.json', { trimtab: { source: { source: 'directory', path } } }),
    outside: {
      env: { PATH: at('bin'), HOME: at('home') },
      cwd: at('project'),
      home: at('home'),
      platform: 'linux',
      managed: at('etc'),
      own: REPOSITORY,
      now: NOW,
      maxMs: 5_000,
    },
    program: (name, text) => writeFileSync(at('bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 }),
    json(path, value) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), typeof value === 'string' ? value : JSON.stringify(value));
    },
    settings: (more) => world.json('home/.claude/settings.json', { enabledPlugins: { 'trimtab@trimtab': true }, ...more }),
    env: (more) => Object.assign(world.outside.env, more),
    records: (rows, name = 'errors.jsonl') => {
      mkdirSync(at('home/.trimtab'), { recursive: true, mode: 0o700 });
      writeFileSync(at('home/.trimtab', name), rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''), {
        mode: 0o600,
      });
    },
  };
  world.program('claude', "echo '2.1.332 (Claude Code)'");
  symlinkSync(process.execPath, at('bin/node'));
  world.settings();
  world.market(REPOSITORY);
  install(world, 'trimtab@trimtab', [['user', 'cache/trimtab', VERSION]]);
  return world;
}

/** An entry of the client's list of plugins, with a folder that says its version. */
export function install(world, id, entries) {
  const path = world.at('home/.claude/plugins/installed_plugins.json');
  const list = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { version: 2, plugins: {} };
  list.plugins[id] = entries.map(([scope, folder, version, projectPath]) => {
    world.json(`home/${folder}/.claude-plugin/plugin.json`, { name: 'trimtab', version });
    return { scope, installPath: world.at('home', folder), version, ...(projectPath && { projectPath }) };
  });
  writeFileSync(path, JSON.stringify(list));
}

/** What one check finds, whole. */
export async function findings(world, name) {
  const found = await CHECKS[name](createWorld(world.outside));
  // Where the folders of this run lie says nothing here.
  return JSON.parse(
    JSON.stringify(found).replaceAll(world.at('plugin'), '/plugin').replaceAll(REPOSITORY.slice(0, -1), '/plugin').replaceAll(world.at(''), ''),
  );
}

const daysAgo = (days) => new Date(NOW - days * 24 * 60 * 60 * 1000).toISOString();
/** A row of the records. */
export const row = (code, { route = 'hook', days = 0.1, detail } = {}) => ({
  time: daysAgo(days),
  version: VERSION,
  route,
  event: 'PreToolUse',
  code,
  detail,
});
/** An entry of a settings file. */
export const hookEntry = (command, matcher) => ({ ...(matcher && { matcher }), hooks: [{ type: 'command', command }] });
