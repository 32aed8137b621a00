// `trimtab hook <Event>`: a command hook by name, for settings that do not go through the plugin. The work is node/hook.mjs.
// Never ends with 2, which would block the call.

import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'hook';
export const summary = 'answer a hook of the client: its JSON on standard input, the answer (or nothing) on standard output';
export const usage = 'trimtab hook <Event> [--client=claude|codex]';
export const options = [{ name: 'client', value: 'claude|codex', summary: 'whose hook it is; claude if not said' }];
export const failsOpen = true;

const CLIENTS = ['claude', 'codex'];

export async function run(args) {
  const { values, rest } = parseOptions(options, args);
  const { client = 'claude' } = values;
  if (!CLIENTS.includes(client)) throw new UserError(`unknown client \`${client}\`; one of ${CLIENTS.map((known) => `\`${known}\``).join(', ')}`);
  if (rest.length !== 1) throw new UserError('`trimtab hook` needs the name of one event, such as `PreToolUse`');
  const { serveHook } = await import('../node/hook.mjs');
  await serveHook({ event: rest[0], client });
}
