// Measures the output of one read-only command that the core names: starts it without a shell, counts, and throws the text away.
// Never feeds it input, never keeps a word of it, never lets it outlive its second.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

const MAX_MS = 1000;
// Git removes its lock files when asked to stop; what does not stop when asked is killed.
const PATIENCE_MS = 100;

/**
 * @param {{ argv: string[], cwd: string, chars: number, env: Record<string, string | undefined> }} what
 * @returns {Promise<{ chars: number, lines: number, complete: boolean, exit: number | null } | null>} null if it could not be started
 */
export function measure({ argv, cwd, chars: most = Infinity, env }) {
  return new Promise((resolve) => {
    // Windows would look for the program in the project's folder first.
    if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      // A measurement takes no lock from the person's own git, waits in no pager and fetches nothing.
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const decoder = new StringDecoder('utf8');
    let chars = 0;
    let lines = 0;
    let complete = true;
    let killTimer;

    function stop() {
      if (!complete) return;
      complete = false;
      child.stdout.destroy();
      child.kill('SIGTERM');
      killTimer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    }
    const stopTimer = setTimeout(stop, MAX_MS);

    child.stdout.on('data', (bytes) => {
      const counted = decoder.write(bytes).slice(0, most - chars);
      chars += counted.length;
      lines += counted.split('\n').length - 1;
      if (chars >= most) stop();
    });
    child.on('error', () => {
      clearTimeout(stopTimer);
      resolve(null);
    });
    child.on('close', (exit) => {
      clearTimeout(stopTimer);
      clearTimeout(killTimer);
      resolve({ chars, lines, complete, exit });
    });
  });
}
