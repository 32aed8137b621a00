// `trimtab doctor`: why trimtab does, or does not, answer here. The checks are in doctor/.
// Starts nothing but `claude --version` and `node --version`, changes nothing, and never prints what a file holds.

import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

export const name = 'doctor';
export const summary = 'say which route answers here and why, and what is wrong, with the next step for each problem';
export const usage = 'trimtab doctor [--json] [--client=PATH]';
export const options = [
  { name: 'json', summary: 'print the findings as JSON' },
  { name: 'client', value: 'PATH', summary: 'the client to look at; the first `claude` on the PATH if not said' },
];
export const details = `Looks as a session would that is started in this folder with this environment.
It cannot see \`--plugin-dir\`, \`--settings\`, and policies from a server, a plist or the registry.
Ends with 0 if all is well (notes included), 1 if there is a problem, 2 if it could not look.`;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`trimtab doctor\` takes no \`${rest[0]}\`; \`trimtab doctor -h\` lists the options`);
  if (values.client === '') throw new UserError('`--client` is empty; give the path of a program, such as `--client=/usr/local/bin/claude`');
  // Imported here, so that help needs none of it.
  const [{ createWorld }, { runChecks }, { jsonOf, textOf }] = await Promise.all([
    import('../doctor/world.mjs'),
    import('../doctor/run.mjs'),
    import('../doctor/report.mjs'),
  ]);
  const world = createWorld({ env, cwd, client: values.client });
  const findings = await runChecks(world);
  const isColoured = Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  stdout.write(values.json ? await jsonOf(findings, world) : textOf(findings, { isColoured }));
  if (findings.some(({ code }) => code === 'check-failed')) return 2;
  return findings.some(({ level }) => level === 'problem') ? 1 : 0;
}
