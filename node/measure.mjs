// Measures the output of one read-only command that the core names: counts it and throws the text away.
// Never keeps a word of it, never lets it outlive its second.

import { readOutput } from './output.mjs';

const MAX_MS = 1000;

/**
 * @param {{ argv: string[], cwd: string, chars: number, env: Record<string, string | undefined> }} what
 * @returns {Promise<{ chars: number, lines: number, complete: boolean, exit: number | null } | null>} null if it could not be started
 */
export async function measure({ argv, cwd, chars: most = Infinity, env }) {
  let chars = 0;
  let lines = 0;
  const end = await readOutput({ argv, cwd, env, ms: MAX_MS }, (text) => {
    const counted = text.slice(0, most - chars);
    chars += counted.length;
    lines += counted.split('\n').length - 1;
    return chars < most;
  });
  return end && { chars, lines, ...end };
}
