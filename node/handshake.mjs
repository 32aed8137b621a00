// Whether a command hook steps aside because trimtab is off, or because the module inside the client answers for it.
// hooks/hook.sh says the same in shell, so that Node need not start; one table in the tests holds both to it.

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} event
 * @param {string} payload the hook's input as it came; looked into only where a module says that it is there
 */
export function stepsAside(env, event, payload) {
  if (env.TRIMTAB_HOOKS === 'off') return true;
  if (env.TRIMTAB_NO_MOD === '1' || !env.TRIMTAB_MOD || !env.TRIMTAB_MOD_TURN) return false;
  const { tool_name: tool, session_id: ownId } = fieldsOf(payload);
  const session = env.CLAUDE_CODE_SESSION_ID || ownId;
  return Boolean(session) && listed(env.TRIMTAB_MOD, `${event}:${tool}`) && listed(env.TRIMTAB_MOD_SESSION, session);
}

function listed(list = '', word) {
  return list.split(',').includes(word);
}

function fieldsOf(payload) {
  try {
    return JSON.parse(payload) ?? {};
  } catch {
    return {};
  }
}
