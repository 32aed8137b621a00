// Whether trimtab's own folder can be written to, and by nobody else. Looks at modes; writes nothing to find out.

import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { note, ok, problem } from '../finding.mjs';

const LOST = 'the command hooks refuse nothing that they cannot remember';
// What holds only codes and hashes is still nobody else's concern. The person's own config.json is as open as the person likes.
const OWN = /^(errors(\.\d+)?\.jsonl|sessions|scratch)$/;

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const folder = world.trimtab;
  if (folder === null) return [problem('no-home', `there is no home folder: ${LOST}`, 'set `HOME`')];
  const shown = world.shown(folder);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) {
    const error = cannotWrite(dirname(folder));
    if (error) return [problem('home-closed', `${shown} is not there and cannot be made (\`${error}\`): ${LOST}`, 'see who owns your home folder')];
    return [ok('home-empty', `${shown} is not there yet; it is made when there is something to keep`)];
  }
  if (!found.isDirectory()) return [problem('home-no-folder', `${shown} is no folder: ${LOST}`, 'move it away')];
  for (const path of [folder, join(folder, 'sessions')]) {
    const error = statSync(path, { throwIfNoEntry: false }) && cannotWrite(path);
    if (error)
      return [problem('home-closed', `${world.shown(path)} cannot be written to (\`${error}\`): ${LOST}`, 'see who owns it and what its mode is')];
  }
  const open = world.platform === 'win32' ? [] : openPaths(folder);
  if (open.length > 0)
    return open.map(({ path, mode }) =>
      note('home-open', `${world.shown(path)} has the mode ${mode}: others can look into it`, `\`chmod go= ${world.shown(path).slice(1, -1)}\``),
    );
  return [ok('home-writable', `${shown} can be written to, with the mode ${modeOf(found)}`)];
}

function openPaths(folder) {
  const paths = [
    folder,
    ...readdirSync(folder)
      .filter((name) => OWN.test(name))
      .map((name) => join(folder, name)),
  ];
  return paths
    .map((path) => ({ path, found: statSync(path, { throwIfNoEntry: false }) }))
    .filter(({ found }) => found && (found.mode & 0o077) !== 0)
    .map(({ path, found }) => ({ path, mode: modeOf(found) }));
}

function modeOf({ mode }) {
  return (mode & 0o777).toString(8);
}

function cannotWrite(path) {
  try {
    accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return error.code ?? 'unknown';
  }
}
