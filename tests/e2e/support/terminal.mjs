// Runs a real client as a person sees it, in a pseudo-terminal, and types into it. What the model read is looked at, and which texts were drawn.
// The pseudo-terminal is that of `script` (util-linux); a machine without it cannot run these sessions.

import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endGroup, resultsOf, sessionEnvironment } from '../../../lab/client.mjs';
import { startModelServer } from '../../../lab/model-server.mjs';

// Between a text and the key that sends it, so that the client does not take both for a paste.
const KEY_MS = 300;
const TIMEOUT_MS = 120_000;

/** False, or why there is no pseudo-terminal here. */
export function noTerminal() {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return /util-linux/.test(stdout ?? '') ? false : 'there is no `script` of util-linux here';
}

/**
 * @param {object} options as of `observe`, with `lines` in the place of `prompt`
 * @param {{ type: string | ((debug: string) => string), until: string }[]} options.lines what is typed, one after the other, or what makes it
 *   out of the debug log; the next one when `until` is in the log, counted from where this one was sent
 * @returns {Promise<{ results: object[], debug: string, screen: string }>} results as of `runSession`
 */
export async function typeInto({ client, script, plugins = [], cwd, home, env = {}, lines }) {
  const scratch = await mkdtemp(join(tmpdir(), 'trimtab-lab-'));
  const server = await startModelServer(script);
  try {
    const temp = join(scratch, 'tmp');
    await mkdir(temp);
    const debugFile = join(scratch, 'debug.txt');
    const session = sessionEnvironment({ home, temp, url: server.url, more: { ...env, TERM: 'xterm-256color' } });
    await skipQuestions(home, cwd, session.ANTHROPIC_API_KEY);
    const command = [client, '--debug-file', debugFile, '--permission-mode', 'default', ...plugins.flatMap((plugin) => ['--plugin-dir', plugin])];
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const child = spawn('script', ['-qefc', `stty rows 50 cols 160; exec ${quoted}`, '/dev/null'], { cwd, env: session, detached: true });
    const end = new Promise((resolve) => child.on('close', resolve));
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (screen += text));
    child.stdin.on('error', () => {});
    const debug = () => readFile(debugFile, 'utf8').catch(() => '');
    const timer = setTimeout(() => endGroup(child), TIMEOUT_MS);
    try {
      let from = 0;
      const until = async (text) => {
        while (!(await debug()).slice(from).includes(text)) {
          if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the client ended before \`${text}\`; the screen: ${screen.slice(-2_000)}`);
          await sleep(100);
        }
      };
      await until('REPL:mount');
      for (const line of [...lines, { type: '/exit' }]) {
        await sleep(KEY_MS);
        const before = await debug();
        from = before.length;
        child.stdin.write(typeof line.type === 'function' ? line.type(before) : line.type);
        await sleep(KEY_MS);
        child.stdin.write('\r');
        if (line.until) await until(line.until);
      }
      await end;
    } finally {
      clearTimeout(timer);
      endGroup(child);
    }
    return { results: resultsOf(server), debug: await debug(), screen };
  } finally {
    await server.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
  }
}

/** A person who has used the client before, in this folder and with this key. */
async function skipQuestions(home, cwd, key) {
  const known = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const config = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [cwd]: known },
  };
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.claude.json'), JSON.stringify(config));
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
