// A request to the weight pack to its end, for every host: the loop of core.js, again while there is more of a transcript to read.
// Names nothing that only one host has. Never throws for a request: a pack that trapped passes, with a record.

import { drive } from './core.js';

const TRAPPED = { done: { verdict: 'pass', why: 'trap' }, effects: [{ effect: 'record', code: 'trap' }] };

/**
 * @param {{ read(text: string): any }} pack
 * @param {object} request of docs/wire.md
 * @param {{ answer(ask: object): unknown, carryOut(effects: object[]): unknown }} host
 * @param {{ calls?: number, pause?: () => unknown }} [use] `calls`: how often at most it goes on reading; `pause`: between two of them
 * @returns {Promise<import('./core.js').Outcome>}
 */
export async function weigh(pack, request, { answer, carryOut }, { calls = 1_000, pause = () => undefined } = {}) {
  const core = { life: 1, isDead: false, step: (next) => pack.read(encode(next)) ?? TRAPPED };
  for (let call = 1; ; call += 1) {
    const outcome = await drive(core, request, answer);
    await carryOut(outcome.effects ?? []);
    if (outcome.done.more !== true || call >= calls) return outcome;
    await pause();
  }
}

// A text that was asked for goes behind the request as it is: as JSON it would take longer than all the rest.
function encode(request) {
  const texts = (request.facts ?? []).filter((fact) => typeof fact?.text === 'string');
  if (texts.length !== 1) return JSON.stringify({ v: 1, ...request });
  const facts = request.facts.map((fact) => (fact === texts[0] ? { ...fact, text: undefined } : fact));
  return `${JSON.stringify({ v: 1, ...request, facts })}\n${texts[0].text}`;
}
