// Gets a real Claude Code client of a given version and runs a whole session of it against the scripted model.
//
// A session runs with an emptied environment, a scratch home, a made-up key and a model on 127.0.0.1, so nothing of the person's own
// setup is read and nothing leaves the machine. The one thing that uses the network is `ensureClient`, when the version is not there yet:
// it asks the person's own npm for the official package. It never runs an install script, never touches an installed client, and never
// writes outside its cache and the scratch folder of the session.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startModelServer } from './model-server.mjs';

// Measured on linux-x64: 2.1.332 is 186 MB packed and 402 MB unpacked, 2.1.287 109 and 244, 2.1.277 104 and 234.
// The usual size is used only where the registry does not say one.
const PACKED_SHARE = 0.46;
const USUAL_UNPACKED_BYTES = 400_000_000;
// A client that is asked to end also ends the commands that it runs, which sit in process groups of their own.
const END_GRACE_MS = 2_000;

/** A failure whose message is for a person: it says what happened and what to do next. */
export class ClientError extends Error {}

/** The folder that holds downloaded clients, unless a caller names another. */
export function cacheFolder(env = process.env) {
  return env.TRIMTAB_CACHE || (env.XDG_CACHE_HOME ? join(env.XDG_CACHE_HOME, 'trimtab') : join(homedir(), '.cache', 'trimtab'));
}

/** The platform part of the client's package name, such as `linux-x64` or `linux-arm64-musl`. */
export function platformName({ platform = process.platform, arch = process.arch, isMusl = runsOnMusl() } = {}) {
  const name = `${platform}-${arch}${platform === 'linux' && isMusl ? '-musl' : ''}`;
  const known = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-arm64-musl', 'linux-x64', 'linux-x64-musl', 'win32-arm64', 'win32-x64'];
  if (!known.includes(name)) {
    throw new ClientError(`there is no Claude Code client for ${name}; it exists for ${known.join(', ')}`);
  }
  return name;
}

/**
 * The path of the client's program, downloaded first if it is not in the cache.
 *
 * @param {string} version such as `2.1.332`
 * @param {{log?: (line: string) => void, cache?: string, npm?: string}} [options] `npm`: the program to install with
 * @returns {Promise<string>}
 */
export async function ensureClient(version, { log = () => {}, cache = cacheFolder(), npm } = {}) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ClientError(`\`${version}\` is not a version of Claude Code, such as 2.1.332`);
  const platform = platformName();
  const prefix = join(cache, 'clients', version);
  const name = `@anthropic-ai/claude-code-${platform}`;
  const program = join(prefix, 'node_modules', ...name.split('/'), process.platform === 'win32' ? 'claude.exe' : 'claude');
  if (existsSync(program)) return program;

  const spec = `${name}@${version}`;
  const seen = await runNpm(npm, ['view', spec, 'dist.unpackedSize', 'version', '--json']);
  if (seen.code !== 0) throw new ClientError(npmProblem(spec, seen));
  const size = Number(parseOr(seen.stdout, {})['dist.unpackedSize']) || USUAL_UNPACKED_BYTES;
  log(
    `downloading Claude Code ${version} for ${platform}: about ${megabytes(size * PACKED_SHARE)} MB to fetch, ${megabytes(size)} MB on disk, once, into ${prefix}`,
  );
  await mkdir(prefix, { recursive: true });
  const done = await runNpm(npm, [
    'install',
    '--prefix',
    prefix,
    '--ignore-scripts',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    spec,
  ]);
  if (done.code !== 0) throw new ClientError(npmProblem(spec, done));
  if (!existsSync(program)) {
    throw new ClientError(`npm installed ${spec}, but there is no ${program}; remove ${prefix} and try again`);
  }
  return program;
}

/**
 * Runs one whole session and gives back what the model read.
 *
 * @param {object} options
 * @param {string} options.client the program, from `ensureClient`
 * @param {import('./model-server.mjs').Script} options.script what the model does
 * @param {string[]} [options.plugins] plugin folders, loaded with `--plugin-dir`
 * @param {string} [options.cwd] the project; an empty scratch folder if left out
 * @param {string} [options.home] a home that the caller made; an empty scratch folder if left out
 * @param {Record<string, string>} [options.env] variables beside the few that a session needs
 * @param {string[]} [options.args] further arguments of the client
 * @param {object} [options.settings] settings for `--settings`; nothing is written into a given home
 * @param {string} [options.permissionMode] `default` unless named
 * @param {string | string[]} [options.prompt] several prompts are sent one after the other in the same session
 * @param {number} [options.timeoutMs] after which the session is ended and the call fails
 * @returns {Promise<Session>}
 *
 * @typedef {object} Session
 * @property {import('./model-server.mjs').Request[]} requests every request, in order, with its conversation
 * @property {object[]} events the client's stream-json lines
 * @property {Result[]} results one for each tool call of the script that was answered, in the order in which the model read them
 * @property {string} debug the client's debug log
 * @property {number | null} exitCode
 * @property {string} stderr
 *
 * @typedef {object} Result
 * @property {string} id
 * @property {string} tool
 * @property {object} input
 * @property {string} text the tool_result as the model got it (blocks other than text as JSON)
 * @property {boolean} isError
 * @property {string} conversation `main` or the agent's marker
 * @property {number} turn the turn of the script that made the call
 * @property {string[]} notes what the client told the model beside the results of that turn (reminders, context from hooks)
 */
export async function runSession({
  client,
  script,
  plugins = [],
  cwd,
  home,
  env = {},
  args = [],
  settings,
  permissionMode = 'default',
  prompt = 'Go on.',
  timeoutMs = 120_000,
}) {
  const scratch = await mkdtemp(join(tmpdir(), 'trimtab-lab-'));
  const server = await startModelServer(script);
  try {
    const homeFolder = home ?? join(scratch, 'home');
    const project = cwd ?? join(scratch, 'project');
    const temp = join(scratch, 'tmp');
    for (const folder of [homeFolder, project, temp]) await mkdir(folder, { recursive: true });
    const debugFile = join(scratch, 'debug.txt');
    const prompts = Array.isArray(prompt) ? prompt : [prompt];
    const command = ['--print', '--output-format', 'stream-json', '--verbose', '--debug-file', debugFile, '--permission-mode', permissionMode];
    for (const plugin of plugins) command.push('--plugin-dir', plugin);
    if (settings) {
      const file = join(scratch, 'settings.json');
      await writeFile(file, JSON.stringify(settings));
      command.push('--settings', file);
    }
    // One prompt goes the ordinary way; several need the streaming one, where a session waits for the next.
    if (prompts.length > 1) command.push('--input-format', 'stream-json', ...args);
    else command.push(...args, '--', prompts[0]);
    const finished = await runClient(client, command, {
      cwd: project,
      env: sessionEnvironment({ home: homeFolder, temp, url: server.url, more: env }),
      prompts: prompts.length > 1 ? prompts : [],
      timeoutMs,
    });
    const debug = await readFile(debugFile, 'utf8').catch(() => '');
    if (finished.isTimedOut) {
      const error = new ClientError(`the session did not end within ${timeoutMs} ms and was stopped`);
      // For who looks into it; not enumerable, because an error that nobody catches is printed with all that is.
      const seen = { debug, stderr: finished.stderr, events: finished.events, requests: server.requests };
      throw Object.defineProperties(error, Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, { value }])));
    }
    return {
      requests: server.requests,
      events: finished.events,
      results: resultsOf(server),
      debug,
      exitCode: finished.code,
      stderr: finished.stderr,
    };
  } finally {
    await server.close();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
  }
}

/** The whole environment of a session: what a program needs to start, what the caller adds, and what keeps it to the scripted model. */
export function sessionEnvironment({ home, temp, url, more }) {
  const kept =
    process.platform === 'win32'
      ? ['Path', 'PATH', 'PATHEXT', 'SystemRoot', 'windir', 'COMSPEC', 'ProgramFiles', 'CLAUDE_CODE_GIT_BASH_PATH']
      : ['PATH'];
  const env = {};
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return {
    ...env,
    TMPDIR: temp,
    TEMP: temp,
    TMP: temp,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : process.env.SHELL,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...more,
    HOME: home,
    USERPROFILE: home,
    ANTHROPIC_API_KEY: 'sk-ant-lab-made-up-key',
    ANTHROPIC_BASE_URL: url,
    NO_PROXY: '127.0.0.1',
  };
}

function runClient(client, command, { cwd, env, prompts, timeoutMs }) {
  return new Promise((resolve, reject) => {
    // A group of its own, so that whatever the session started is ended with it.
    const child = spawn(client, command, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const events = [];
    let stdout = '';
    let stderr = '';
    let rest = '';
    let isTimedOut = false;
    let asked = 0;
    let killTimer;
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill('SIGTERM');
      killTimer = setTimeout(() => endGroup(child), END_GRACE_MS);
    }, timeoutMs);
    const ask = () => {
      if (asked < prompts.length) {
        const message = { type: 'user', message: { role: 'user', content: prompts[asked++] }, parent_tool_use_id: null, session_id: '' };
        child.stdin.write(`${JSON.stringify(message)}\n`);
      } else {
        child.stdin.end();
      }
    };
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      stdout += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const event = parseOr(line, null);
        if (!event) continue;
        events.push(event);
        if (event.type === 'result') ask();
      }
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new ClientError(`could not start ${client}: ${error.message}`));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      // What the session left running (a background command) goes with it.
      if (process.platform !== 'win32') endGroup(child);
      resolve({ code, events, stdout, stderr, isTimedOut });
    });
    ask();
  });
}

export function endGroup(child) {
  try {
    if (process.platform === 'win32') spawn('taskkill', ['/PID', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

/** The tool results in the order in which the model read them, with what the client said beside them. */
export function resultsOf(server) {
  const results = new Map();
  for (const { conversation, body } of server.requests) {
    if (conversation === 'side') continue;
    let reached = [];
    for (const message of body.messages) {
      if (message.role === 'assistant') {
        reached = [];
        continue;
      }
      const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
      for (const block of blocks) {
        if (block.type === 'text') {
          for (const result of reached) if (!result.notes.includes(block.text)) result.notes.push(block.text);
          continue;
        }
        if (block.type !== 'tool_result') continue;
        const call = server.calls.get(block.tool_use_id);
        if (!call) continue;
        const result = results.get(block.tool_use_id) ?? {
          id: block.tool_use_id,
          tool: call.tool,
          input: call.input,
          text: resultText(block.content),
          isError: block.is_error === true,
          conversation: call.conversation,
          turn: call.turn,
          notes: [],
        };
        results.set(block.tool_use_id, result);
        reached.push(result);
      }
    }
  }
  return [...results.values()];
}

function resultText(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n');
}

function runNpm(npm, args) {
  const isWindows = process.platform === 'win32';
  const beside = join(dirname(process.execPath), isWindows ? 'npm.cmd' : 'npm');
  const program = npm ?? (existsSync(beside) ? beside : 'npm');
  // npm is a batch file on Windows, which only a shell can start; a shell takes a path with spaces apart unless it is quoted.
  const word = (text) => (isWindows && /\s/.test(text) ? `"${text}"` : text);
  return new Promise((resolve) => {
    const child = spawn(word(program), args.map(word), { stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', (error) => resolve({ code: 2, stdout, stderr: error.message }));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function npmProblem(spec, { stderr }) {
  const line = stderr.split('\n').find((text) => /npm (ERR!|error) (?!code )/.test(text) && !/A complete log/.test(text)) ?? stderr.split('\n')[0];
  return `npm could not get ${spec} (${line.trim() || 'no reason given'}); check the network and \`npm config get registry\`, then try \`npm view ${spec}\``;
}

function megabytes(bytes) {
  return Math.round(bytes / 1_000_000);
}

function parseOr(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function runsOnMusl() {
  if (process.platform !== 'linux') return false;
  return !process.report?.getReport?.().header?.glibcVersionRuntime;
}
