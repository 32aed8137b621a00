# Sourced by the commands in hooks.json, which set trimtab_root (the plugin's folder), trimtab_event and trimtab_tool (what the hook answers)
# and trimtab_words (programs that a rule could concern, as patterns). Where the module inside the client answers already, this ends before any process is
# started and before anything is read; where the command names none of those programs, before Node is. Otherwise it hands over to Node.
# Never prints, decides nothing, and never ends with anything but 0: ending with 2 would block the call.
# POSIX sh only, for dash, bash, the sh of macOS and Git Bash. No empty line up here: one with a CRLF end would run as a command.
trimtab_line=end
[ "$trimtab_line" = end ] || exit 0 # With CRLF ends, what follows is a syntax error, which dash answers with 2.

[ "${TRIMTAB_HOOKS-}" = off ] && exit 0

# The handshake: all three must say that the module answers this action in this session, and hooks/prompt.sh must not have missed it since.
# node/handshake.mjs says the same.
if [ "${TRIMTAB_NO_MOD-}" != 1 ] && [ -n "${TRIMTAB_MOD_TURN-}" ] && [ -n "${CLAUDE_CODE_SESSION_ID-}" ]; then
  case ",${TRIMTAB_MOD-}," in
    *",$trimtab_event:$trimtab_tool,"*)
      case ",${TRIMTAB_MOD_SESSION-}," in
        *",$CLAUDE_CODE_SESSION_ID,"*) [ -e "${HOME-}/.trimtab/sessions/$TRIMTAB_MOD_TURN.${CLAUDE_PID-}.gone" ] || exit 0 ;;
      esac
      ;;
  esac
fi

# What Node cannot record, because it does not run.
trimtab_record() {
  trimtab_code=$1
  [ -f "$trimtab_root/hooks/record.sh" ] && [ -r "$trimtab_root/hooks/record.sh" ] && . "$trimtab_root/hooks/record.sh"
}

trimtab_hook=$trimtab_root/hooks/hook.mjs
[ -f "$trimtab_hook" ] && [ -r "$trimtab_hook" ] || exit 0

# Where a backslash does not part folders but is in a name, Node cannot load a module from there.
case $trimtab_root in
  [A-Za-z]:* | '\\'*) ;;
  *'\'*) trimtab_record plugin-path; exit 0 ;;
esac

# Options for the person's own Node programs (a debugger, a preload) would slow every call down, or stop it.
unset NODE_OPTIONS

# Clients started from a desktop often have a short PATH. The later of these wins.
trimtab_node=
if command -v node >/dev/null 2>&1; then
  trimtab_node=node
else
  for trimtab_place in /usr/bin/node '/c/Program Files/nodejs/node.exe' /usr/local/bin/node /opt/homebrew/bin/node \
    "${HOME-}/.asdf/shims/node" "${HOME-}/.local/share/mise/shims/node" "${HOME-}/.local/share/fnm/aliases/default/bin/node" \
    "${HOME-}"/.nvm/versions/node/*/bin/node "${HOME-}/.volta/bin/node" "${HOME-}/.local/bin/node"; do
    [ -f "$trimtab_place" ] && [ -x "$trimtab_place" ] && trimtab_node=$trimtab_place
  done
fi
[ -n "$trimtab_node" ] || { trimtab_record no-node; exit 0; }
[ -n "${trimtab_words-}" ] || exec "$trimtab_node" "$trimtab_hook" "$trimtab_event"

# The client's `if` cannot name several programs, so the shell looks for their names in the arguments. A name stands between characters that no
# name has, or behind an escaped line break; a name too many only starts Node for nothing. The payload is one line of JSON.
IFS= read -r trimtab_payload
case $trimtab_payload in
  '{'*'"tool_input":'*'}')
    if [ "${#trimtab_payload}" -lt 32768 ]; then
      trimtab_text=${trimtab_payload#*'"tool_input":'}
      trimtab_found=
      set -f # A pattern is no file's name here.
      for trimtab_word in $trimtab_words; do
        case $trimtab_text in
          *[!A-Za-z0-9_-]$trimtab_word[!A-Za-z0-9_-]* | *'\'[nrt]$trimtab_word[!A-Za-z0-9_-]*) trimtab_found=1; break ;;
        esac
      done
      [ -n "$trimtab_found" ] || exit 0
    fi
    printf '%s' "$trimtab_payload" | "$trimtab_node" "$trimtab_hook" "$trimtab_event"
    ;;
  *) { printf '%s\n' "$trimtab_payload"; cat; } | "$trimtab_node" "$trimtab_hook" "$trimtab_event" ;; # Not as the client writes it.
esac
exit 0
