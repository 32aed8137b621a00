// The plugin as a person gets it, by the client's own commands, and what `trimtab doctor` then says. All in a scratch home; nothing is asked
// of the network.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { sessionEnvironment } from '../../../lab/client.mjs';

/**
 * Adds a folder as a marketplace and installs trimtab from it.
 * @param {string} client
 * @param {{ plugin: string, home: string, cwd: string }} places `plugin`: the folder
 */
export function install(client, { plugin, home, cwd }) {
  for (const args of [
    ['marketplace', 'add', plugin],
    ['install', 'trimtab@trimtab'],
  ]) {
    // At port 9 nobody listens.
    const env = sessionEnvironment({ home, temp: home, url: 'http://127.0.0.1:9', more: {} });
    execFileSync(client, ['plugin', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

/**
 * @param {string} client
 * @param {{ plugin: string, home: string, cwd: string, env?: object, node?: string }} options `node`: a program that starts Node in its own way
 * @returns {{ status: number, report: object }}
 */
export function doctor(client, { plugin, home, cwd, env = {}, node = process.execPath }) {
  const { status, stdout, stderr } = spawnSync(node, [join(plugin, 'bin/trimtab.mjs'), 'doctor', '--json', `--client=${client}`], {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...env },
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return { status, report: JSON.parse(stdout) };
}
