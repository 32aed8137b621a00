// The answers pack (packs/answers) as something that `drive` of core.js takes to its end: the same wire, over the pack's bytes.
// Names nothing that only one host has. Never throws for a request.

// A tool looks at its files in batches, one a round; the pack itself ends after 400.
const TOOL_ROUNDS = 401;
// The pack ends a tool at the first round after 2,000 ms; what a round still holds by then is not read any more.
const MAX_MS = 2000;
// Enough for the words in which the client says that it saved an output.
const HEAD_CHARS = 200;

/**
 * @param {{ read(text: string): any }} pack
 * @returns {import('./core.js').Core} as far as `drive` uses it
 */
export function createAnswers(pack) {
  let life = 1;
  return {
    get life() {
      return life;
    },
    step(request) {
      const answer = pack.read(JSON.stringify({ v: 1, ...request }));
      if (answer !== null) return answer;
      // The instance is another one now, which knows nothing of calls that wait.
      life += 1;
      return { done: { verdict: 'pass', why: 'trap' }, effects: [{ effect: 'record', code: 'trap' }] };
    },
  };
}

/**
 * One call of a code tool. `clock` counts milliseconds; the pack has none.
 * @param {typeof import('./core.js').drive} drive
 * @param {ReturnType<typeof createAnswers>} answers
 * @param {{ tool: string, args: object, session?: string, agent?: string | null, budget?: number }} call
 * @param {(ask: object) => unknown} answer the host's answer to one ask
 * @param {() => number} clock
 * @returns {Promise<{ text?: string, found?: boolean, data?: unknown, error?: string }>}
 */
export async function callTool(drive, answers, call, answer, clock = () => performance.now()) {
  const start = clock();
  let round = [];
  async function inTime(ask) {
    if (ask.ask === 'declarations' && clock() - start > MAX_MS) return null;
    return answer(ask);
  }
  // The time is asked for at the end of a round, and told when the rest of the round is answered.
  async function withTime(ask) {
    if (ask.ask !== 'elapsed') {
      const fact = inTime(ask);
      round.push(fact);
      return fact;
    }
    await Promise.allSettled(round);
    round = [];
    return { ms: Math.round(clock() - start) };
  }
  const { done } = await drive(answers, { do: 'tool', call }, withTime, { rounds: TOOL_ROUNDS });
  return done.text === undefined && done.error === undefined ? { error: `this call could not be answered (${done.why})` } : done;
}

/**
 * The fact for the core's `outline` ask.
 * @param {typeof import('./core.js').drive} drive
 * @param {ReturnType<typeof createAnswers>} answers
 * @param {{ path: string, name: string }} ask
 * @param {'plain' | 'read'} form `read` where the client numbers the lines of the text
 * @param {(ask: object) => unknown} answer the host's answer to one ask of the pack
 * @returns {Promise<{ given: string } | null>}
 */
export async function outlineFact(drive, answers, { path, name }, form, answer) {
  // The core asks only for a file that a Read is showing.
  const { done } = await drive(answers, { do: 'outline', call: { path, file: name, form, allowed: true } }, answer);
  return given(done.text);
}

/**
 * The fact for the core's `condense` ask.
 * @param {typeof import('./core.js').drive} drive
 * @param {ReturnType<typeof createAnswers>} answers
 * @param {{ budget: number, intents: object[] }} ask
 * @param {{ tool: string, input: object, result: unknown, root?: string }} call
 * @param {(ask: object) => unknown} answer
 * @returns {Promise<{ given: string } | null>}
 */
export async function condenseFact(drive, answers, { budget, intents }, call, answer) {
  const { done } = await drive(answers, { do: 'condense', call: { ...call, budget, intents } }, answer);
  return given(typeof done.result === 'object' ? done.result?.stdout : done.result);
}

/**
 * What the core is told of a result that a model is about to read.
 * @param {string} text
 * @param {boolean} isError then the client's own words stay in front of what is added
 */
export function figuresOf(text, isError) {
  const lines = text.split('\n').length - 1;
  return { chars: text.length, lines, head: text.slice(0, HEAD_CHARS), ...(isError && { failed: true, kept: text }) };
}

function given(text) {
  return typeof text === 'string' ? { given: text } : null;
}
