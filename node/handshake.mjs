// Whether a command hook steps aside because trimtab is off, or because the module inside the client answers for it.
// hooks/hook.sh says the same in shell, so that Node need not start; one table in the tests holds both to it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} event
 * @param {string} payload the hook's input as it came; looked into only where a module says that it is there
 * @param {string | null} home the folder in which hooks/prompt.sh leaves word of a module that is gone
 */
export function stepsAside(env, event, payload, home) {
  if (env.TRIMTAB_HOOKS === 'off') return true;
  if (env.TRIMTAB_NO_MOD === '1' || !env.TRIMTAB_MOD || !env.TRIMTAB_MOD_TURN) return false;
  // An event of no tool is the session's.
  const { tool_name: tool = 'session', session_id: ownId, prompt_id: prompt } = fieldsOf(payload);
  const session = env.CLAUDE_CODE_SESSION_ID || ownId;
  if (!session || !listed(env.TRIMTAB_MOD, `${event}:${tool}`) || !listed(env.TRIMTAB_MOD_SESSION, session)) return false;
  return !isStale(env.TRIMTAB_MOD_TURN, prompt) && !isGone(env, home);
}

// What the shell cannot afford to look at. A value with a colon names no prompt.
function isStale(turn, prompt) {
  return typeof prompt === 'string' && /^[0-9A-Za-z-]+$/.test(turn) && turn !== prompt;
}

function isGone({ TRIMTAB_MOD_TURN: turn, CLAUDE_PID: pid = '' }, home) {
  return home !== null && existsSync(join(home, 'sessions', `${turn}.${pid}.gone`));
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
