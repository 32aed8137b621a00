// `trimtab find`: where something is declared.

import { TOOL_OPTIONS, runTool } from './lib/tool.mjs';

export const name = 'find';
export const summary = 'find declarations by name or glob';
export const usage = 'trimtab find NAME [--kind=KIND] [--path=PATH] [--budget=TOKENS] [--json]';
export const options = [
  { name: 'kind', value: 'KIND', summary: 'only this kind: class, function, method, interface, …' },
  { name: 'path', value: 'PATH', summary: 'look in this file or folder only' },
  ...TOOL_OPTIONS,
];
export const details = '`NAME` is a name (`parse`), a glob (`*Service`), or either in a type (`Parser.*`).';

/** @type {import('./lib/help.mjs').Command['run']} */
export function run(args, io) {
  return runTool({ name, usage, options }, args, io, { main: 'name', args: ({ kind, path }) => ({ kind, path }) });
}
