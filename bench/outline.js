// Outlines that are timed, one after the other: this very file runs inside the client's module and in Node.
// The text is there already and a pretend host answers at once, so what is timed is the packs and the boundary. Reads no file, no
// environment and no clock: those come from the caller.

import { createAnswers, outlineFact } from '../glue/answers.js';
import { drive } from '../glue/core.js';
import { createPack, declarationsOf, packPath } from '../glue/pack.js';

const MTIME = 1_767_000_000_000;

/**
 * A pack loaded as every host loads it, with the time of each step in milliseconds.
 * @param {object} shelf
 * @param {(path: string) => Promise<Uint8Array>} shelf.read the bytes of a file below `pkg/`
 * @param {(packed: Uint8Array) => Uint8Array} shelf.inflate
 * @param {(bytes: Uint8Array) => Promise<WebAssembly.Module>} shelf.compile
 * @param {() => number} shelf.now
 */
export async function loadPack({ read, inflate, compile, now }, name) {
  const times = [now()];
  const packed = await read(packPath(name));
  times.push(now());
  const bytes = inflate(packed);
  times.push(now());
  const module = await compile(bytes);
  times.push(now());
  const pack = createPack(module, name);
  times.push(now());
  const [readMs, inflateMs, compileMs, instantiateMs] = times.slice(1).map((time, step) => time - times[step]);
  return { pack, load: { bytes: bytes.length, read: readMs, inflate: inflateMs, compile: compileMs, instantiate: instantiateMs } };
}

/**
 * One source text outlined in rounds, the first of them cold.
 * @param {object} what
 * @param {string} what.language
 * @param {string} what.path with the ending of the language
 * @param {string} what.text
 * @param {number} what.rounds
 * @param {() => unknown} [what.breathe] between rounds: a module that does not yield for seconds is taken for dead
 * @returns {Promise<object>} the load of both packs, and of each round the time in the language's pack and of the whole outline
 */
export async function timeOutline(shelf, { language, path, text, rounds, breathe = () => {} }) {
  const { now } = shelf;
  const { pack: answersPack, load: answersLoad } = await loadPack(shelf, 'answers');
  const { pack, load } = await loadPack(shelf, language);
  const answers = createAnswers(answersPack);
  const [parse, outline] = [[], []];
  let found;
  const bytes = new TextEncoder().encode(text).length;
  function answer(ask) {
    if (ask.ask === 'stat') return { kind: 'file', bytes, real: path, mtime: MTIME };
    if (ask.ask === 'text') return { text: text.slice(ask.from, ask.from + ask.bytes), bytes, mtime: MTIME };
    if (ask.ask !== 'declarations') return null;
    const start = now();
    found = declarationsOf(pack, ask.text ?? text, ask.names);
    parse.push(now() - start);
    return found && { bytes, mtime: MTIME, declarations: found };
  }
  for (let round = 0; round < rounds; round += 1) {
    const start = now();
    const fact = await outlineFact(drive, answers, { path, name: path }, 'plain', answer);
    outline.push(now() - start);
    if (found === null || found.cut || (fact === null && found.declarations.length === 0)) throw new Error(`no outline of ${language}`);
    await breathe();
  }
  return { bytes, declarations: found.declarations.length, broken: found.broken, load, answersLoad, parse, outline };
}
