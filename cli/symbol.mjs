// `trimtab symbol`: the exact text of one declaration.

import { TOOL_OPTIONS, runTool } from './lib/tool.mjs';

export const name = 'symbol';
export const summary = 'show the exact text of one declaration, with the line numbers of its file';
export const usage = 'trimtab symbol NAME [--file=PATH] [--budget=TOKENS] [--json]';
export const options = [{ name: 'file', value: 'PATH', summary: 'look in this file or folder only' }, ...TOOL_OPTIONS];
export const details = '`NAME` is a name, or a name with the type around it: `Parser.next`.';

/** @type {import('./lib/help.mjs').Command['run']} */
export function run(args, io) {
  return runTool({ name, usage, options }, args, io, { main: 'name', args: ({ file }) => ({ path: file }) });
}
