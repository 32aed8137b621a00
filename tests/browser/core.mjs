// The built core as Node and a page load it: the one place that calls it here, so that both are asked in the same way.
// Knows no engine; a host hands in the compiled module.

import { createCore, drive } from '../../glue/core.js';
import * as compiled from '../../pkg/trimtab.js';

// (module (func (export "trap") unreachable)): a real trap, and not only an exception of JavaScript.
export const TRAPPING = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0, 10, 5, 1, 3, 0, 0, 11]);

// The bindings hold one instance for the whole realm; this starts them over with a new one.
const startNew = (init) => {
  compiled.initSync(init);
  compiled.__wbg_reset_state();
};

/**
 * Puts each story, a list of requests, to an instance of its own.
 * @param {string[][]} stories texts that cross as they are: JavaScript would spell a number beyond 2^53 in another way
 * @returns {string[][]} for each story the texts that came out of the wasm
 */
export function answersTo(module, stories) {
  return stories.map((requests) => {
    const answers = [];
    let request;
    const step = () => {
      const answer = compiled.step(request);
      answers.push(answer);
      return answer;
    };
    const core = createCore(module, { ...compiled, initSync: startNew, step });
    for (request of requests) core.step({});
    return answers;
  });
}

/**
 * The same with values in the place of texts, as a page asks.
 * @returns {unknown[][]} for each story the values that came out of the wasm
 */
export function valuesTo(module, stories) {
  return stories.map((requests) => {
    startNew({ module });
    return requests.map((request) => compiled.stepValue(JSON.parse(request)));
  });
}

/** What the same call comes to before, in and after a trap. */
export async function acrossTrap(module) {
  let isBroken = false;
  const trap = () => new WebAssembly.Instance(new WebAssembly.Module(TRAPPING)).exports.trap();
  const core = createCore(module, { ...compiled, initSync: startNew, step: (text) => (isBroken ? trap() : compiled.step(text)) });
  const facts = { files: { '*': { lines: 900, bytes: 36_000 } } };
  const call = { tool: 'Bash', input: { command: 'cat a.rs' }, cwd: '/repo', root: '/repo', session: 's', facts };
  const judged = () => drive(core, { do: 'judge', call }, () => null);
  const before = [(await judged()).done.verdict, (await judged()).done.why];
  isBroken = true;
  const trapped = await judged();
  isBroken = false;
  core.selfCheck();
  return { before, trapped, life: core.life, after: (await judged()).done.verdict };
}

/** What `acrossTrap` must give. */
export const ACROSS_TRAP = {
  before: ['redirect', 'insisted'],
  trapped: { done: { verdict: 'pass', why: 'trap' }, effects: [{ effect: 'record', code: 'trap' }] },
  life: 2,
  // The memory went with the instance; a host gives back what was saved.
  after: 'redirect',
};
