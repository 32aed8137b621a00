#!/usr/bin/env node
// The command line: finds the command in `cli/`, hands it the arguments, and is the only place that prints an error.
// Knows no command by name: what a command is called, takes and says stands in its own file.

import { readdirSync } from 'node:fs';
import { commandHelp, programHelp } from '../cli/lib/help.mjs';
import { didYouMean } from '../cli/lib/suggest.mjs';
import { UserError } from '../cli/lib/user-error.mjs';
import { CoreError } from '../node/core.mjs';
import { ownVersion } from '../node/version.mjs';

const FOLDER = new URL('../cli/', import.meta.url);

// Whoever closed the pipe has seen enough.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 2));

let command;
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof UserError || error instanceof CoreError;
  const text = isExpected ? error.message : `unexpected fault \`${error?.message}\`; please report it with the command you ran`;
  process.stderr.write(`trimtab: ${text}\n`);
  // A command hook that ends with 2 blocks the call, however wrongly it was called.
  process.exitCode = command?.failsOpen ? 0 : 2;
}

async function main([name, ...args]) {
  if (name === '--version') return print(`trimtab ${ownVersion()}\n`);
  if (name === undefined || name === '-h' || name === '--help') return print(programHelp(await Promise.all(names().map(load)), name === '--help'));
  if (!names().includes(name)) throw new UserError(`unknown command \`${name}\`${didYouMean(name, names()) || '; `trimtab -h` lists the commands'}`);

  command = await load(name);
  const help = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).find((arg) => arg === '-h' || arg === '--help');
  if (help) return print(`${commandHelp(command, help === '--help')}\n`);
  const { stdin, stdout, stderr, env } = process;
  return (await command.run(args, { stdin, stdout, stderr, env, cwd: process.cwd() })) ?? 0;
}

function names() {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length))
    .sort();
}

/** @returns {Promise<import('../cli/lib/help.mjs').Command>} */
function load(name) {
  return import(new URL(`${name}.mjs`, FOLDER));
}

function print(text) {
  process.stdout.write(text);
  return 0;
}
