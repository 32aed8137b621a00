// The command lines behind the command hooks. Generated into hooks/hooks.json and run as it is by the tests.

/**
 * @param {string} event what the hook answers
 * @param {string} tool for which tool; both together name the action that the module may have taken over
 * @param {string[]} [words] programs, patterns of the shell, at least one of which a command must name to be worth a look
 */
export function hookCommand(event, tool, words) {
  return sourcing('hook.sh', [`trimtab_event=${event} trimtab_tool=${tool}`, ...(words ? [`trimtab_words='${words.join(' ')}'`] : [])]);
}

/** The command of UserPromptSubmit, which looks whether the module still lives. */
export function promptCommand() {
  return sourcing('prompt.sh', ['trimtab_event=UserPromptSubmit']);
}

/**
 * Sources a script of hooks/ instead of starting a second shell for it. Tested for first, and with a trap, because in dash a `.` that
 * fails ends the shell with 2, and ending with 2 blocks the call.
 */
function sourcing(script, variables) {
  return [
    "trap 'exit 0' EXIT",
    'trimtab_root="${CLAUDE_PLUGIN_ROOT}"',
    ...variables,
    `trimtab_script="$trimtab_root/hooks/${script}"`,
    '[ -f "$trimtab_script" ] && [ -r "$trimtab_script" ] && . "$trimtab_script"',
    'exit 0',
  ].join('; ');
}
