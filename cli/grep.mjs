// `trimtab grep`: lines by file and by the declaration around them.

import { TOOL_OPTIONS, runTool } from './lib/tool.mjs';

export const name = 'grep';
export const summary = 'search for a text or a regular expression, by file and the declaration around each line';
export const usage = 'trimtab grep PATTERN [--regex] [--ignore-case] [--path=PATH] [--budget=TOKENS] [--json]';
export const options = [
  { name: 'regex', summary: 'take the pattern as a regular expression' },
  { name: 'ignore-case', summary: 'in upper and lower case' },
  { name: 'path', value: 'PATH', summary: 'look in this file or folder only' },
  ...TOOL_OPTIONS,
];

/** @type {import('./lib/help.mjs').Command['run']} */
export function run(args, io) {
  const toArgs = ({ regex, path, ...values }) => ({ regex, ignoreCase: values['ignore-case'], path });
  return runTool({ name, usage, options }, args, io, { main: 'pattern', args: toArgs });
}
