// What a run's figures mean: a table of medians with ratios, and what must be reached, each with "holds" or "does not hold".
// Works on the raw figures of a run alone, so that a kept run can be read again.

import { comparison, quantile, summary } from './stats.mjs';

const median = (values) => quantile(values, 0.5);
const ratio = (one, other) => one(0.5) / other(0.5);
const difference = (q) => (one, other) => one(q) - other(q);

/** What a series stands beside in the table, where both were measured. */
const BESIDE = [
  [/^(\w+) judge(, .+)?$/, '$1 echo$2'],
  [/^(\w+) (judge|echo)Value(, .+)?$/, '$1 $2$3'],
  [/^(\w+) cold$/, '$1 judge'],
  [/^node echo$/, 'mod echo'],
  [/^(?:mod|node) (?:find|usages), (\d+ candidates)$/, 'git grep, $1'],
  [/^native judge$/, 'node judge'],
  [/^step, (?!no plugin).*$/, 'step, no plugin'],
  [/^early exit.*$/, 'sh -c :'],
  [/^(stage|full hook).*$/, 'node -e 0'],
  [/^node -e 0$/, 'sh -c :'],
];

/** `figure` gives `{value, low?, high?}` or null where its part was left out; what holds is at most `most`. */
const BOUNDS = [
  { says: 'a warm decision in the module, median', unit: 'ms', most: () => 0.15, figure: alone('mod judge') },
  { says: 'the same above the echo, 99th percentile', unit: 'ms', most: () => 0.5, figure: pair('mod judge', 'mod echo', difference(0.99)) },
  { says: 'the same, each command by its own median', unit: 'ms', most: () => 0.5, figure: pair('mod judge', 'mod echo', difference(0.99), byCommand) },
  { says: 'a step with the module alone, above one without a plugin', unit: 'ms', most: tenthOf('step, no plugin'), figure: pair('step, the module alone', 'step, no plugin', difference(0.5)) },
  { says: 'a step with the whole plugin, above one without', unit: 'ms', most: tenthOf('step, no plugin'), figure: pair('step, the plugin: module and early exit', 'step, no plugin', difference(0.5)) },
  { says: 'an early exit where the module answers, beside `sh -c :`', unit: '×', most: () => 2, figure: pair('early exit, the module answers', 'sh -c :', ratio) },
  { says: 'an early exit where no program is known, beside `sh -c :`', unit: '×', most: () => 2, figure: pair('early exit, no known program', 'sh -c :', ratio) },
  { says: 'a full command hook that passes, beside `node -e 0`', unit: '×', most: () => 1.6, figure: pair('full hook, passes', 'node -e 0', ratio) },
  { says: 'a full command hook that refuses, beside `node -e 0`', unit: '×', most: () => 1.6, figure: pair('full hook, refuses', 'node -e 0', ratio) },
  { says: 'processes for calls that no `if` lets through', unit: '', most: () => 0, figure: fact('hook processes for 3 Reads that no `if` lets through') },
  { says: 'a MB of a pack loaded in the module, the slowest', unit: 'ms', most: () => 60, figure: slowest(/^mod (pack \w+|weight), a MB/) },
  { says: 'an outline of 200 KB in the module for the first time, the slowest', unit: 'ms', most: () => 100, figure: slowest(/^mod pack \w+, outline, cold$/) },
  { says: 'the same again, median of the slowest', unit: 'ms', most: () => 100, figure: slowest(/^mod pack \w+, outline$/) },
  { says: 'the first answer from a large transcript in the module', unit: 'ms', most: () => 50, figure: alone('mod weight, first answer') },
  { says: 'all of it', unit: 'ms', most: () => 2_000, figure: alone('mod weight, whole file') },
  { says: 'calls of the weight pack above 20 ms', unit: '', most: () => 0, figure: fact('mod weight: calls of the pack above 20 ms') },
  { says: 'a turn of 50 KB that was appended, in the pack, median', unit: 'ms', most: () => 2, figure: alone('mod weight, an appended turn in the pack') },
  { says: '`find` and `usages` in the module, of 3 × `git grep` and 1 ms a candidate, the most', unit: '×', most: () => 1, figure: searches('mod', 'mod step beside the tools') },
  { says: 'the same in Node', unit: '×', most: () => 1, figure: searches('node') },
  { says: 'bytes that the wasm memory grows by behind a tenth of the calls', unit: 'B', most: () => 0, figure: growth },
];

function alone(key) {
  return ({ series }) => (series[key] ? (({ median: value, low, high }) => ({ value, low, high }))(summary(series[key].groups)) : null);
}

function pair(key, other, compare, sorted = (groups) => groups) {
  return ({ series }) => (series[key] && series[other] ? comparison(sorted(series[key].groups), sorted(series[other].groups), compare) : null);
}

/** One sample for each command, the median of its rounds: what a busy machine put between is gone, what the command itself takes is not. */
function byCommand(groups) {
  return groups[0].map((_, index) => [median(groups.map((round) => round[index]))]);
}

/** The largest of the medians of all series of that name. */
function slowest(pattern) {
  return ({ series }) => {
    const medians = Object.entries(series).filter(([key]) => pattern.test(key)).map(([, { groups }]) => median(groups.flat()));
    return medians.length > 0 ? plain(Math.max(...medians)) : null;
  };
}

/** The share of what a search may take that the slowest took, without the time of an idle step around it. */
function searches(host, idle) {
  return ({ series }) => {
    const middle = (key) => (series[key] ? median(series[key].groups.flat()) : 0);
    const shares = Object.keys(series).filter((key) => new RegExp(`^${host} (find|usages), `).test(key)).map((key) => {
      const [candidates] = /\d+/.exec(key);
      return (middle(key) - middle(idle)) / (3 * middle(`git grep, ${candidates} candidates`) + Number(candidates));
    });
    return shares.length > 0 ? plain(Math.max(...shares)) : null;
  };
}

function fact(name) {
  return ({ facts }) => (name in facts ? plain(facts[name]) : null);
}

function growth({ facts }) {
  const [early, late] = [facts['wasm memory early, bytes'], facts['wasm memory, bytes']];
  return late === undefined ? null : plain(late - early);
}

/** 5 ms, or a tenth of that series where it is more. */
function tenthOf(key) {
  return ({ series }) => Math.max(5, median(series[key].groups.flat()) / 10);
}

const plain = (value) => ({ value });

/** @returns {{ rows: object[], bounds: object[], facts: object }} */
export function reportOf({ series, facts }) {
  const rows = Object.entries(series).map(([key, { groups }]) => {
    const beside = BESIDE.filter(([pattern]) => pattern.test(key)).map(([pattern, name]) => key.replace(pattern, name)).find((name) => name in series);
    return { key, ...summary(groups), ...(beside && { beside, ratio: comparison(groups, series[beside].groups, ratio) }) };
  });
  const bounds = BOUNDS.flatMap(({ says, unit, most, figure }) => {
    const found = figure({ series, facts });
    if (found === null) return [];
    const limit = most({ series, facts });
    return [{ says, unit, ...found, most: limit, holds: found.value <= limit }];
  });
  return { rows, bounds, facts };
}

/** The report as a person reads it. */
export function printed({ rows, bounds, facts }) {
  const lines = [];
  if (rows.length > 0) {
    const table = rows.map(({ key, n, median: middle, low, high, p99: late, beside, ratio: times }) => [
      key, String(n), digits(middle), `${digits(low)}-${digits(high)}`, digits(late), times ? `${digits(times.value)} × ${beside} (${digits(times.low)}-${digits(times.high)})` : '',
    ]);
    lines.push(...aligned([['milliseconds', 'n', 'median', '95 %', 'p99', 'median beside'], ...table], [1, 2, 3, 4]), '');
  }
  for (const [name, value] of Object.entries(facts)) lines.push(`${name}: ${typeof value === 'number' ? Number(digits(value)).toLocaleString('en-US') : value}`);
  if (bounds.length > 0) {
    const table = bounds.map(({ says, unit, value, low, high, most, holds }) => [says, `${digits(value)} ${unit}`, low === undefined ? '' : `${digits(low)}-${digits(high)}`, `at most ${digits(most)}`, holds ? 'holds' : 'does not hold']);
    lines.push('', ...aligned([['what must be reached', 'found', '95 %', 'wanted', ''], ...table]));
  }
  return `${lines.join('\n')}\n`;
}

/** Columns of even width; those in `numbers` end at the same place. */
function aligned(rows, numbers = []) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const padded = (cell, column) => (numbers.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

/** Three digits that count, and every digit of a large number. */
function digits(value) {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return String(Math.round(value));
  return value.toPrecision(3);
}
