// Reads a command's arguments by its table of options, the same table that its help is printed from.

import { didYouMean } from './suggest.mjs';
import { UserError } from './user-error.mjs';

/**
 * @typedef {{ name: string, value?: string, summary: string, detail?: string }} Option `value` names what `--name=VALUE` takes; without it the option is a switch
 */

/**
 * @param {Option[]} options
 * @param {string[]} args
 * @returns {{ values: Record<string, string | boolean>, rest: string[] }}
 */
export function parseOptions(options, args) {
  const values = {};
  const rest = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === '--') return { values, rest: rest.concat(args.slice(at + 1)) };
    if (!arg.startsWith('-') || arg === '-') {
      rest.push(arg);
      continue;
    }
    const [, flag, inline] = /^([^=]*)(?:=([^]*))?$/.exec(arg);
    const option = options.find(({ name }) => `--${name}` === flag);
    if (!option) throw new UserError(`unknown option \`${flag}\`${didYouMean(flag, options.map(({ name }) => `--${name}`)) || '; `-h` lists the options'}`);
    if (!option.value) {
      if (inline !== undefined) throw new UserError(`\`${flag}\` takes no value, got \`${inline}\`; leave it out`);
      values[option.name] = true;
    } else {
      const value = inline ?? args[(at += 1)];
      if (value === undefined) throw new UserError(`\`${flag}\` needs a value: \`${flag}=${option.value}\``);
      values[option.name] = value;
    }
  }
  return { values, rest };
}
