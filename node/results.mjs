// What a pack makes of a result: an outline of a file, a smaller output. Loaded when the core asks for it, because most processes never do.

import { condenseFact, createAnswers, outlineFact } from '../glue/answers.js';
import { drive } from '../glue/core.js';
import { packOf } from './packs.mjs';

const answersPack = async () => createAnswers(await packOf('answers'));

/**
 * The fact for an `outline` ask.
 * @param {{ path: string, name: string }} ask
 * @param {'plain' | 'read'} form `read` where the client numbers the lines of the text
 * @param {(ask: object) => unknown} answer the host's answer to one ask of the pack
 */
export async function outlineOf(ask, form, answer) {
  return outlineFact(drive, await answersPack(), ask, form, answer);
}

/** The fact for a `condense` ask of a call and its result. */
export async function condensedOf(ask, call, answer) {
  return condenseFact(drive, await answersPack(), ask, call, answer);
}
