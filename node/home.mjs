// Where trimtab keeps its own files for the person: `~/.trimtab`. Creates nothing.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** @returns {string | null} null where there is no home, or one that would land in the project */
export function trimtabHome() {
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, '.trimtab') : null;
  } catch {
    return null;
  }
}
