// `trimtab statusline`: one line for the client's own status line, out of the JSON that the client gives to such a command.
// Prints what is known and leaves out the rest, nothing at all where it is nothing; writes no file and never fails. No colours: what it
// writes to is a pipe, and the client draws the line.

import { parseOptions } from './lib/options.mjs';

const MAX_BYTES = 262_144;

export const name = 'statusline';
export const summary = 'print context, savings and limits in one line, for `statusLine` of the client\'s settings';
export const usage = 'trimtab statusline';
export const options = [];
export const details = `In \`~/.claude/settings.json\`: {"statusLine": {"type": "command", "command": "node <folder of the plugin>/bin/trimtab.mjs statusline"}}.
It reads on standard input what the client gives to a status line. Where it shows, the module's band above the prompt stays out.`;
export const failsOpen = true;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdin, stdout, env, cwd }) {
  parseOptions(options, args);
  const { session_id: session, context_window: context, rate_limits: limits } = await objectOf(stdin);
  const [{ rulesOf }, { createWeight }] = await Promise.all([import('../node/tally.mjs'), import('../node/weight.mjs')]);
  const rules = typeof session === 'string' ? await rulesOf(session).catch(() => undefined) : undefined;
  const live = { tokens: count(context?.total_input_tokens), window: count(context?.context_window_size) };
  const { done } = await createWeight({ env, cwd }).ask({ do: 'line', live, told: { ...(rules && { rules }), limits: limitsOf(limits) } });
  if (done.text) stdout.write(`${done.text}\n`);
}

async function objectOf(stdin) {
  let text = '';
  for await (const piece of stdin.setEncoding('utf8')) {
    text += piece;
    if (text.length > MAX_BYTES) return {};
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function limitsOf(limits) {
  const told = Object.entries(Object(limits)).map(([kind, limit]) => ({ kind, percent: limit?.used_percentage }));
  return told.filter(({ percent }) => Number.isFinite(percent));
}

/** Before the first answer the client says 0, which nobody measured. */
function count(value) {
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
