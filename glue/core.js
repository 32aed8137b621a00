// What every host shares: one living wasm instance of the core, and the loop that answers what it asks.
// The mod, Node and a browser page load this very file, so it names nothing that only one of them has.
// Never throws into a tool call and decides nothing: whatever goes wrong in here lets the call pass and leaves a record.

import * as compiled from '../pkg/trimtab.js';

// The wire promises six rounds; a core that goes on asking must not hold a call for ever.
const MAX_ROUNDS = 8;

/**
 * @typedef {{ effect: string, [field: string]: unknown }} Effect
 * @typedef {{ verdict: string, why: string, [field: string]: unknown }} Verdict
 * @typedef {{ done: Verdict, effects?: Effect[], answer?: string, error?: { code: string, message: string } }} Outcome
 * @typedef {{ initSync(init: { module: WebAssembly.Module }): unknown, step(text: string): string, __wbg_reset_state?(): void }} Bindings
 * @typedef {ReturnType<typeof createCore>} Core
 */

/**
 * Starts the core. The bindings hold one instance for the whole realm, so a host makes one core and keeps it.
 * @param {WebAssembly.Module} module the compiled `pkg/trimtab_bg.wasm`
 * @param {Bindings} [bindings] only tests hand in others
 */
export function createCore(module, bindings = compiled) {
  bindings.initSync({ module });
  let life = 1;
  let isDead = false;

  // A trap leaves the instance's memory as it was in the middle of something, so it is never called again.
  function replaceInstance() {
    life += 1;
    try {
      bindings.__wbg_reset_state();
    } catch {
      isDead = true;
    }
  }

  return {
    /** Counts the instances: call numbers of one life mean nothing in the next. */
    get life() {
      return life;
    },

    /** True when no new instance could be made; everything passes from then on. */
    get isDead() {
      return isDead;
    },

    /**
     * One request over the wire, one answer.
     * @param {object} request
     * @returns {any}
     */
    step(request) {
      if (isDead) return passed('dead');
      let text;
      try {
        text = encode(request);
      } catch {
        return passed('request-not-json', 'request-not-json');
      }
      try {
        return decode(bindings.step(text));
      } catch {
        replaceInstance();
        return passed('trap', 'trap');
      }
    },

    /**
     * Throws unless this core can be trusted with calls.
     * @returns {string} the core's version
     */
    selfCheck() {
      const { ok, version } = this.step({ do: 'check' });
      if (ok !== true) throw new Error('the self-check of the core failed');
      return version;
    },
  };
}

/**
 * Takes one request to its end: asks the core, has the host answer what the core needs, and hands back what is to be done.
 * @param {Core} core
 * @param {object} request `judge` or `hook`
 * @param {(ask: object) => unknown} answer the host's answer to one ask; one that fails counts as "could not tell"
 * @param {{ rounds?: number }} [limits] rounds of questions at most
 * @returns {Promise<Outcome>}
 */
export async function drive(core, request, answer, { rounds = MAX_ROUNDS } = {}) {
  const { life } = core;
  let outcome = core.step(request);
  for (let round = 0; outcome.need; round += 1) {
    if (round === rounds) return passed('rounds', 'rounds');
    const facts = await Promise.all(outcome.need.map((ask) => factOf(answer, ask)));
    // Another call trapped meanwhile and left the record; this call's number now belongs to nobody, or to a stranger.
    if (core.life !== life) return passed('trap');
    outcome = core.step({ do: 'facts', call: outcome.call, facts });
  }
  if (outcome.done) return outcome;
  const error = outcome.error ?? { code: 'no-outcome', message: 'the core gave no outcome' };
  return { ...passed('wire', error.code), error };
}

async function factOf(answer, ask) {
  try {
    return (await answer(ask)) ?? null;
  } catch {
    return null;
  }
}

// JSON.stringify spells a lone surrogate as an escape that strict parsers refuse; the wire reads it as U+FFFD.
// Pairs of backslashes are stepped over, so that an escape which is itself quoted text stays as it is.
function encode(request) {
  const text = JSON.stringify({ v: 1, ...request });
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|[^])/g, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}

function decode(text) {
  const answer = JSON.parse(text);
  const isReadable =
    typeof answer === 'object' &&
    (answer.need === undefined || Array.isArray(answer.need)) &&
    (answer.done === undefined || typeof answer.done?.verdict === 'string') &&
    (answer.effects === undefined || Array.isArray(answer.effects));
  if (!isReadable) throw new TypeError('unreadable answer');
  return answer;
}

/** @returns {Outcome} */
function passed(why, code) {
  const done = { verdict: 'pass', why };
  return code === undefined ? { done } : { done, effects: [{ effect: 'record', code }] };
}
