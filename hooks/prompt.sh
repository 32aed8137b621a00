# Sourced by the command of UserPromptSubmit in hooks.json. The module inside the client renews TRIMTAB_MOD_TURN with the id of each prompt
# before this runs; where it did not, it is gone, and a marker named after the stale value tells hooks/hook.sh so. A module that comes back
# sets another value, so no marker has to be taken away and none outlives the value that it is about.
# Where no module says that it answers this session, this ends before it reads anything; otherwise it starts one `dd`.
# Never prints, decides nothing else, and never ends with anything but 0: ending with 2 would take the person's prompt away.
# POSIX sh only, as hooks/hook.sh. No empty line up here: one with a CRLF end would run as a command.
trimtab_line=end
[ "$trimtab_line" = end ] || exit 0 # With CRLF ends, what follows is a syntax error, which dash answers with 2.

[ "${TRIMTAB_HOOKS-}" = off ] && exit 0
[ "${TRIMTAB_NO_MOD-}" = 1 ] && exit 0
[ -n "${TRIMTAB_MOD-}" ] && [ -n "${TRIMTAB_MOD_TURN-}" ] && [ -n "${CLAUDE_CODE_SESSION_ID-}" ] && [ -n "${HOME-}" ] || exit 0
case ",${TRIMTAB_MOD_SESSION-}," in
  *",$CLAUDE_CODE_SESSION_ID,"*) ;;
  *) exit 0 ;;
esac
case $TRIMTAB_MOD_TURN in
  *[!0-9A-Za-z-]*) exit 0 ;; # No id: the module could not tell the prompt, so nothing can be compared.
esac

# The client numbers the process that it runs as: one started in the session's shell, with the same variables, must not speak for this one.
trimtab_gone=$HOME/.trimtab/sessions/$TRIMTAB_MOD_TURN.${CLAUDE_PID-}.gone
[ -e "$trimtab_gone" ] && exit 0

# The prompt stands last in the payload and can be long, and a shell reads a pipe byte by byte: 0.9 s for 1 MB in dash and bash.
# Quotes inside the prompt are escaped there, so it cannot pass for the field.
trimtab_payload=$(dd bs=4096 count=1 2>/dev/null)
case $trimtab_payload in
  *'"prompt_id":"'"$TRIMTAB_MOD_TURN"'"'*) exit 0 ;;
  *'"prompt_id":"'*) ;;
  *) exit 0 ;;
esac

umask 077
mkdir -p "$HOME/.trimtab/sessions" 2>/dev/null
{ : >"$trimtab_gone"; } 2>/dev/null || exit 0
trimtab_code=module-gone
trimtab_script=$trimtab_root/hooks/record.sh
[ -f "$trimtab_script" ] && [ -r "$trimtab_script" ] && . "$trimtab_script"
exit 0
