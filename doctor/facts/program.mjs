// Starts a program to hear its version, with a time limit and no input, and looks programs up as a shell would.
// Never starts anything with another argument than the one it is given, and ends what it started, with all that belongs to it.

import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const MAX_CHARS = 4096;

/**
 * @param {string} program
 * @param {{ env: Record<string, string | undefined>, cwd: string, platform: NodeJS.Platform, maxMs: number }} world
 * @returns {Promise<{ stdout: string, code: number | null, error?: string }>} `error`: a code of the system, or `timeout`
 */
export function versionOf(program, { env, cwd, platform, maxMs }) {
  return new Promise((resolve) => {
    // A batch file needs a shell, which takes a path with spaces apart unless it is quoted.
    const isBatch = platform === 'win32' && /\.(cmd|bat)$/i.test(program);
    let child;
    try {
      child = spawn(isBatch ? `"${program}"` : program, ['--version'], {
        cwd,
        env: { ...env, NODE_OPTIONS: undefined, DISABLE_AUTOUPDATER: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
        shell: isBatch,
        windowsHide: true,
        // A group of its own, so that a wrapper is ended with what it started.
        detached: platform !== 'win32',
      });
    } catch (error) {
      resolve({ stdout: '', code: null, error: error.code ?? 'unknown' });
      return;
    }
    let stdout = '';
    const finish = (found) => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve({ stdout, code: null, ...found });
    };
    const timer = setTimeout(() => {
      end(child, platform);
      finish({ error: 'timeout' });
    }, maxMs);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (stdout.length < MAX_CHARS) stdout += text;
    });
    child.on('error', (error) => finish({ error: error.code ?? 'unknown' }));
    child.on('close', (code) => finish({ code }));
  });
}

/** The first program of that name on the PATH, or null. */
export function onPath(name, { env, platform }) {
  const isWindows = platform === 'win32';
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = isWindows ? (env.PATHEXT || '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending.toLowerCase()}`);
      if (isProgram(path)) return path;
    }
  }
  return null;
}

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function end(child, platform) {
  try {
    if (platform === 'win32') child.kill();
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
