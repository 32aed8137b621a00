// `trimtab handoff`: writes down where a session stands, as a continuation that another session can take up. `/trimtab:handoff` runs it.
// Reads the transcript and `git status`, and writes one file in `~/.trimtab/weight/`.

import { parseOptions } from './lib/options.mjs';
import { transcriptOf } from './lib/transcripts.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'handoff';
export const summary = 'write down where a session stands: goal, edits, errors, tasks';
export const usage = 'trimtab handoff [--session=ID]';
export const options = [{ name: 'session', value: 'ID', summary: 'of that session; else the one that this shell belongs to, or the last of this folder' }];
export const details = '`trimtab resume` brings it back, in this session or another one of the same folder.';

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`handoff\` takes no \`${rest[0]}\``);
  const session = idOf(values.session) ?? idOf(env.CLAUDE_CODE_SESSION_ID);
  const path = transcriptOf({ env, cwd, session });
  if (path === undefined) throw new UserError(`no transcript of ${session ? `session \`${session}\`` : 'this folder'} was found; the client keeps them in \`~/.claude/projects\``);
  const { createWeight } = await import('../node/weight.mjs');
  const weight = createWeight({ env, cwd });
  const { done } = await weight.ask({ do: 'moment', moment: 'handoff', path, now: Date.now() });
  if (typeof done.text !== 'string') throw new UserError(`nothing was written down (${done.why === 'off' ? '`weight.enabled` is `false`' : done.why})`);
  stdout.write(done.text);
}

/** An id, and not what a client left of a variable that it does not know. */
function idOf(text) {
  return /^[0-9a-f-]{36}$/.test(text ?? '') ? text : undefined;
}
