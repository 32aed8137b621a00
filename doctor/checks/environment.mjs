// What the TRIMTAB_* variables of this shell and of the settings files do. Never prints the value of one that is not known.

import { didYouMean } from '../../cli/lib/suggest.mjs';
import { HANDSHAKE_VARIABLES, OTHER_VARIABLES, VARIABLES } from '../data.mjs';
import { listed, note, ok, problem } from '../finding.mjs';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const variables = await world.variables();
  const findings = [];
  for (const [name, { value, place }] of variables) {
    const known = VARIABLES[name];
    if (known) findings.push(knownFinding(name, known, value, place));
    else if (!HANDSHAKE_VARIABLES.includes(name) && !OTHER_VARIABLES.includes(name)) {
      findings.push(note('variable-unknown', `\`${name}\` in ${place} does nothing${didYouMean(name, Object.keys(VARIABLES))}`, 'unset it'));
    }
  }
  findings.push(...handshake(world, variables));
  return findings.length > 0 ? findings : [ok('variables-none', 'no `TRIMTAB_*` variable is set')];
}

function knownFinding(name, { value: wanted, level, means, next }, value, place) {
  if (wanted !== undefined && value !== wanted)
    return note('variable-without-effect', `\`${name}\` in ${place} does nothing: only \`${wanted}\` does`, 'unset it');
  const shown = wanted ?? (/^[a-z]{1,20}$/i.test(value) ? value : '…');
  const text = `\`${name}\` is \`${shown}\` in ${place}: ${means}`;
  return level === 'problem' ? problem('variable-set', text, `unset it; ${next}`) : note('variable-set', text);
}

/** The module's own variables: of the session whose shell this is, or left over from another. */
function handshake({ env }, variables) {
  const names = HANDSHAKE_VARIABLES.filter((name) => variables.has(name));
  if (names.length === 0) return [];
  const sessions = variables.get('TRIMTAB_MOD_SESSION')?.value.split(',') ?? [];
  if (sessions.includes(env.CLAUDE_CODE_SESSION_ID)) {
    const isAlive = variables.has('TRIMTAB_MOD');
    return [
      isAlive
        ? ok('in-served-session', 'this shell belongs to a session that the module answers')
        : note('in-left-session', 'this shell belongs to a session whose module gave up, and the command hooks took over'),
    ];
  }
  const what = listed(names.map((name) => `\`${name}\``));
  return [
    note(
      'handshake-inherited',
      `left over from another session: ${what}; without effect, because a hook steps aside only in the sessions that are listed`,
    ),
  ];
}
