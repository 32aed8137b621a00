// The one command line behind every command hook. Generated into hooks/hooks.json and run as it is by the tests.

/**
 * Sources hooks/hook.sh instead of starting a second shell for it. Tested for first, and with a trap, because in dash a `.` that
 * fails ends the shell with 2, and ending with 2 blocks the call.
 * @param {string} event what the hook answers
 * @param {string} tool for which tool; both together name the action that the module may have taken over
 * @param {string[]} [words] programs, at least one of which a command must name to be worth a look
 */
export function hookCommand(event, tool, words) {
  return [
    "trap 'exit 0' EXIT",
    'trimtab_root="${CLAUDE_PLUGIN_ROOT}"',
    `trimtab_event=${event} trimtab_tool=${tool}`,
    ...(words ? [`trimtab_words='${words.join(' ')}'`] : []),
    'trimtab_script="$trimtab_root/hooks/hook.sh"',
    '[ -f "$trimtab_script" ] && [ -r "$trimtab_script" ] && . "$trimtab_script"',
    'exit 0',
  ].join('; ');
}
