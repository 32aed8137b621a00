// A throw-away copy of the plugin with a pretend core, a home and a project of its own, so that a test decides what the core says
// and nothing of the person who runs the tests leaks in or out.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hookCommand, promptCommand } from '../../../scripts/lib/hook-command.mjs';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = ['bin', 'cli', 'glue', 'hooks', 'node', 'package.json'];
const EMPTY_WASM = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** A folder that is gone when the test is over. */
export function scratch(test) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-test-')));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {import('node:test').TestContext} test
 * @param {object} [how]
 * @param {string} [how.core] the body of `answer(request)` of the pretend core; left out = no `pkg/` at all
 * @param {boolean} [how.isReal] with the built core instead
 * @param {string} [how.name] the name of the plugin's folder
 */
export function makePlugin(test, { core, isReal = false, name = 'plugin' } = {}) {
  const folder = scratch(test);
  const root = join(folder, name);
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  for (const made of [root, home, project]) mkdirSync(made);
  for (const part of isReal ? [...PARTS, 'pkg'] : PARTS) cpSync(join(REPOSITORY, part), join(root, part), { recursive: true });
  if (core !== undefined) pretend(join(root, 'pkg'), core);

  const recordsFile = join(home, '.trimtab', 'errors.jsonl');
  const asClient = (command, input, { shell = ['sh'], env = {}, cwd = project }) =>
    run([...shell, '-c', command], { input, cwd, env: { PATH: dirname(process.execPath) + ':/usr/bin:/bin', HOME: home, CLAUDE_PLUGIN_ROOT: root, SHLVL: '2', ...env } });
  return {
    root,
    home,
    project,
    /** The rows of the records, or nothing. */
    records: () => (existsSync(recordsFile) ? readFileSync(recordsFile, 'utf8').trimEnd().split('\n').map((row) => JSON.parse(row)) : []),

    /** Runs the command that hooks.json holds, as the client would. SHLVL, because bash takes an input that is a socket for a login from afar. */
    hook: (input, { event = 'PreToolUse', tool = 'Bash', words, ...how } = {}) => asClient(hookCommand(event, tool, words), input, how),

    /** The same with the command of UserPromptSubmit. */
    prompt: (input, how = {}) => asClient(promptCommand(), input, how),

    /** Runs the command line. */
    cli: (args, { input = '', env = {}, cwd = project } = {}) =>
      run([process.execPath, join(root, 'bin/trimtab.mjs'), ...args], { input, cwd, env: { PATH: process.env.PATH, HOME: home, ...env } }),
  };
}

function pretend(folder, answer) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'trimtab_bg.wasm'), EMPTY_WASM);
  writeFileSync(
    join(folder, 'trimtab.js'),
    `export function initSync() {}
     export function __wbg_reset_state() {}
     export function step(text) { const request = JSON.parse(text); return JSON.stringify(request.do === 'check' ? { v: 1, ok: true, version: 'pretend' } : answer(request)); }
     function answer(request) { ${answer} }\n`,
  );
}

/** @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} */
export function run([program, ...args], { input = '', cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
    // A hook that steps aside never reads its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
