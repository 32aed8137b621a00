// A request to the weight pack to its end, for every host: the loop of core.js, again while there is more of a transcript to read.
// Names nothing that only one host has. Never throws for a request: a pack that trapped passes, with a record.

import { drive } from './core.js';

// Of each pack the round that is under way: two that read one transcript at once would read it twice, and each would keep its own.
const turns = new WeakMap();

const TRAPPED = { done: { verdict: 'pass', why: 'trap' }, effects: [{ effect: 'record', code: 'trap' }] };

/**
 * @param {{ read(text: string, behind?: Uint8Array): any }} pack
 * @param {object} request of docs/wire.md
 * @param {{ answer(ask: object): unknown, carryOut(effects: object[]): unknown }} host
 * @param {{ calls?: number }} [use] how often at most it goes on reading; another request may come in between
 * @returns {Promise<import('./core.js').Outcome>}
 */
export async function weigh(pack, request, { answer, carryOut }, { calls = 1_000 } = {}) {
  const core = { life: 1, isDead: false, step: (next) => pack.read(...encode(next)) ?? TRAPPED };
  for (let call = 1; ; call += 1) {
    const outcome = await inTurn(pack, async () => {
      const outcome = await drive(core, request, answer);
      await carryOut(outcome.effects ?? []);
      return outcome;
    });
    if (outcome.done.more !== true || call >= calls) return outcome;
  }
}

function inTurn(pack, run) {
  const result = (turns.get(pack) ?? Promise.resolve()).then(run);
  turns.set(pack, result.catch(() => undefined));
  return result;
}

// A text that was asked for goes behind the request as it is: as JSON it would take longer than all the rest. A host that has it as UTF-8
// hands over the bytes.
function encode(request) {
  const texts = (request.facts ?? []).filter((fact) => typeof fact?.text === 'string' || fact?.text instanceof Uint8Array);
  if (texts.length !== 1) return [JSON.stringify({ v: 1, ...request })];
  const [{ text }] = texts;
  const facts = request.facts.map((fact) => (fact === texts[0] ? { ...fact, text: undefined } : fact));
  const head = `${JSON.stringify({ v: 1, ...request, facts })}\n`;
  return typeof text === 'string' ? [head + text] : [head, text];
}
