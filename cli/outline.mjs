// `trimtab outline`: what a file declares, or the map of a folder, from the packs that the agent's tools use.

import { TOOL_OPTIONS, runTool } from './lib/tool.mjs';

export const name = 'outline';
export const summary = 'show what a source file declares, with signatures and line ranges; of a folder, a map of its files';
export const usage = 'trimtab outline FILE|FOLDER [--budget=TOKENS] [--json]';
export const options = TOOL_OPTIONS;

/** @type {import('./lib/help.mjs').Command['run']} */
export function run(args, io) {
  return runTool({ name, usage, options }, args, io, { main: 'path', args: () => ({}) });
}
