// The content of hooks/hooks.json for a list of what the rules concern. Reads and writes nothing.

import { hookCommand, promptCommand } from './hook-command.mjs';

// Twice the time that node/hook.mjs allows itself, so that the end is ours and leaves a record.
const TIMEOUT_S = 10;

/** @param {{ bash: string[], powershell: string[], read: string[] }} programs the core's answer to `programs` */
export function hooksOf({ bash, powershell, read }) {
  const hook = (tool, filter, words, event = 'PreToolUse') => ({ type: 'command', command: hookCommand(event, tool, words), ...filter, timeout: TIMEOUT_S });
  // A path has one ending, so at most one entry matches.
  const reads = (event) => read.map((extension) => hook('Read', { if: `Read(*.${extension})` }, undefined, event));
  const content = {
    description: 'Judges Bash, Grep, PowerShell and Read calls in process and tells how heavy the session is; where the module cannot run, the command hooks below do the same.',
    modules: ['../mod/register.ts'],
    hooks: {
      PreToolUse: [
        // No `if` per program: the client runs every entry whose pattern matches, equal commands too, so `cat f | grep x` would be judged
        // twice, and a here-document once for each entry; and no pattern sees through `sudo` (2.1.277, 2.1.287 and 2.1.332). The shell that
        // the hook starts in any case looks for the names instead.
        { matcher: 'Bash', hooks: [hook('Bash', {}, bash)] },
        // A search that lists files or counts concerns no rule.
        { matcher: 'Grep', hooks: [hook('Grep', {}, ['content'])] },
        // Its commands have any case.
        { matcher: 'PowerShell', hooks: [hook('PowerShell', {}, powershell.map(inAnyCase))] },
        { matcher: 'Read', hooks: reads('PreToolUse') },
      ],
      // What a large Read showed is made an outline here, because it was allowed by then.
      PostToolUse: [{ matcher: 'Read', hooks: reads('PostToolUse') }],
      UserPromptSubmit: [{ hooks: [{ type: 'command', command: promptCommand(), timeout: TIMEOUT_S }, ofSession('UserPromptSubmit')] }],
      Stop: [{ hooks: [ofSession('Stop')] }],
      PreCompact: [{ hooks: [ofSession('PreCompact')] }],
      // At any other start nothing was said or kept yet.
      SessionStart: [{ matcher: 'compact', hooks: [ofSession('SessionStart')] }],
      SessionEnd: [{ hooks: [ofSession('SessionEnd')] }],
    },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** What concerns the session as a whole, and no tool. */
function ofSession(event) {
  return { type: 'command', command: hookCommand(event, 'session'), timeout: TIMEOUT_S };
}

/** A pattern of the shell: `[Gg][Cc]`. */
function inAnyCase(word) {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
