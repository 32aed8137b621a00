// A page in a headless Chromium that has `tests/browser/core.mjs` and the compiled core; driven by WebDriver, which is plain HTTP.
// Serves what that file loads and nothing else, on 127.0.0.1; leaves no process and no profile behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { capabilities } from '../../../scripts/lib/chromium.mjs';
import { REPO } from '../../../scripts/lib/prefix.mjs';

const SERVED = ['/glue/core.js', '/pkg/trimtab.js', '/pkg/trimtab_bg.wasm', '/tests/browser/core.mjs'];
const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const SCRIPT_LIMIT_MS = 120_000;

// Runs in the page: calls a function of core.mjs by its name, with the compiled module as the first argument.
const CALL = `const [name, args, done] = arguments;
(async () => {
  globalThis.compiling ??= WebAssembly.compileStreaming(fetch('/pkg/trimtab_bg.wasm'));
  const core = await import('/tests/browser/core.mjs');
  return { value: await core[name](await compiling, ...args) };
})().catch((error) => ({ error: String(error?.stack ?? error) })).then(done);`;

/** `{call(name, ...args), agent, close()}`; `pair` is what `findChromium` gives. */
export async function openPage(pair) {
  const undo = [];
  const close = async () => {
    while (undo.length) await undo.pop()();
  };
  try {
    const address = await serve(undo);
    const driver = await startDriver(pair, undo);
    const asked = { ...capabilities(pair), timeouts: { script: SCRIPT_LIMIT_MS } };
    const { sessionId, capabilities: got } = await send('POST', `${driver}/session`, { capabilities: { alwaysMatch: asked } });
    const session = `${driver}/session/${sessionId}`;
    undo.push(() => send('DELETE', session));
    await send('POST', `${session}/url`, { url: `${address}/` });
    const call = async (name, ...args) => {
      const { value, error } = await send('POST', `${session}/execute/async`, { script: CALL, args: [name, args] });
      assert.equal(error, undefined, `in the page: ${error}`);
      return value;
    };
    return { call, agent: `${got.browserName} ${got.browserVersion}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(undo) {
  const server = createServer(({ url }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end('<!doctype html><meta charset="utf-8"><title>trimtab</title>');
    if (!SERVED.includes(url)) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(url)]).end(readFileSync(join(REPO, url)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts chromedriver in an empty home and gives its address, which it tells by itself. */
async function startDriver({ driver }, undo) {
  const home = mkdtempSync(join(tmpdir(), 'trimtab-browser-'));
  undo.push(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const child = spawn(driver, ['--port=0'], { env: { PATH: process.env.PATH, HOME: home, TMPDIR: home }, stdio: ['ignore', 'pipe', 'inherit'], detached: process.platform !== 'win32' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  undo.push(async () => {
    // The whole group, should a browser have outlived its session.
    if (child.exitCode === null && child.pid) process.platform === 'win32' ? child.kill() : process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const port = text.match(/started successfully on port (\d+)/)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${driver} ended at once: ${text}`)));
  });
}

async function send(method, url, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
