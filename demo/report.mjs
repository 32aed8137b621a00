// Puts the two runs of the demo side by side and sums them up. Pure: reads nothing but the runs, and keeps every figure as measured;
// the one estimate, tokens, is named one. A run that did not go as the script expects is a problem and is said, never smoothed over.

import { ANSWER, EVIDENCE } from './script.mjs';

/** Characters for one token, the usual rule of thumb. */
export const CHARS_PER_TOKEN = 4;

/**
 * @typedef {{ characters: number, firstLine: string, isError: boolean }} Got
 * @typedef {{ number: number, step: number, tool: string, input: object, ask: string, isWay: boolean, without: Got | null, with: Got, isExpectedRefused: boolean, verdict: string, rule: string | null, why: string, reason: string | null }} Row
 *   `verdict` is that of `trimtab judge`, or `answer`, `passed over` or `failed` where the session says otherwise; `without` is null for a call that only the run with trimtab makes; `reason` is the text of a refusal without what the client wraps around it
 * @typedef {{ calls: number, requests: number, bytes: number, firstBytes: number, lastBytes: number, estimatedTokens: number, estimatedLastTokens: number }} Sums
 * @typedef {{ module: number, hooks: number, moduleState: 'at work' | 'without wasm' | 'not loaded' | 'unknown' }} Routes refusals by who made them
 * @typedef {{ rows: Row[], sums: { without: Sums, with: Sums }, routes: Routes, answers: { without: string, with: string }, problems: string[] }} Report
 */

/**
 * @param {Awaited<ReturnType<typeof import('./play.mjs').play>>} played
 * @returns {Report}
 */
export function reportOf({ without, with: added, verdicts }) {
  const rows = rowsOf({ without, with: added, verdicts });
  const answers = { without: answerOf(without.session), with: answerOf(added.session) };
  return {
    rows,
    sums: { without: sumsOf(without.session), with: sumsOf(added.session) },
    routes: routesOf(added.session),
    answers,
    problems: problemsOf({ rows, without, with: added, answers }),
  };
}

function rowsOf({ without, with: added, verdicts }) {
  const plain = new Map(without.calls.map(({ step }, at) => [step, gotOf(without.session.results[at])]));
  return added.calls.map(({ step, tool, input, ask, isWay, isExpectedRefused }, at) => {
    const result = added.session.results[at];
    const { verdict, rule = null, why, text = null } = verdicts[at];
    const reason = result.isError ? unwrapped(result.text) : null;
    return {
      number: at + 1,
      step,
      tool,
      input,
      ask,
      isWay,
      isExpectedRefused,
      without: isWay ? null : plain.get(step),
      with: gotOf(result),
      // What happened in the session comes first; the name of the rule only where the words agree.
      verdict: result.isError ? (reason === text ? verdict : 'failed') : isAnswer(result.text) ? 'answer' : verdict === 'redirect' ? 'passed over' : verdict,
      rule,
      why,
      reason,
    };
  });
}

function gotOf({ text, isError }) {
  return { characters: text.length, firstLine: text.split('\n').find((line) => line.trim() !== '')?.replaceAll('\t', '  ').trim() ?? '', isError };
}

/** Whether a result was put in the place of a larger one; it says so at its beginning, behind the client's line number in a Read. */
function isAnswer(text) {
  return /^(?:1\t)?\[trimtab\] /.test(text);
}

/** A refusal's text without what the client puts around it, by route and version. */
export function unwrapped(text) {
  return text.replace(/^Permission to use \w+ denied by plugins? [^:]*: /, '').replace(/^PreToolUse:\w+ hook error: /, '');
}

/**
 * Every request of the session is counted, in bytes of its JSON.
 *
 * @param {{ requests: { conversation: string, body: object }[], results: object[] }} session
 * @returns {Sums}
 */
export function sumsOf({ requests, results }) {
  const texts = requests.map(({ body }) => JSON.stringify(body));
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const main = texts.filter((_, at) => requests[at].conversation === 'main');
  const tokens = (characters) => Math.round(characters / CHARS_PER_TOKEN);
  return {
    calls: results.length,
    requests: requests.length,
    bytes: sum(sizes),
    firstBytes: Buffer.byteLength(main[0] ?? ''),
    lastBytes: Buffer.byteLength(main.at(-1) ?? ''),
    estimatedTokens: tokens(sum(texts.map((text) => text.length))),
    estimatedLastTokens: tokens((main.at(-1) ?? '').length),
  };
}

/**
 * Who refused, as the client itself logs it: the module inside it, or a command hook.
 *
 * @param {{ debug: string, events: object[] }} session
 * @returns {Routes}
 */
export function routesOf({ debug, events }) {
  const module = debug.match(/^.*tool\.check \w+ \S+: \w+ -> deny by plugins? [^:\n]*\btrimtab\b/gm) ?? [];
  const hooks = events.filter(({ subtype, output }) => subtype === 'hook_response' && /"permissionDecision":\s*"deny"/.test(output ?? ''));
  const states = [
    ['not loaded', /hooks module trimtab\S* not loaded/],
    ['without wasm', /no wasm in this client/],
    ['at work', /hooks module trimtab\S* loaded/],
  ];
  const [moduleState] = states.find(([, sign]) => sign.test(debug)) ?? ['unknown'];
  return { module: module.length, hooks: hooks.length, moduleState };
}

function answerOf({ events }) {
  return events.findLast(({ type }) => type === 'result')?.result ?? '';
}

function problemsOf({ rows, without, with: added, answers }) {
  const problems = [];
  for (const { number, ask, verdict, isExpectedRefused, with: got } of rows) {
    const what = `call ${number}, \`${ask}\`,`;
    if (verdict === 'passed over') problems.push(`${what} ran, although \`trimtab judge\` refuses it`);
    else if (verdict === 'failed') problems.push(`${what} failed, or was refused in other words than \`trimtab judge\` has: ${got.firstLine}`);
    else if (isExpectedRefused && !got.isError && verdict !== 'answer') problems.push(`${what} was neither refused nor answered with less, and the script is written for that`);
    else if (!isExpectedRefused && got.isError) problems.push(`${what} was refused, and the script is written for a pass`);
  }
  without.session.results.forEach(({ isError, text }, at) => {
    if (isError) problems.push(`\`${without.calls[at].ask}\` failed without trimtab: ${text.split('\n')[0]}`);
  });
  for (const [name, { session }] of [['without', without], ['with', added]]) {
    if (answers[name] !== ANSWER) problems.push(`the session ${name} trimtab did not reach the answer`);
    if (!session.results.some(({ text }) => text.includes(EVIDENCE))) problems.push(`the session ${name} trimtab was not shown the line that the answer rests on`);
  }
  return problems;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
