// What a check gives back: one finding for each thing it looked at. Prints nothing.

/**
 * @typedef {object} Finding
 * @property {'ok' | 'note' | 'problem'} level
 * @property {string} code from a closed set
 * @property {string} text one line, without a full stop
 * @property {string} [next] what to do; every problem has one
 * @property {{ route: string, code: string, count: number, last: string }} [record] rows of the records that it is about
 *
 * @typedef {(world: import('./world.mjs').World) => Promise<Finding[]>} Check
 */

/** @returns {Finding} */
export const ok = (code, text) => ({ level: 'ok', code, text });

/** @returns {Finding} */
export const note = (code, text, next) => ({ level: 'note', code, text, ...(next && { next }) });

/** @returns {Finding} */
export const problem = (code, text, next) => ({ level: 'problem', code, text, next });

/** `a`, `b` and `c`. */
export function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A word from outside, safe for a terminal and short. */
export function plain(word, most = 60) {
  const text = String(word)
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll('`', "'");
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
