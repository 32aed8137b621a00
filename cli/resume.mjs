// `trimtab resume`: prints the last continuation that was written down in this folder. `/trimtab:resume` runs it.
// Reads `~/.trimtab/weight/` and writes nothing.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { trimtabHome } from '../node/home.mjs';
import { parseOptions } from './lib/options.mjs';
import { slugOf } from './lib/transcripts.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'resume';
export const summary = 'print where the last session of this folder stood';
export const usage = 'trimtab resume [--session=ID]';
export const options = [{ name: 'session', value: 'ID', summary: 'of that session only' }];

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`resume\` takes no \`${rest[0]}\``);
  const isWanted = ({ session, transcript }) => (values.session ? session === values.session : basename(dirname(transcript)) === slugOf(cwd));
  const [last] = kept().filter(isWanted).sort((a, b) => (a.time < b.time ? 1 : -1));
  if (last === undefined) {
    stdout.write('Nothing was written down in this folder; `/trimtab:handoff` does it at any time, and trimtab by itself as a session goes.\n');
    return 1;
  }
  stdout.write(last.text);
}

function kept() {
  const folder = join(trimtabHome() ?? '', 'weight');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /^handoff-.*\.json$/.test(name)).flatMap((name) => {
    try {
      const { time, session, transcript, text } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return [time, session, transcript, text].every((field) => typeof field === 'string') ? [{ time, session, transcript, text }] : [];
    } catch {
      return []; // Swept, or being replaced.
    }
  });
}
