// Prints the demo's report as text of at most 100 columns. Pure; colours only where they are asked for. Counts nothing by itself.

import { ANSWER, EVIDENCE, PACKAGE } from './script.mjs';

const WIDTH = 100;
const INDENT = '     ';
const ASK = 45;
const FIGURE = 10;

const NO_PAINT = { bold: same, dim: same, red: same, yellow: same, green: same };
const PAINT = { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), yellow: code(33, 39), green: code(32, 39) };

/**
 * @typedef {object} Setting what the sessions ran with
 * @property {string} client such as `2.1.332`
 * @property {string} platform
 * @property {number} commits 0 where there is no git
 */

/**
 * What is about to happen, before it does.
 *
 * @param {Setting} setting
 * @param {boolean} [isColoured]
 */
export function renderSetting({ client, platform, commits }, isColoured = false) {
  const { bold } = isColoured ? PAINT : NO_PAINT;
  const history = commits > 0 ? `, with a made-up history of ${commits} commits` : '; no git here, so no history';
  return lines([
    bold('One session of a real client, played twice: without and with trimtab.'),
    `client   Claude Code ${client} for ${platform}`,
    `project  the sources of ${PACKAGE.name} ${PACKAGE.version} (${PACKAGE.license}) as published on npm${history}`,
    'model    a script on 127.0.0.1, no account and no real key. It cannot choose: after each smaller',
    '         result ("answer") or refusal ("redirect") it is scripted to go on with less ("then").',
  ]);
}

/**
 * What happened, call by call, and what it came to.
 *
 * @param {import('./report.mjs').Report} report
 * @param {boolean} [isColoured]
 */
export function renderReport({ rows, sums, routes, problems }, isColoured = false) {
  const paint = isColoured ? PAINT : NO_PAINT;
  return lines([
    '',
    ...renderRows(rows, paint),
    '',
    ...renderSums(sums, paint),
    '',
    ...wrap('Sizes are no prices: a provider bills what repeats from its prompt cache at a lower rate.', '', WIDTH),
    ...wrap(renderRoute(routes, rows.filter(({ verdict }) => verdict === 'answer').length), '', WIDTH),
    ...(problems.length > 0 ? [] : wrap(`Both sessions were shown the line \`${EVIDENCE}\` and end with: "${ANSWER}"`, '', WIDTH)),
  ]);
}

function renderRows(rows, { bold, dim, red, yellow, green }) {
  const title = `${'What the model asks, and what it gets'.padEnd(5 + ASK)}${'without'.padStart(FIGURE)}${'with'.padStart(FIGURE)}  trimtab`;
  const all = [bold(title), dim(`${''.padEnd(5 + ASK)}${'characters'.padStart(2 * FIGURE)}`)];
  for (const { number, ask, isWay, without, with: got, verdict, rule, why, reason } of rows) {
    const asked = clip(isWay ? `then ${ask}` : ask, ASK - 1).padEnd(ASK);
    const figures = `${(without ? grouped(without.characters) : '-').padStart(FIGURE)}${grouped(got.characters).padStart(FIGURE)}`;
    const colour = verdict === 'redirect' || verdict === 'answer' ? yellow : verdict === 'pass' || verdict === 'advise' ? green : red;
    all.push(`${String(number).padStart(3)}  ${asked}${figures}  ${colour(decisionOf({ verdict, rule, why }))}`);
    const detail = reason === null ? [clip(`${INDENT}${got.firstLine}`, WIDTH)] : wrap(`"${reason}"`, INDENT, WIDTH);
    all.push(...detail.map((line) => dim(line)));
  }
  return all;
}

function decisionOf({ verdict, rule, why }) {
  if (verdict === 'redirect') return `redirect: ${rule}`;
  if (verdict === 'answer') return 'answer: something smaller';
  return why === 'insisted' ? 'pass: asked again' : verdict;
}

function renderSums({ without, with: added }, { bold, dim }) {
  const row = (name, a, b, more = '') => `${name.padEnd(5 + ASK)}${grouped(a).padStart(FIGURE)}${grouped(b).padStart(FIGURE)}${more && `  ${more}`}`;
  const change = (name, key) => bold(row(name, without[key], added[key], changeOf(without[key], added[key])));
  return [
    row('calls of tools', without.calls, added.calls),
    row('requests to the model', without.requests, added.requests),
    change('bytes of all requests', 'bytes'),
    change('bytes of the last request, the whole context', 'lastBytes'),
    row('bytes of the first, the client\'s own prompt', without.firstBytes, added.firstBytes),
    dim(row('tokens of all requests, estimated', without.estimatedTokens, added.estimatedTokens, '4 characters each')),
  ];
}

/**
 * @param {import('./report.mjs').Routes} routes
 * @param {number} [answers] results that were made smaller
 */
export function renderRoute({ module, hooks, moduleState }, answers = 0) {
  if (module + hooks === 0 && answers > 0) return `No call was refused, and no turn was lost: ${answers} results were made smaller. The same call again shows each of them whole.`;
  if (module > 0 && hooks === 0) return `The module inside the client made all ${module} refusals (its debug log says so); no command hook made one.`;
  const why = { 'not loaded': ', as this client loads no modules', 'without wasm': ', as this client has no wasm for the module' }[moduleState] ?? '';
  if (hooks > 0 && module === 0) return `Command hooks made all ${hooks} refusals (the client's own events say so)${why}.`;
  return `Refusals by the module inside the client: ${module}; by command hooks: ${hooks}.`;
}

/** How a figure changed, in whole percent. */
export function changeOf(before, after) {
  if (before === 0) return '';
  const percent = Math.round((100 * (after - before)) / before);
  return percent === 0 ? 'the same' : `${Math.abs(percent)} % ${percent < 0 ? 'less' : 'more'}`;
}

/** A number for people: `12,345`. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** @param {string} text @returns {string[]} lines of at most `width` characters, each behind `indent` */
export function wrap(text, indent, width) {
  const all = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      all.push(indent + line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') all.push(indent + line);
  return all;
}

function clip(text, width) {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function lines(all) {
  return `${all.join('\n')}\n`;
}

function code(on, off) {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}

function same(text) {
  return text;
}
