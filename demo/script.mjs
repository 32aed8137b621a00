// What the model of the demo does: a question, the calls on the way to the answer, and for each call whose result is too large the calls
// that it makes instead of or after it. One table gives both sessions. Decides nothing: what became of a call is measured.

/** The package whose sources the model reads: real files of real size, without dependencies, MIT. */
export const PACKAGE = {
  name: 'ws',
  version: '8.18.3',
  license: 'MIT',
  // Measured with `npm pack`.
  packedBytes: 34_241,
  unpackedBytes: 147_320,
};

export const PROMPT = 'How long does a WebSocket wait for the other side before it destroys the socket?';
export const ANSWER = 'It waits 30 seconds: `closeTimeout` in lib/websocket.js, line 35, which `setCloseTimer` uses.';
/** The line that the answer rests on; a session that was not shown it has no right to the answer. */
export const EVIDENCE = 'const closeTimeout = 30 * 1000;';

/**
 * @typedef {{ tool: string, input: object, ask: string }} Call `ask` is the call as a person reads it
 * @typedef {{ call: Call, way?: Call[] }} Step `way`: what the model does next where trimtab refuses the call or shows less
 */

/**
 * The steps of the session.
 *
 * @param {string} project the folder with the sources
 * @param {{ hasGit?: boolean }} [options] without git the history is left out
 * @returns {Step[]}
 */
export function stepsOf(project, { hasGit = true } = {}) {
  const read = (path, range) => ({
    tool: 'Read',
    input: { file_path: `${project}/${path}`, ...range },
    ask: range ? `Read ${path}, lines ${range.offset}-${range.offset + range.limit - 1}` : `Read ${path}`,
  });
  const bash = (command) => ({ tool: 'Bash', input: { command, description: 'Look around' }, ask: command });
  const steps = [
    { call: read('lib/websocket.js'), way: [bash('grep -n -i timeout lib/websocket.js'), read('lib/websocket.js', { offset: 1285, limit: 20 })] },
    // What is smaller says enough here.
    { call: bash('grep -rn socket lib'), way: [] },
    { call: read('lib/constants.js') },
    { call: bash('git log'), way: [], needsGit: true },
    { call: bash('cat wrapper.mjs') },
    // A model that wants the whole file all the same asks again.
    { call: read('lib/receiver.js'), way: [read('lib/receiver.js')] },
    { call: bash('cat lib/sender.js | head -n 20') },
  ];
  return steps.filter(({ needsGit }) => hasGit || !needsGit).map(({ call, way }) => (way ? { call, way } : { call }));
}

/**
 * The calls of one session in order, each with the step that it belongs to.
 *
 * @param {Step[]} steps
 * @param {boolean} takesTheWay whether calls with a `way` are followed by it
 * @returns {(Call & { step: number, isExpectedRefused: boolean, isWay: boolean })[]}
 */
export function callsOf(steps, takesTheWay) {
  return steps.flatMap(({ call, way }, step) => {
    const isExpectedRefused = takesTheWay && way !== undefined;
    const first = { ...call, step, isExpectedRefused, isWay: false };
    return isExpectedRefused ? [first, ...way.map((next) => ({ ...next, step, isExpectedRefused: false, isWay: true }))] : [first];
  });
}

/**
 * The script for the model server: one call a turn, then the answer.
 *
 * @param {Call[]} calls
 * @returns {import('../lab/model-server.mjs').Script}
 */
export function scriptOf(calls) {
  return { main: [...calls.map(({ tool, input }) => [{ tool, input }]), [{ text: ANSWER }]] };
}
