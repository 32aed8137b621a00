// `trimtab judge`: the core as a filter, for tables of cases and for asking "what would it say to this".
// One answer a line, in order. Writes nothing to the disk and reads no configuration but the line's own, so the same lines give the same answers.

import { once } from 'node:events';
import { loadCore } from '../node/core.mjs';
import { createHost } from '../node/host.mjs';
import { linesOf } from './lib/lines.mjs';
import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'judge';
export const summary = 'judge tool calls: one JSON object a line in, one verdict a line out';
export const usage = 'trimtab judge [--time] < calls.jsonl';
export const options = [{ name: 'time', summary: 'add `micros`, the time each decision took' }];
export const details = `A call: {"id":"1","tool":"Bash","input":{"command":"git log"},"cwd":"/repo","root":"/repo","session":"s1","config":{},"facts":{}}
Only \`tool\` and \`input\` are needed. With \`facts\` the disk is not looked at; without it the files under \`root\` are.
A text of another language (PowerShell) is read by its pack in either case.
Lines with the same \`session\` know of each other. A line that cannot be read is answered {"id":…,"error":"…"} and the rest goes on.`;

export async function run(args, { stdin, stdout, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`trimtab judge\` reads standard input, not \`${rest[0]}\`; use \`trimtab judge < ${rest[0]}\``);
  const { core, drive } = await loadCore();
  const states = new Map();

  for await (const line of linesOf(stdin)) {
    const started = performance.now();
    const verdict = await verdictOf(line);
    if (values.time && !verdict.error) verdict.micros = Math.round((performance.now() - started) * 1000);
    if (!stdout.write(`${JSON.stringify(verdict)}\n`)) await once(stdout, 'drain');
  }

  async function verdictOf(line) {
    const { call, id, error } = readCall(line);
    if (error) return { id, error };
    const outcome = await drive(core, { do: 'judge', call, intents: true }, answerOf(call));
    if (outcome.error) return { id, error: outcome.error.message };
    for (const { effect, session, state } of outcome.effects ?? []) if (effect === 'save') states.set(session, state);
    const { verdict, rule = null, kind = null, why, text, input, tool, saves, intents } = outcome.done;
    return { id, verdict, rule, kind, why, text, input, tool, saves, intents };
  }

  // The disk as it is, but neither the person's configuration nor the memory of real sessions.
  function answerOf(call) {
    const host = createHost({ cwd: call.cwd ?? call.root ?? cwd, root: call.root, env: { ...env, CLAUDE_PROJECT_DIR: undefined }, home: null });
    // The person asks, so whatever the person can read may be shown; and what a session would keep is only named.
    const answerPack = (ask) => {
      if (ask.ask === 'may-read') return { allowed: ask.paths.map(() => true) };
      return ask.ask === 'keep' ? { path: `trimtab-results/${ask.name}` } : host.answer(ask);
    };
    return async (ask) => {
      if (ask.ask === 'condense') return (await import('../node/results.mjs')).condensedOf(ask, call, answerPack);
      if (ask.ask === 'config') return { layers: [] };
      if (ask.ask === 'state') return { state: states.get(ask.session) ?? null };
      return host.answer(ask);
    };
  }
}

/** The line's call, or what is wrong with it. The id goes back as it came, whatever its type, and is nothing the core needs. */
function readCall(line) {
  let call;
  if (line.trim() === '') return { id: null, error: 'an empty line; write one object a line' };
  try {
    call = JSON.parse(line);
  } catch {
    return { id: null, error: `not JSON: ${quoted(line)}; write one object a line` };
  }
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return { id: null, error: `not an object: ${quoted(line)}; write one object a line` };
  const { id = null, ...rest } = call;
  if (typeof call.tool !== 'string') return { id, error: `\`tool\` is ${quoted(JSON.stringify(call.tool))}; it must be a name such as "Bash"` };
  return { id, call: rest };
}

function quoted(text = 'missing') {
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}
