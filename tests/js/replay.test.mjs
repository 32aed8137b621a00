// `trimtab replay`: old transcripts before today's rules. Each trap of the format is a small session in tests/transcripts/made-up with
// its whole report beside it (`UPDATE=1` writes these anew); what is too large or too odd to be committed is made here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as command from '../../cli/replay.mjs';
import { loadCore } from '../../node/core.mjs';
import { standsAlone } from '../../replay/alone.mjs';
import { createFit } from '../../replay/factor.mjs';
import { findTranscripts } from '../../replay/files.mjs';
import { linesOf } from '../../replay/lines.mjs';
import { renderReport, reportOf } from '../../replay/report.mjs';
import { replay } from '../../replay/run.mjs';
import { sinceOf } from '../../replay/since.mjs';
import { HOSTS } from '../../scripts/transcripts/anonymous.mjs';
import { BIG, MADE_UP, madeUpFiles } from '../../scripts/transcripts/made-up.mjs';
import { run, scratch } from './support/plugin.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const TRANSCRIPTS = join(REPOSITORY, 'tests/transcripts');
const loaded = await loadCore({ isOnce: true });

/** The report on files and folders, as `--json` prints it. */
async function reportOn(paths, { since, show, route = 'hooks' } = {}) {
  const found = await findTranscripts([paths].flat(), { since, onUnreadable: assert.fail });
  return reportOf(await replay({ found, loaded, route, since }), { show });
}

function expectWhole(report, file) {
  if (process.env.UPDATE) writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  assert.deepEqual(report, JSON.parse(readFileSync(file, 'utf8')), `${relative(REPOSITORY, file)}; UPDATE=1 writes it anew`);
}

/** The command in a home of its own. */
function cli(t, args, { home = scratch(t), cwd = home, env = {} } = {}) {
  return run([process.execPath, join(REPOSITORY, 'bin/trimtab.mjs'), 'replay', ...args], { cwd, env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...env } });
}

const lineOf = (record) => `${JSON.stringify(record)}\n`;
/** The lines of a session that looks at one file. */
function lookAt(file, { cwd = '/repo', session = 's1', id = 'toolu_1', content = BIG, timestamp } = {}) {
  const line = (record) => lineOf({ ...record, sessionId: session, cwd, timestamp });
  return (
    line({ type: 'assistant', message: { id: `msg_${id}`, content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `cat ${file}` } }] } }) +
    line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } })
  );
}

describe('made-up transcripts', () => {
  for (const { name, trap } of MADE_UP) {
    test(trap, async () => {
      const folder = join(TRANSCRIPTS, 'made-up', name);
      const since = name === 'days-apart' ? Date.UTC(2026, 1, 1) : undefined;
      expectWhole(await reportOn(existsSync(folder) ? folder : `${folder}.jsonl`, { since }), `${folder}.expected.json`);
    });
  }

  test('they are, byte for byte, what their script writes, and each stands in the README with its trap', () => {
    const readme = readFileSync(join(TRANSCRIPTS, 'README.md'), 'utf8');
    for (const [path, bytes] of Object.entries(madeUpFiles())) assert.ok(readFileSync(join(TRANSCRIPTS, 'made-up', path)).equals(bytes), path);
    for (const { name, trap } of MADE_UP) assert.ok(readme.includes(`| \`${name}\` | ${trap} |`), name);
  });
});

describe('recorded transcripts', () => {
  test('every session that a real client wrote is read to its end, and its report is as expected', async () => {
    const report = await reportOn(join(TRANSCRIPTS, 'recorded'));
    assert.deepEqual(report.skipped, { files: {}, longLines: 0, unreadableLines: 0, foreignLines: 0 });
    assert.equal(report.sessions, JSON.parse(readFileSync(join(TRANSCRIPTS, 'recorded/sessions.json'), 'utf8')).length);
    assert.equal(report.tokens.basis, 'fitted');
    assert.equal(report.calls.withoutResult, 0);
    expectWhole(report, join(TRANSCRIPTS, 'recorded.expected.json'));
  });

  test('inside the client the same calls run, and what is put in the place of their results saves more than it loses, by each rule', async () => {
    const report = await reportOn(join(TRANSCRIPTS, 'recorded'), { route: 'module' });
    assert.equal(report.total.refused, 0);
    for (const { rule, netTokens } of report.rules) assert.ok(netTokens > 0, rule);
    expectWhole(report, join(TRANSCRIPTS, 'recorded.answered.json'));
  });

  test('none of them names the machine that wrote it, or a place where packages are published', () => {
    for (const name of readdirSync(join(TRANSCRIPTS, 'recorded'), { recursive: true }).filter((path) => path.endsWith('.jsonl'))) {
      const text = readFileSync(join(TRANSCRIPTS, 'recorded', name), 'utf8');
      assert.doesNotMatch(text, /\/root\b|\/work\/|trimtab|\/home\/(?!u\b)\w/, name);
      assert.equal(text.search(HOSTS), -1, name);
      for (const line of text.trimEnd().split('\n')) assert.match(JSON.parse(line).cwd ?? '/repo', /^\/repo(\/|$)/, name);
    }
  });
});

test('lines over the limit are skipped and counted, wherever they stand, and the rest goes on', async (t) => {
  const folder = scratch(t);
  const long = 'x'.repeat(20 * 1024 * 1024);
  const file = join(folder, 's1.jsonl');
  writeFileSync(file, `${lookAt('a.ts')}${lineOf({ type: 'user', message: { content: long } })}${lookAt('b.ts', { id: 'toolu_2' })}${long}`);
  const { code, stdout, stderr } = await cli(t, [file, '--hooks', '--json']);
  const report = JSON.parse(stdout);
  assert.deepEqual({ code, stderr, judged: report.calls.judged, refused: report.total.refused, longLines: report.skipped.longLines }, { code: 0, stderr: '', judged: 2, refused: 2, longLines: 2 });
});

test('a long result that came as one line of 9 MB is read', async (t) => {
  const file = join(scratch(t), 's1.jsonl');
  writeFileSync(file, lookAt('a.ts', { content: `${BIG}\n`.repeat(1000) }));
  assert.equal((await reportOn(file)).total.refused, 1);
});

test('files that are no transcripts say nothing, and the others are judged', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'binary.jsonl'), Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256)));
  writeFileSync(join(folder, 'empty.jsonl'), '');
  writeFileSync(join(folder, 'notes.md'), lookAt('a.ts'));
  mkdirSync(join(folder, 'folder.jsonl'));
  writeFileSync(join(folder, 'good.jsonl'), lookAt('a.ts'));
  if (process.platform !== 'win32') symlinkSync(folder, join(folder, 'around'));
  const { code, stdout, stderr } = await cli(t, [folder]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /^1 session \(and 0 subagents\), 0\.\d MB: 1 call judged by today's rules, as the module decides$/m);
  assert.match(stdout, /Left out: [\d,]+ lines that are no records\./);
});

test('a file that cannot be opened is counted by its code, and the rest goes on', { skip: process.platform === 'win32' }, async (t) => {
  const folder = scratch(t);
  const isRoot = process.getuid() === 0;
  writeFileSync(join(folder, 'good.jsonl'), lookAt('a.ts'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  writeFileSync(join(folder, 'secret.jsonl'), lookAt('b.ts', { session: 's2' }));
  chmodSync(join(folder, 'secret.jsonl'), 0o000);
  const paths = ['good.jsonl', 'pipe.jsonl', ...(isRoot ? [] : ['secret.jsonl'])].map((name) => join(folder, name));
  const { code, stdout, stderr } = await cli(t, [...paths, '--json']);
  const { calls, skipped } = JSON.parse(stdout);
  assert.deepEqual({ code, stderr, judged: calls.judged }, { code: 0, stderr: '', judged: 1 });
  assert.deepEqual(skipped.files, { ENOTFILE: 1, ...(!isRoot && { EACCES: 1 }) });
});

test('a place that is not there is an error with the next step, before anything is read', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'good.jsonl'), lookAt('a.ts'));
  assert.deepEqual(await cli(t, ['good.jsonl', 'no-such-folder'], { cwd: folder }), { code: 2, stdout: '', stderr: 'trimtab: there is no `no-such-folder`; name a transcript, or a folder with transcripts\n' });
});

test('an empty result says why, and ends with 1', async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'queue.jsonl'), lineOf({ type: 'queue-operation', sessionId: 's1' }));
  writeFileSync(join(folder, 'old.jsonl'), lookAt('a.ts', { timestamp: '2020-01-01T00:00:00.000Z' }));
  const said = {
    '': 'No call to judge: there are no transcripts in `~/.claude/projects`; name a file or folder.\n',
    empty: 'No call to judge: there is no transcript (`.jsonl`).\n',
    'queue.jsonl': 'No call to judge: what was read holds no call that is judged, with a result.\n',
    'old.jsonl --since=1d': 'No call to judge: `--since` leaves out what is older.\n',
  };
  for (const [args, stdout] of Object.entries(said)) assert.deepEqual(await cli(t, args.split(' ').filter(Boolean), { cwd: folder }), { code: 1, stdout, stderr: '' }, args);
});

test('wrong options are errors with an example', async (t) => {
  const said = {
    '--since=yesterday': '`--since` is `yesterday`; it takes a date such as `2026-01-31`, or how long ago, such as `7d`',
    '--show=0': '`--show` is `0`; it takes a number from 1 on',
    '--show=all': '`--show` is `all`; it takes a number from 1 on',
    '--jsn': 'unknown option `--jsn`; did you mean `--json`?',
  };
  for (const [option, error] of Object.entries(said)) assert.deepEqual(await cli(t, [option]), { code: 2, stdout: '', stderr: `trimtab: ${error}\n` }, option);
});

test('without a place the sessions under the home folder are replayed, and nothing is written there', async (t) => {
  const home = scratch(t);
  const projects = join(home, '.claude/projects/-repo');
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(projects, 's1.jsonl'), lookAt('a.ts'));
  const { code, stdout } = await cli(t, [], { home });
  assert.equal(code, 0);
  assert.match(stdout, /^large-result +0 +1 /m);
  assert.deepEqual(readdirSync(home, { recursive: true }).sort(), ['.claude', '.claude/projects', '.claude/projects/-repo', '.claude/projects/-repo/s1.jsonl']);
});

test('the sessions of a client with a folder of its own were looked for in the usual one', async (t) => {
  const home = scratch(t);
  mkdirSync(join(home, 'own/projects/-repo'), { recursive: true });
  writeFileSync(join(home, 'own/projects/-repo/s1.jsonl'), lookAt('a.ts'));
  const { stdout } = await cli(t, [], { home, env: { CLAUDE_CONFIG_DIR: join(home, 'own') } });
  assert.match(stdout, /^large-result +0 +1 /m);
  const none = await cli(t, [], { home, env: { CLAUDE_CONFIG_DIR: join(home, 'none') } });
  assert.equal(none.stdout, 'No call to judge: there are no transcripts in `$CLAUDE_CONFIG_DIR/projects`; name a file or folder.\n');
});

test('the files of today and the settings of the person change nothing', async (t) => {
  const home = scratch(t);
  const repo = join(home, 'repo');
  for (const folder of [repo, join(home, '.trimtab')]) mkdirSync(folder);
  writeFileSync(join(repo, 'a.ts'), 'export const small = 1;\n');
  writeFileSync(join(repo, 'big.ts'), `${BIG}\n`);
  for (const file of [join(home, '.trimtab/config.json'), join(repo, '.trimtab.json')]) writeFileSync(file, '{"mode":"off"}');
  const file = join(home, 's1.jsonl');
  writeFileSync(file, `${lookAt('a.ts', { cwd: repo })}${lookAt('big.ts', { cwd: repo, id: 'toolu_2', content: 'one line' })}`);
  const { stdout } = await cli(t, [file, '--hooks', '--json'], { home, cwd: repo });
  const { total, passes } = JSON.parse(stdout);
  assert.equal(total.refused, 1);
  assert.deepEqual(passes.map(({ why, calls }) => [why, calls]), [['cheap', 1]]);
});

test('no command and no path is named, but for examples that were asked for', async (t) => {
  const folder = join(TRANSCRIPTS, 'made-up');
  const named = /big\.ts|\/repo|transcripts\/|\bcat\b|git log/;
  for (const args of [[], ['--json']]) {
    assert.doesNotMatch((await cli(t, [folder, ...args])).stdout, named, args.join());
    const { stdout } = await cli(t, [folder, ...args, '--show=3']);
    assert.match(stdout, named, args.join());
  }
  const { examples } = await reportOn(join(folder, 'asked-again.jsonl'), { show: 1 });
  assert.deepEqual(examples.map(({ file, saidTokens, ...example }) => example), [
    { session: 1, inSubagent: false, turn: 1, tool: 'Bash', call: 'cat big.ts', rule: 'whole-file-read', verdict: 'redirect', shownTokens: 2070, cut: false, again: true },
  ]);
  assert.match((await cli(t, [folder, '--show=1'])).stdout, /Examples, with commands and paths from your transcripts:/);
});

test('the report for a person names what was lost, what was wrong, and what the record does not tell', async () => {
  const lost = renderReport(await reportOn(join(TRANSCRIPTS, 'made-up/boundary-with-post-tokens.jsonl')));
  assert.match(lost, /^all +1 +0 +[\d,]+ +\d+ +0 +0 +1 +\d+ +0 +-\d+$/m, 'a net below zero');
  assert.match(lost, /lost are what trimtab\nwould have said and 1 turn\./);
  const wrong = renderReport(await reportOn(join(TRANSCRIPTS, 'made-up/wrong-refusal.jsonl')));
  assert.match(wrong, /^Wrong refusals, whose result was under 2,000 tokens:\n  session 1, turn 2: Bash, whole-file-read, \d+ tokens$/m);
  const unknown = renderReport(await reportOn(join(TRANSCRIPTS, 'made-up/several-commands.jsonl')));
  assert.match(unknown, /unknown-fact: the record does not tell/);
  for (const line of `${lost}${wrong}${unknown}`.split('\n')) assert.ok(line.length <= 132, line);
});

test('turns are messages, not lines, and a command in an example gives the terminal no orders', async (t) => {
  const { examples } = await reportOn(join(TRANSCRIPTS, 'made-up/several-lines-a-message.jsonl'), { show: 9 });
  assert.deepEqual(examples.map(({ turn, call }) => [turn, call]), [[1, 'cat big.ts'], [2, 'cat other.ts']]);
  const file = join(scratch(t), 's1.jsonl');
  writeFileSync(file, lookAt("'a\u001b]0;x\u0007\n.ts'"));
  const text = renderReport(await reportOn(file, { show: 1 }));
  assert.match(text, /^ {4}Bash cat 'a \]0;x \.ts'$/m);
});

test('progress is told on a terminal alone, and wiped away', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1000));
  const said = { stdout: '', stderr: '' };
  const io = (isTTY) => ({ stdout: { write: (text) => (said.stdout += text) }, stderr: { isTTY, write: (text) => (said.stderr += text) }, env: {}, cwd: TRANSCRIPTS });
  await command.run(['made-up'], io(false));
  assert.equal(said.stderr, '');
  await command.run(['made-up'], io(true));
  assert.match(said.stderr, /^\r0 of \d+ files, 0 of 1 MB\r/);
  assert.match(said.stderr, /\r +\r$/);
});

test('`--since` takes dates and spans, and nothing else', () => {
  const now = Date.UTC(2026, 5, 10);
  assert.equal(sinceOf('36h', now), now - 36 * 3_600_000);
  assert.equal(sinceOf('7d', now), Date.UTC(2026, 5, 3));
  assert.equal(sinceOf('2w', now), Date.UTC(2026, 4, 27));
  assert.equal(sinceOf('2026-01-31T09:00Z', now), Date.UTC(2026, 0, 31, 9));
  assert.equal(sinceOf('2026-01-31', now), new Date(2026, 0, 31).getTime());
  for (const text of ['', '7', 'd', '-7d', '7m', '2026', '2026-13-40', '31.1.2026', 'now', '7d ']) assert.equal(sinceOf(text, now), null, text);
});

test('files that were last written before `--since` are not opened', async (t) => {
  const folder = scratch(t);
  for (const name of ['old', 'new']) writeFileSync(join(folder, `${name}.jsonl`), '');
  utimesSync(join(folder, 'old.jsonl'), 1, 1);
  const found = await findTranscripts([folder], { since: 2_000, onUnreadable: assert.fail });
  assert.deepEqual(found.map(({ path }) => relative(folder, path)), ['new.jsonl']);
});

test('a session that is named brings its subagents along, and a file that is named twice is read once', async (t) => {
  const folder = join(scratch(t), '-repo');
  const session = '11111111-1111-4111-8111-111111111111';
  for (const path of [`${session}.jsonl`, `${session}/subagents/agent-b.jsonl`, `${session}/subagents/deep/agent-a.jsonl`, `${session}/tool-results/x.txt`, 'agent-old.jsonl']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  const find = async (...paths) => (await findTranscripts(paths.map((path) => join(folder, path)), { onUnreadable: assert.fail })).map(({ path, isAgent, session: id }) => [relative(folder, path), isAgent, id]);
  const own = [`${session}.jsonl`, false, session];
  const agents = [[`${session}/subagents/agent-b.jsonl`, true, session], [`${session}/subagents/deep/agent-a.jsonl`, true, null]];
  assert.deepEqual(await find(`${session}.jsonl`), [own, ...agents]);
  assert.deepEqual(await find('.', `${session}.jsonl`, '.'), [own, ...agents, ['agent-old.jsonl', true, null]]);
});

test('an output is a command\'s own only where nothing else could have printed', () => {
  const alone = ['git log', 'cat src/a.ts', 'cd src && cat a.ts', 'cd "my folder"; git log', "grep -rn 'a\\|b' src", 'grep -rn "a|b;c" src', 'git log 2>/dev/null', 'git log 2>&1', 'rg -g "*.{ts,tsx}" x', 'git log \\\n --oneline'];
  const notAlone = ['git log; ls', 'git log && ls', 'git log | cat', 'git log\nls', 'echo $(git log)', 'cat a.ts > b', 'cat < a.ts', 'git log &', 'grep "$(ls)" src', 'grep "`ls`" src', "cat 'a", '(git log)', 'cd a && cd b && ls', 'cat a # b'];
  for (const text of alone) assert.equal(standsAlone(text), true, text);
  for (const text of notAlone) assert.equal(standsAlone(text), false, text);
});

test('the factor is fitted by least squares, and assumed where pairs are too few, do not agree or say what cannot be', () => {
  const fit = (pairs) => {
    const sums = createFit();
    for (const [characters, tokens] of pairs) sums.add(characters, tokens);
    return sums.result();
  };
  const line = (slope, frame = 0) => Array.from({ length: 20 }, (_, at) => [1_000 + at * 500, (1_000 + at * 500) * slope + frame]);
  const { charactersPerToken, errorPercent, pairs, basis } = fit(line(0.25, 30));
  assert.ok(Math.abs(charactersPerToken - 4) < 1e-9 && errorPercent < 1e-4);
  assert.deepEqual({ pairs, basis }, { pairs: 20, basis: 'fitted' });
  // By hand: characters 1000 and 2000 four times each, tokens 300 ± 10 and 500 ± 10, so the line is exact and each pair misses it by 10.
  const spread = [-10, 10, -10, 10].flatMap((miss) => [[1_000, 300 + miss], [2_000, 500 + miss]]);
  assert.deepEqual(fit(spread), { charactersPerToken: 5, errorPercent: 2.5, pairs: 8, basis: 'fitted' });
  const assumed = (count) => ({ charactersPerToken: 4, errorPercent: null, pairs: count, basis: 'assumed' });
  assert.deepEqual(fit([]), assumed(0));
  assert.deepEqual(fit(line(0.25).slice(0, 7)), assumed(7));
  assert.deepEqual(fit(Array(20).fill([1_000, 250])), assumed(20), 'all of one length');
  assert.deepEqual(fit(line(0.01)), assumed(20), 'a hundred characters a token');
  assert.deepEqual(fit([...line(2), ...line(-1), ...Array(9).fill([100, 25])]), assumed(0), 'more tokens than characters, a context that shrank, and short texts');
});

test('lines come out whole, whatever the pieces in which they are read', async (t) => {
  const file = join(scratch(t), 'lines');
  const lines = ['', 'é'.repeat(700_000), 'x'.repeat(1024 * 1024), '', 'last'];
  writeFileSync(file, lines.join('\n'));
  const read = async (options) => {
    const all = [];
    for await (const line of linesOf(file, options)) all.push(line);
    return all;
  };
  assert.deepEqual(await read(), lines.map((text, at) => ({ text, isEnded: at < 4 })));
  assert.deepEqual((await read({ maxBytes: 1_400_000 })).map(({ text }) => text?.length), [0, 700_000, 1024 * 1024, 0, 4]);
  assert.deepEqual((await read({ maxBytes: 1_399_999 })).map(({ text }) => text?.length), [0, undefined, 1024 * 1024, 0, 4]);
  let bytes = 0;
  await read({ onBytes: (more) => (bytes += more) });
  assert.equal(bytes, Buffer.byteLength(lines.join('\n')));
});

test('two runs in one process know nothing of each other', async (t) => {
  const file = join(scratch(t), 's1.jsonl');
  copyFileSync(join(TRANSCRIPTS, 'made-up/asked-again.jsonl'), file);
  assert.deepEqual(await reportOn(file), await reportOn(file));
});

/** A session that reads a source file, and does more. */
function readings(...more) {
  const content = Array.from({ length: 60 }, (_, at) => `export function step${at}(input: string): string {\n${'  input = input.trim();\n'.repeat(12)}  return input;\n}\n`).join('');
  const numbered = content.split('\n').map((line, at) => `${at + 1}\t${line}`).join('\n');
  const calls = [{ name: 'Read', input: { file_path: '/repo/a.ts' }, content: numbered }, ...more.map((call) => call(numbered))];
  const line = (record) => lineOf({ ...record, sessionId: 's1', cwd: '/repo' });
  return calls.map(({ content, ...call }, at) => {
    const id = `toolu_${at}`;
    return line({ type: 'assistant', message: { id: `msg_${at}`, content: [{ type: 'tool_use', id, ...call }] } }) + line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } });
  }).join('');
}

describe('what is put in the place of a result', () => {
  const again = (content) => ({ name: 'Read', input: { file_path: '/repo/a.ts' }, content });
  const ranged = () => ({ name: 'Read', input: { file_path: '/repo/a.ts', offset: 20, limit: 2 }, content: '20\t  input = input.trim();\n21\t  input = input.trim();' });
  const edit = () => ({ name: 'Edit', input: { file_path: '/repo/a.ts', old_string: 'step1(', new_string: 'stepOne(' }, content: 'The file /repo/a.ts has been updated.' });
  const failed = () => ({ name: 'Edit', input: { file_path: '/repo/b.ts', old_string: 'step1(', new_string: 'stepOne(' }, content: 'The file /repo/b.ts has been updated.' });
  for (const [title, calls, { saved, lost, edited }] of [
    ['saves', [], { saved: true, lost: 0, edited: false }],
    ['saves still where a range was read', [ranged], { saved: true, lost: 0, edited: false }],
    ['is lost where the file was read whole once more', [again], { saved: false, lost: 1, edited: false }],
    ['is marked where the file was edited', [edit], { saved: true, lost: 0, edited: true }],
    ['is not marked by another file', [failed], { saved: true, lost: 0, edited: false }],
  ]) {
    test(`an outline ${title}`, async (t) => {
      const file = join(scratch(t), 's1.jsonl');
      writeFileSync(file, readings(...calls));
      const { total, rules } = await reportOn(file, { route: 'module' });
      assert.deepEqual(rules.map(({ rule, answered, refused }) => [rule, answered, refused]), [['whole-file-read', 1, 0]]);
      assert.deepEqual({ saved: total.savedTokens > 0, lost: total.lostTurns, edited: total.editedTokens > 0 }, { saved, lost, edited });
      assert.equal(total.netTokens > 0, saved);
    });
  }

  test('searches by the client\'s own tool count too, and images and errors are let be', async (t) => {
    const file = join(scratch(t), 's1.jsonl');
    const hits = Array.from({ length: 600 }, (_, at) => `/repo/src/a${at % 40}.ts:${at}:export const value${at} = "some text that is long enough";`).join('\n');
    const line = (record) => lineOf({ ...record, sessionId: 's1', cwd: '/repo' });
    const call = (id, name, input, content, more = {}) =>
      line({ type: 'assistant', message: { id: `msg_${id}`, content: [{ type: 'tool_use', id, name, input }] } }) + line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] } });
    writeFileSync(file, [
      call('1', 'Grep', { pattern: 'value', output_mode: 'content' }, hits),
      call('2', 'Bash', { command: 'cat /repo/x.ts' }, hits, { is_error: true }),
      call('3', 'Read', { file_path: '/repo/x.png' }, [{ type: 'image', source: {} }, { type: 'text', text: hits }]),
    ].join(''));
    const { calls, rules } = await reportOn(file, { route: 'module' });
    assert.deepEqual({ Grep: calls.Grep, Bash: calls.Bash, Read: calls.Read, judged: calls.judged }, { Grep: 1, Bash: 1, Read: 1, judged: 3 });
    assert.deepEqual(rules.map(({ rule, answered }) => [rule, answered]), [['large-result', 1]]);
  });
});

test('PowerShell was left out', async (t) => {
  const file = join(scratch(t), 's1.jsonl');
  const line = (record) => lineOf({ ...record, sessionId: 's1', cwd: '/repo' });
  const content = Array.from({ length: 700 }, (_, at) => `export const value${at} = ${at}; // a line of some length`).join('\n');
  writeFileSync(file, line({ type: 'assistant', message: { id: 'm1', content: [{ type: 'tool_use', id: 't1', name: 'PowerShell', input: { command: 'Get-Content src/a.ts' } }] } }) + line({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content }] } }));
  for (const [route, key] of [['hooks', 'refused'], ['module', 'answered']]) {
    const { calls, rules } = await reportOn(file, { route });
    assert.deepEqual([calls.PowerShell, rules.map((rule) => rule[key])], [1, [1]], route);
  }
});
