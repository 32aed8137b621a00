// Prints help from the tables of the commands: short for `-h`, long for `--help`.

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary one line
 * @property {string} usage
 * @property {import('./options.mjs').Option[]} options
 * @property {string} [details] paragraphs for the long help
 * @property {(args: string[], io: Io) => Promise<number | void>} run its exit code; an error is printed by bin/trimtab.mjs
 *
 * @typedef {{ stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, env: NodeJS.ProcessEnv, cwd: string }} Io
 */

const OWN = [
  { name: '-h', summary: 'short help; `--help` says more' },
  { name: '--version', summary: 'the version' },
];
const EXIT_CODES = 'Exit codes: 0 done, 1 nothing found or refused, 2 could not.';

/** @param {Command[]} commands */
export function programHelp(commands, isLong) {
  const parts = [
    'usage: trimtab <command> [options]',
    table('Commands', commands),
    table('Options', OWN),
  ];
  if (isLong) parts.push(...commands.map((command) => commandHelp(command, false)), EXIT_CODES);
  else parts.push('`trimtab <command> -h` explains one of them.');
  return `${parts.join('\n\n')}\n`;
}

/** @param {Command} command */
export function commandHelp(command, isLong) {
  const rows = command.options.map(({ name, value, summary, detail }) => ({
    name: value ? `--${name}=${value}` : `--${name}`,
    summary: isLong && detail ? `${summary}; ${detail}` : summary,
  }));
  const parts = [`usage: ${command.usage}\n${command.summary}`];
  if (isLong && command.details) parts.push(command.details);
  if (rows.length > 0) parts.push(table('Options', rows));
  if (isLong) parts.push(EXIT_CODES);
  return parts.join('\n\n');
}

function table(title, rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [`${title}:`, ...rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)].join('\n');
}
