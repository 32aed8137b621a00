// `trimtab usages`: where a name is used.

import { TOOL_OPTIONS, runTool } from './lib/tool.mjs';

export const name = 'usages';
export const summary = 'show where a name is used: definitions first, each use under the declaration around it';
export const usage = 'trimtab usages NAME [--path=PATH] [--budget=TOKENS] [--json]';
export const options = [{ name: 'path', value: 'PATH', summary: 'look in this file or folder only' }, ...TOOL_OPTIONS];
export const details = 'A name is a word, not a binding: two things of one name are both listed.';

/** @type {import('./lib/help.mjs').Command['run']} */
export function run(args, io) {
  return runTool({ name, usage, options }, args, io, { main: 'name', args: ({ path }) => ({ path }) });
}
