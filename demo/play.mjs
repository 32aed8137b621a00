// Plays the demo: the same session of a real client twice, without and with trimtab, in scratch homes and against the scripted model.
// Everything that it hands back was measured in these two sessions, but for the rule's name: a refusal does not carry it, so
// `trimtab judge` is asked about the same calls in the same order, and its words are compared with what the model read.

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClientError, runSession } from '../lab/client.mjs';
import { GIT_ENV } from './project.mjs';
import { callsOf, PROMPT, scriptOf } from './script.mjs';

const PLUGIN = fileURLToPath(new URL('../', import.meta.url));
// A session takes seconds; an older client on a busy machine took 30 s.
const TIMEOUT_MS = 300_000;

/** The scratch folder of each session, of one length, because the client writes its home into every request. */
export const FOLDERS = { without: 'plain', with: 'added' };

/**
 * @typedef {{ calls: ReturnType<typeof callsOf>, session: import('../lab/client.mjs').Session }} Run
 */

/**
 * @param {object} options
 * @param {string} options.client the program
 * @param {string} options.project
 * @param {string} options.scratch
 * @param {import('./script.mjs').Step[]} options.steps
 * @param {boolean} [options.keeps] what the model read and the debug log are written into `scratch`
 * @param {(line: string) => void} options.log
 * @param {AbortSignal} [options.signal] ends the play; a session that is under way ends first
 * @param {string} [options.plugin]
 * @returns {Promise<{ without: Run, with: Run, verdicts: object[] }>} `verdicts`: what `trimtab judge` says of each call of the run with trimtab
 */
export async function play({ client, project, scratch, steps, keeps = false, log, signal, plugin = PLUGIN }) {
  const runs = {};
  for (const [name, plugins] of [['without', []], ['with', [plugin]]]) {
    const calls = callsOf(steps, name === 'with');
    log(`playing the session ${name} trimtab: ${calls.length} calls`);
    const folder = join(scratch, FOLDERS[name]);
    const started = performance.now();
    const session = await playOne({ name, client, script: scriptOf(calls), project, folder, plugins, keeps, signal });
    if (signal?.aborted) throw new ClientError('stopped');
    log(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    runs[name] = { calls, session };
  }
  return { ...runs, verdicts: await judge(runs.with.calls, project, scratch, plugin) };
}

async function playOne({ name, client, script, project, folder, plugins, keeps, signal }) {
  await mkdir(join(folder, 'home'), { recursive: true });
  let session;
  try {
    session = await runSession({
      client,
      script,
      plugins,
      cwd: project,
      home: join(folder, 'home'),
      prompt: PROMPT,
      // The client's own account of which command hook answered what.
      args: ['--include-hook-events'],
      env: GIT_ENV,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw new ClientError('stopped', { cause: error });
    if (keeps && error.debug !== undefined) await writeFile(join(folder, 'debug.txt'), error.debug);
    throw new ClientError(`the session ${name} trimtab failed: ${error.message}${keeps ? '' : '; `--keep` keeps its debug log'}`, { cause: error });
  }
  if (keeps) {
    await writeFile(join(folder, 'debug.txt'), session.debug);
    await writeFile(join(folder, 'requests.json'), JSON.stringify(session.requests, null, 1));
  }
  const missing = script.main.length - 1 - session.results.length;
  if (session.exitCode !== 0 || missing > 0) {
    const why = session.stderr.trim().split('\n')[0] || `${missing} calls were not answered`;
    throw new ClientError(`the session ${name} trimtab ended with ${session.exitCode} (${why})${keeps ? `; see ${join(folder, 'debug.txt')}` : '; `--keep` keeps its debug log'}`);
  }
  return session;
}

/** One verdict a call, from the command line as anybody can run it. */
function judge(calls, project, scratch, plugin) {
  const lines = calls.map(({ tool, input }, id) => JSON.stringify({ id, tool, input, cwd: project, root: project, session: 'demo' }));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(plugin, 'bin', 'trimtab.mjs'), 'judge'], {
      cwd: project,
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, HOME: scratch, ...GIT_ENV },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout.trim().split('\n').map((line) => JSON.parse(line)));
      else reject(new ClientError(`\`trimtab judge\` ended with ${code}: ${stderr.trim().replace(/^trimtab: /, '')}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(`${lines.join('\n')}\n`);
  });
}
