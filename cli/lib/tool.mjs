// Runs one code tool (packs/answers) for a person at the command line, over the Node host.
// The person asks, so whatever the person can read may be shown; nothing is remembered between two calls.

import { parseOptions } from './options.mjs';
import { UserError } from './user-error.mjs';

/** Options of every code tool. */
export const TOOL_OPTIONS = [
  { name: 'budget', value: 'TOKENS', summary: 'how long the answer may be, in tokens', detail: '2,000 unless said otherwise; `--json` has no limit' },
  { name: 'json', summary: 'print what was found as JSON' },
];

const MAX_BUDGET = 1_000_000;

/**
 * @param {import('./help.mjs').Command} command
 * @param {string[]} given
 * @param {import('./help.mjs').Io} io
 * @param {{ main: string, args: (values: Record<string, string | boolean>) => object }} tool `main`: the argument that stands without a name
 * @returns {Promise<number>}
 */
export async function runTool(command, given, { stdout, env, cwd }, { main, args }) {
  const { values, rest } = parseOptions(command.options, given);
  if (rest.length !== 1) {
    const what = rest.length === 0 ? `needs what it is to look for` : `takes one thing to look for, not ${rest.length}`;
    throw new UserError(`\`trimtab ${command.name}\` ${what}: \`${command.usage}\``);
  }
  // Here and not at the top, so that help needs nothing that is built.
  const [{ callTool, createAnswers }, { drive }, { createHost }, { packOf }] = await Promise.all([
    import('../../glue/answers.js'),
    import('../../glue/core.js'),
    import('../../node/host.mjs'),
    import('../../node/packs.mjs'),
  ]);
  const host = createHost({ cwd, env: { ...env, CLAUDE_PROJECT_DIR: undefined } });
  const answer = (ask) => (ask.ask === 'may-read' ? { allowed: ask.paths.map(() => true) } : host.answer(ask));
  const call = { tool: command.name, args: { [main]: rest[0], ...args(values) }, budget: budgetOf(values) };
  const { text, data, found, error } = await callTool(drive, createAnswers(await packOf('answers')), call, answer);
  if (error !== undefined) throw new UserError(error);
  stdout.write(values.json ? `${JSON.stringify(data, null, 2)}\n` : `${text}\n`);
  return found ? 0 : 1;
}

function budgetOf({ budget, json }) {
  if (budget === undefined) return json ? MAX_BUDGET : undefined;
  if (!/^[1-9]\d{0,6}$/.test(budget)) throw new UserError(`\`--budget\` is \`${budget}\`; it must be a number of tokens, such as 2000`);
  return Number(budget);
}
