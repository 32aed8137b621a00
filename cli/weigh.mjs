// `trimtab weigh`: how heavy a session is and what made it so, read from its transcript.
// Reads that one file and the configuration, writes nothing, and names nothing of the transcript but tools and turns.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'weigh';
export const summary = 'tell how heavy a session is, and which results make it so';
export const usage = 'trimtab weigh <transcript.jsonl> [--json]';
export const options = [{ name: 'json', summary: 'print the figures as one JSON object' }];
export const details = `The context is what the last request held, or what a compaction left until the next answer. Results are ranked by their size times
the turns that carried them; their tokens are reckoned at four characters each. \`complete\` is false where a line could not be read.`;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length !== 1) throw new UserError('`weigh` takes one transcript: `trimtab weigh <transcript.jsonl>`');
  const path = resolve(cwd, rest[0]);
  if (!existsSync(path)) throw new UserError(`there is no \`${rest[0]}\`; name a transcript, such as \`~/.claude/projects/<folder>/<session>.jsonl\``);
  if (!path.endsWith('.jsonl')) throw new UserError(`\`${rest[0]}\` is no transcript (\`.jsonl\`)`);

  const [{ createWeight, configOf }, { rulesOf }] = await Promise.all([import('../node/weight.mjs'), import('../node/tally.mjs')]);
  const { config } = await configOf({ env, root: cwd });
  const told = { rules: await rulesOf(basename(path, '.jsonl')) };
  const { done } = await createWeight({ env, cwd }).ask({ do: 'weigh', path, config, told });
  if (done.figures === undefined) throw new UserError(`\`${rest[0]}\` could not be weighed (${done.why})`);
  stdout.write(values.json ? `${JSON.stringify(done.figures)}\n` : `${done.text}\n`);
  return done.figures.contextTokens === null && done.figures.turns === 0 ? 1 : 0;
}
