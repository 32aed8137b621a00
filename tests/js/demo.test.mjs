// The pure parts of the demo: the two scripts, the sums and the text. No client, no network; the real run is `npm run demo`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyOf } from '../../demo/project.mjs';
import { changeOf, grouped, renderReport, renderRoute, renderSetting, wrap } from '../../demo/render.mjs';
import { reportOf, routesOf, sumsOf, unwrapped } from '../../demo/report.mjs';
import { ANSWER, callsOf, EVIDENCE, scriptOf, stepsOf } from '../../demo/script.mjs';
import { makePlugin } from './support/plugin.mjs';

const STEPS = stepsOf('/p');
const REASON = '`x` is large. A range shows less. The same call again runs.';

test('without trimtab every step is one call; with it the way that is named follows', () => {
  const [without, added] = [callsOf(STEPS, false), callsOf(STEPS, true)];
  assert.equal(without.length, STEPS.length);
  assert.ok(without.every(({ isExpectedRefused, isWay }) => !isExpectedRefused && !isWay));
  assert.deepEqual(added.filter(({ isWay }) => !isWay).map(({ ask }) => ask), without.map(({ ask }) => ask));
  for (const { isExpectedRefused, step } of added.filter(({ isWay }) => !isWay)) assert.equal(isExpectedRefused, STEPS[step].way !== undefined);
  assert.ok(added.length > without.length);
});

test('both scripts end with the same answer, one call a turn', () => {
  for (const takesTheWay of [false, true]) {
    const { main } = scriptOf(callsOf(STEPS, takesTheWay));
    assert.deepEqual(main.at(-1), [{ text: ANSWER }]);
    assert.ok(main.slice(0, -1).every((turn) => turn.length === 1 && turn[0].tool));
  }
});

test('without git the history is left out and nothing else', () => {
  const left = STEPS.map(({ call }) => call.ask).filter((ask) => !stepsOf('/p', { hasGit: false }).some(({ call }) => call.ask === ask));
  assert.deepEqual(left, ['git log']);
});

test('the made-up history is long, and short enough for the client to show it whole', () => {
  const stream = historyOf(200);
  assert.equal(stream.match(/^commit /gm).length, 200);
  // What git prints beside the message: the id, the author, the date, and blank lines.
  const printed = [...stream.matchAll(/\n(Made-up change \d+)\n/g)].reduce((sum, [, message]) => sum + 'commit \n'.length + 40 + 'Author: Demo <demo@example.invalid>\n'.length + 'Date:   Mon Jan 01 00:00:00 2024 +0000\n'.length + message.length + 7, 0);
  assert.ok(printed > 20_000 && printed < 30_000, String(printed));
});

test('every request counts, in bytes; the last one is the main conversation\'s', () => {
  const request = (conversation, text) => ({ conversation, body: { text } });
  const { calls, requests, bytes, firstBytes, lastBytes, estimatedTokens, estimatedLastTokens } = sumsOf({
    requests: [request('side', 'title'), request('main', 'é'), request('main', 'abcdefgh'), request('side', '')],
    results: [{}, {}],
  });
  assert.deepEqual({ calls, requests, firstBytes, lastBytes }, { calls: 2, requests: 4, firstBytes: 13, lastBytes: 19 });
  assert.equal(bytes, 16 + 13 + 19 + 11);
  assert.equal(estimatedTokens, Math.round((16 + 12 + 19 + 11) / 4));
  assert.equal(estimatedLastTokens, 5);
  assert.deepEqual(sumsOf({ requests: [], results: [] }), { calls: 0, requests: 0, bytes: 0, firstBytes: 0, lastBytes: 0, estimatedTokens: 0, estimatedLastTokens: 0 });
});

test('what the client wraps around a refusal is taken off, whatever the route', () => {
  for (const around of ['', 'Permission to use Read denied by plugin trimtab: ', 'Permission to use Bash denied by plugins trimtab, other: ', 'PreToolUse:Bash hook error: ']) {
    assert.equal(unwrapped(around + REASON), REASON);
  }
});

test('who refused is read from the client\'s own log and events', () => {
  const debug = [
    'T [DEBUG] hooks module trimtab@inline loaded (worker)',
    'T [DEBUG] tool.check Read toolu_1: allow -> deny by plugin trimtab: `a` is large',
    'T [DEBUG] tool.check Bash toolu_2: ask -> deny by plugins trimtab, other: `b` is large',
    'T [DEBUG] tool.check Bash toolu_3: allow -> deny by plugin other: not trimtab',
    'T [DEBUG] tool.check Bash toolu_4: allow',
  ].join('\n');
  assert.deepEqual(routesOf({ debug, events: [] }), { module: 2, hooks: 0, moduleState: 'at work' });
  const events = [
    { subtype: 'hook_response', output: '{"hookSpecificOutput":{"permissionDecision":"deny"}}' },
    { subtype: 'hook_progress', output: '{"hookSpecificOutput":{"permissionDecision":"deny"}}' },
    { subtype: 'hook_response', output: '' },
    { type: 'result' },
  ];
  assert.deepEqual(routesOf({ debug: 'hooks module trimtab@inline not loaded: a flag', events }), { module: 0, hooks: 1, moduleState: 'not loaded' });
  assert.deepEqual(routesOf({ debug: 'trimtab@inline loaded\nno wasm in this client', events }), { module: 0, hooks: 1, moduleState: 'without wasm' });
  assert.match(renderRoute({ module: 4, hooks: 0, moduleState: 'at work' }), /^The module inside the client made all 4/);
  assert.match(renderRoute({ module: 0, hooks: 4, moduleState: 'without wasm' }), /^Command hooks made all 4.*no wasm/);
  assert.match(renderRoute({ module: 1, hooks: 3, moduleState: 'at work' }), /client: 1; by command hooks: 3/);
});

test('a run that went as scripted has no problems, and its rows say what was decided', () => {
  const { rows, problems } = reportOf(played());
  assert.deepEqual(problems, []);
  assert.deepEqual(rows.map(({ verdict, rule, isWay }) => [verdict, rule, isWay]), played().with.calls.map(({ isExpectedRefused, isWay }) => [isExpectedRefused ? 'redirect' : 'pass', isExpectedRefused ? 'a-rule' : null, isWay]));
  assert.deepEqual(rows.map(({ without }) => without !== null), rows.map(({ isWay }) => !isWay));
  assert.equal(rows[0].reason, REASON);
  assert.equal(rows[0].with.characters, `PreToolUse:Read hook error: ${REASON}`.length);
});

test('a result that was made smaller is told as one, on every route', () => {
  for (const text of ['[trimtab] Outline of a.js', '1\t[trimtab] Outline of a.js']) {
    const run = played();
    Object.assign(run.with.session.results[0], { text, isError: false });
    const { rows, problems } = reportOf(run);
    assert.deepEqual([rows[0].verdict, problems], ['answer', []]);
  }
  assert.match(renderRoute({ module: 0, hooks: 0, moduleState: 'at work' }, 3), /3 results were made smaller/);
});

test('whatever did not go as scripted is named', () => {
  const changed = (change) => {
    const run = played();
    change(run);
    return reportOf(run).problems.join('; ');
  };
  assert.match(changed(({ with: { session } }) => Object.assign(session.results[0], { text: 'all of it', isError: false })), /^call 1, .* ran, although `trimtab judge` refuses it/);
  assert.match(changed(({ with: { session }, verdicts }) => [Object.assign(session.results[0], { text: 'all of it', isError: false }), (verdicts[0] = { verdict: 'pass', why: 'cheap' })]), /^call 1, .* was neither refused nor answered with less/);
  assert.match(changed(({ with: { session } }) => Object.assign(session.results[1], { text: 'no such file', isError: true })), /^call 2, .* failed, .*: no such file/);
  assert.match(changed(({ with: { session }, verdicts }) => [Object.assign(session.results[1], { text: REASON, isError: true }), (verdicts[1] = { verdict: 'redirect', rule: 'a-rule', text: REASON })]), /^call 2, .* was refused, and the script is written for a pass/);
  assert.match(changed(({ without: { session } }) => Object.assign(session.results[0], { text: 'no such file', isError: true })), /failed without trimtab: no such file/);
  assert.match(changed(({ with: { session } }) => (session.events = [])), /with trimtab did not reach the answer/);
  assert.match(changed(({ without: { session } }) => session.results.forEach((result) => (result.text = 'x'))), /without trimtab was not shown the line/);
});

test('the text fits 60 lines of 100 columns and has colours only where they are asked for', () => {
  const setting = { client: '2.1.332', platform: 'linux-x64', commits: 200 };
  const report = reportOf(played());
  const text = renderSetting(setting) + renderReport(report);
  const all = text.split('\n');
  assert.ok(all.length <= 60, `${all.length} lines`);
  for (const line of all) assert.ok(line.length <= 100 && line === line.trimEnd(), line);
  assert.ok(!text.includes('\x1b'));
  const coloured = renderSetting(setting, true) + renderReport(report, true);
  assert.ok(coloured.includes('\x1b['));
  assert.equal(coloured.replaceAll(/\x1b\[\d+m/g, ''), text);
  for (const part of ['2.1.332', 'made-up history of 200 commits', 'redirect: a-rule', 'estimated', 'scripted', ANSWER]) assert.ok(text.replaceAll(/\s+/g, ' ').includes(part), part);
  assert.match(renderSetting({ ...setting, commits: 0 }), /no git here/);
});

test('a run with problems does not claim the answer', () => {
  const report = reportOf(played());
  assert.ok(!renderReport({ ...report, problems: ['x'] }).includes('Both sessions'));
});

test('figures are told for people', () => {
  assert.deepEqual([0, 999, 1000, 1_234_567].map(grouped), ['0', '999', '1,000', '1,234,567']);
  assert.deepEqual([changeOf(100, 74), changeOf(100, 130), changeOf(1000, 1001), changeOf(0, 5)], ['26 % less', '30 % more', 'the same', '']);
  assert.deepEqual(wrap('one two three', '  ', 9), ['  one two', '  three']);
  assert.deepEqual(wrap('', '  ', 9), []);
  assert.deepEqual(wrap('unbreakable', '  ', 5), ['  unbreakable']);
});

test('the command line refuses what it does not know before it fetches anything', async (t) => {
  const plugin = makePlugin(t);
  for (const [args, error] of [
    [['demo', 'now'], '`trimtab demo` takes no `now`; `trimtab demo -h` lists the options'],
    [['demo', '--jsno'], 'unknown option `--jsno`; did you mean `--json`?'],
  ]) {
    assert.deepEqual(await plugin.cli(args), { code: 2, stdout: '', stderr: `trimtab: ${error}\n` });
  }
});

/** Two runs as they would be, with made-up results. */
function played() {
  const runOf = (takesTheWay) => {
    const calls = callsOf(STEPS, takesTheWay);
    const results = calls.map(({ tool, isExpectedRefused }) => (isExpectedRefused ? { text: `PreToolUse:${tool} hook error: ${REASON}`, isError: true } : { text: `\n35\t${EVIDENCE}\nand ${'more '.repeat(40)}`, isError: false }));
    const requests = [...calls, null].map((_, at) => ({ conversation: 'main', body: { messages: 'x'.repeat(100 * at) } }));
    return { calls, session: { results, requests, debug: '', events: [{ type: 'result', result: ANSWER }] } };
  };
  const added = runOf(true);
  const verdicts = added.calls.map(({ isExpectedRefused }) => (isExpectedRefused ? { verdict: 'redirect', rule: 'a-rule', why: 'large-file', text: REASON } : { verdict: 'pass', rule: null, why: 'cheap' }));
  return { without: runOf(false), with: added, verdicts };
}
