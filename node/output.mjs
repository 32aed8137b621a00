// Starts one read-only command that the core or a pack names, without a shell, and hands on what it prints.
// Never feeds it input, never lets it outlive its time.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

// Git removes its lock files when asked to stop; what does not stop when asked is killed.
const PATIENCE_MS = 100;

/**
 * @param {{ argv: string[], cwd: string, env: Record<string, string | undefined>, ms: number }} what
 * @param {(text: string) => boolean} take false = enough
 * @returns {Promise<{ complete: boolean, exit: number | null } | null>} null if it could not be started
 */
export function readOutput({ argv, cwd, env, ms }, take) {
  return new Promise((resolve) => {
    // Windows would look for the program in the project's folder first.
    if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      // It takes no lock from the person's own git, waits in no pager and fetches nothing.
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const decoder = new StringDecoder('utf8');
    let complete = true;
    let killTimer;

    function stop() {
      if (!complete) return;
      complete = false;
      child.stdout.destroy();
      child.kill('SIGTERM');
      killTimer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    }
    const stopTimer = setTimeout(stop, ms);

    child.stdout.on('data', (bytes) => {
      if (!take(decoder.write(bytes))) stop();
    });
    child.on('error', () => {
      clearTimeout(stopTimer);
      resolve(null);
    });
    child.on('close', (exit) => {
      clearTimeout(stopTimer);
      clearTimeout(killTimer);
      resolve({ complete, exit });
    });
  });
}
