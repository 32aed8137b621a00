// Starting other programs: captured, or streamed live with the text kept.
// Never uses a shell, never throws for a program that failed (the caller reads `status`), and leaves none of them running.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** An error whose text is enough for the person; `next` is what to do about it. */
export class SetupError extends Error {
  constructor(message, next) {
    super(next ? `${message}\n  next: ${next}` : message);
    this.name = 'SetupError';
  }
}

/** Runs to the end and gives `{status, stdout, stderr}`; status 127 when it could not be started. */
export function capture(command, args = [], { cwd, env, timeoutMs } = {}) {
  const done = spawnSync(command, args, {
    cwd,
    env: env ?? process.env,
    timeout: timeoutMs,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status: done.status ?? (done.error?.code === 'ENOENT' ? 127 : 1), stdout: done.stdout ?? '', stderr: done.stderr ?? '' };
}

const running = new Set();

/** Runs with its output passed on as it comes; gives `{status, output}` with the text of both streams in order of arrival. */
export function stream(command, args = [], { cwd, env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    // A group of its own, so that a limit that is over also ends what the program has started.
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const chunks = [];
    const say = (to, chunk) => {
      chunks.push(Buffer.from(chunk));
      to.write(chunk);
    };
    const timer = timeoutMs && setTimeout(() => {
      say(process.stderr, `${command} took more than ${timeoutMs / 1000} seconds and was ended\n`);
      endGroup(child);
    }, timeoutMs);
    const end = (status) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ status, output: Buffer.concat(chunks).toString('utf8') });
    };
    running.add(child);
    child.stdout.on('data', (chunk) => say(process.stdout, chunk));
    child.stderr.on('data', (chunk) => say(process.stderr, chunk));
    child.on('error', (error) => {
      say(process.stderr, `${command}: ${error.message}\n`);
      end(127);
    });
    child.on('close', (status) => end(status ?? 1));
  });
}

function endGroup(child) {
  try {
    if (process.platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of running) endGroup(child);
    process.exit(130);
  });
}

/** The full path of a program on PATH, or null. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (!folder) continue;
    for (const file of process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]) {
      try {
        accessSync(join(folder, file), constants.X_OK);
        if (statSync(join(folder, file)).isFile()) return join(folder, file);
      } catch {
        // Not in this folder: look in the next.
      }
    }
  }
  return null;
}
