// Programs that see another machine than there is: with managed settings, or with a folder that cannot be written to.
// What they see exists in a mount namespace of theirs alone; the rest of the machine sees nothing of it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** False, or why there is no mount namespace here. */
export function cannotMount() {
  const tried = spawnSync(
    'unshare',
    ['-m', '--propagation', 'private', 'mount', '-t', 'overlay', 'overlay', '-o', `lowerdir=${tmpdir()}:/etc`, '/etc'],
    { stdio: 'ignore' },
  );
  return tried.status === 0 ? false : 'this user cannot have a mount namespace';
}

/**
 * @param {string} folder in which the wrapper gets a folder of its own
 * @param {string} program
 * @param {string} mount a line of the shell; the program starts after it
 * @returns {string} a program that is the given one in a namespace of its own
 */
export function inNamespace(folder, program, mount) {
  const wrapper = join(mkdtempSync(join(folder, 'namespace-')), 'program.sh');
  writeFileSync(wrapper, `#!/bin/sh\nexec unshare -m --propagation private sh -c "${mount}"' && exec "$@"' sh '${program}' "$@"\n`, { mode: 0o755 });
  return wrapper;
}

/** The same, on a machine with these managed settings. */
export function onManagedMachine(folder, program, settings) {
  const etc = mkdtempSync(join(folder, 'etc-'));
  mkdirSync(join(etc, 'claude-code'));
  writeFileSync(join(etc, 'claude-code/managed-settings.json'), JSON.stringify(settings));
  return inNamespace(folder, program, `mount -t overlay overlay -o 'lowerdir=${etc}:/etc' /etc`);
}
