// The weight of a session through Node: the commands of the CLI, and the command hooks as processes of their own.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { weigh } from '../../glue/weight.js';
import { packOf } from '../../node/packs.mjs';
import { textOf } from '../../node/weight.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const CORPUS = join(REPOSITORY, 'tests/transcripts');
const SESSION = '44444444-4444-4444-8444-444444444444';
const folder = mkdtempSync(join(tmpdir(), 'trimtab-weight-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A person's home and a project, and a transcript of so many tokens. */
function place(tokens, more = []) {
  const at = mkdtempSync(join(folder, 'p-'));
  const [home, project] = ['home', 'project'].map((name) => join(at, name));
  const projects = join(home, '.claude/projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  for (const made of [home, project, projects]) mkdirSync(made, { recursive: true });
  const transcript = join(projects, `${SESSION}.jsonl`);
  const usage = { input_tokens: tokens, output_tokens: 9 };
  const lines = [
    { type: 'user', message: { content: 'Build it.' } },
    { type: 'assistant', message: { id: 'm1', model: 'claude-opus-4-5', usage, content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { file_path: '/p/a.rs', content: 'x' } }] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x'.repeat(120_000) }] } },
    { type: 'assistant', message: { id: 'm2', model: 'claude-opus-4-5', usage, content: [{ type: 'text', text: 'So.' }] } },
    ...more,
  ];
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify({ sessionId: SESSION, ...line })}\n`).join(''));
  return { home, project, transcript };
}

function trimtab({ home, project }, args, { input = '', env = {} } = {}) {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(REPOSITORY, 'bin/trimtab.mjs'), ...args], { cwd: project, env: { PATH: process.env.PATH, HOME: home, ...env } }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin.end(input);
  });
}

const payload = ({ project, transcript }, event, more = {}) => JSON.stringify({ session_id: SESSION, transcript_path: transcript, cwd: project, hook_event_name: event, ...more });

test('weigh --json prints the contract, and without it the same for a person', async () => {
  const here = place(130_000);
  const json = await trimtab(here, ['weigh', here.transcript, '--json']);
  assert.deepEqual(JSON.parse(json.stdout), {
    contextTokens: 130_000, window: 200_000, percent: 65, turns: 2, heavy: [{ tool: 'Write', turn: 1, tokens: 30_000, share: 23 }], level: 1, complete: true,
  });
  const text = await trimtab(here, ['weigh', here.transcript]);
  assert.equal(
    text.stdout,
    `This session's context is about 130k tokens, 65 % of the window, and every turn reads it again. About 23 % of it is one tool result (Write in turn 1). \`/compact\` makes it smaller, a new session starts without it.
2 turns, 0 compactions.

Context over 2 turns
   130k │██
        │██
        │██
        │██
        │██
        │██
      0 └──
  Of the window: 50 % in turn 1

Results in it, by tool
  Write                   1×   30k  23 % ████████

The heaviest, by size times the turns that carried them
  Write                turn 1       30k  23 %
`,
  );
  assert.deepEqual(readdirSync(here.home), ['.claude']);
});

test('weigh says what is wrong, and ends with 1 where there is no answer in it', async () => {
  const here = place(9);
  const missing = await trimtab(here, ['weigh', 'none.jsonl']);
  assert.deepEqual([missing.status, missing.stderr.startsWith('trimtab: there is no `none.jsonl`')], [2, true]);
  const queue = await trimtab(here, ['weigh', join(CORPUS, 'made-up/queue-only.jsonl'), '--json']);
  assert.deepEqual([queue.status, JSON.parse(queue.stdout).contextTokens], [1, null]);
});

test('weigh tells what was said of a session and what is on, where that is kept', async () => {
  const here = place(130_000);
  mkdirSync(join(here.project, 'src'));
  writeFileSync(join(here.project, 'src/a.ts'), 'export const a = 1\n'.repeat(800));
  mkdirSync(join(here.home, '.trimtab'));
  writeFileSync(join(here.home, '.trimtab/config.json'), '{"mode": "redirect", "rules": {"unbounded-log": "off"}}');
  const call = payload(here, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'cat src/a.ts' } });
  const refused = await trimtab(here, ['hook', 'PreToolUse'], { input: call });
  assert.match(refused.stdout, /"permissionDecision":"deny"/);
  const { stdout } = await trimtab(here, ['weigh', here.transcript]);
  assert.match(stdout, /\n\nSaid by rule\n  whole-file-read      1 refused, saved about [34]k\n  In all saved about [34]k tokens, less what was said instead\.\n/);
  assert.match(stdout, /\n\nOn\n  Calls and results: mode redirect\n  Rules that are off: unbounded-log\n  Weight: told at 100k and 160k\n$/);
  const line = await trimtab(here, ['statusline'], { input: JSON.stringify({ session_id: SESSION, context_window: { total_input_tokens: 130_000, context_window_size: 200_000 } }) });
  assert.match(line.stdout, /^trimtab · context 130k of 200k \(65 %\) · saved about [34]k\n$/);
  assert.deepEqual([line.status, line.stderr], [0, '']);
});

// As 2.1.332 gives it; without a subscription there are no limits, and before the first answer the context is 0.
const STATUS = {
  session_id: SESSION, transcript_path: '/t.jsonl', cwd: '/p', version: '2.1.332', model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  cost: { total_cost_usd: 0.055 }, exceeds_200k_tokens: false,
  context_window: { total_input_tokens: 13_710, total_output_tokens: 8, context_window_size: 1_000_000, used_percentage: 1, remaining_percentage: 99 },
  rate_limits: { five_hour: { used_percentage: 23.5, resets_at: 1738425600 }, seven_day: { used_percentage: 41.2, resets_at: 1738857600 } },
};
const LINE = 'trimtab · context 14k of 1M (1 %) · 5h 24 % · 7d 41 %\n';

for (const [what, input, expected] of [
  ['everything that the client tells', STATUS, LINE],
  ['no limits', { ...STATUS, rate_limits: undefined }, 'trimtab · context 14k of 1M (1 %)\n'],
  ['one limit, and one that is no number', { ...STATUS, rate_limits: { five_hour: { used_percentage: '9' }, seven_day: { used_percentage: 0 } } }, 'trimtab · context 14k of 1M (1 %) · 7d 0 %\n'],
  ['no answer yet', { ...STATUS, context_window: { total_input_tokens: 0, context_window_size: 1_000_000, used_percentage: null }, rate_limits: undefined }, ''],
  ['a session of which nothing is kept', { ...STATUS, session_id: '../../etc/passwd' }, LINE],
  ['no session', { ...STATUS, session_id: 7 }, LINE],
  ['fields of another kind', { session_id: [], context_window: 'x', rate_limits: 7 }, ''],
  ['no input', '', ''],
  ['half of it', '{"context_window": {"total_in', ''],
  ['no object', '[1, null]', ''],
  ['null', 'null', ''],
  ['a flood', 'x'.repeat(400_000), ''],
]) {
  test(`statusline with ${what} prints ${expected === '' ? 'nothing' : 'what is known'}, and leaves nothing behind`, async () => {
    const here = place(9);
    const { status, stdout, stderr } = await trimtab(here, ['statusline'], { input: typeof input === 'string' ? input : JSON.stringify(input) });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: expected, stderr: '' });
    assert.deepEqual(readdirSync(here.home), ['.claude']);
  });
}

test('statusline never fails, however it is called', async () => {
  const { status, stdout } = await trimtab(place(9), ['statusline', '--colour']);
  assert.deepEqual([status, stdout], [0, '']);
});

test('a configuration that the person wrote counts', async () => {
  const here = place(130_000);
  mkdirSync(join(here.home, '.trimtab'));
  writeFileSync(join(here.home, '.trimtab/config.json'), '{"weight": {"warnAt": [1000, 2000, 3000]}, "contextLimit": 500000}');
  const { stdout } = await trimtab(here, ['weigh', here.transcript, '--json']);
  assert.deepEqual([JSON.parse(stdout).level, JSON.parse(stdout).window], [3, 500_000]);
});

test('of hooks that run side by side exactly one says the line, and none after a restart', async () => {
  const here = place(130_000);
  const run = (event) => trimtab(here, ['hook', event], { input: payload(here, event) });
  const answers = await Promise.all(['Stop', 'UserPromptSubmit', 'Stop', 'UserPromptSubmit'].map(run));
  assert.deepEqual(answers.map(({ status }) => status), [0, 0, 0, 0]);
  const said = answers.filter(({ stdout }) => stdout !== '').map(({ stdout }) => JSON.parse(stdout));
  assert.equal(said.length, 1);
  assert.match(said[0].systemMessage, /130k tokens/);
  rmSync(join(here.home, '.trimtab/weight', `${SESSION}.json`));
  assert.equal((await run('Stop')).stdout, '');
  assert.deepEqual(readdirSync(here.project), []);
  for (const name of readdirSync(join(here.home, '.trimtab/weight'))) assert.equal(statSync(join(here.home, '.trimtab/weight', name)).mode & 0o777, 0o600, name);
});

test('before a compaction nothing is printed and nothing blocked, and after it the state of the work is offered once', async () => {
  const here = place(130_000);
  const before = await trimtab(here, ['hook', 'PreCompact'], { input: payload(here, 'PreCompact', { trigger: 'auto' }) });
  assert.deepEqual([before.status, before.stdout], [0, '']);
  const start = () => trimtab(here, ['hook', 'SessionStart'], { input: payload(here, 'SessionStart', { source: 'compact' }) });
  const { hookEventName, additionalContext } = JSON.parse((await start()).stdout).hookSpecificOutput;
  assert.equal(hookEventName, 'SessionStart');
  assert.match(additionalContext, /^The state of the work .*\/p\/a\.rs: written in turn 1/s);
  assert.equal((await start()).stdout, '');
});

test('handoff prints and keeps, resume brings it back in the same folder only', async () => {
  const here = place(30_000);
  const nothing = await trimtab(here, ['resume']);
  assert.deepEqual([nothing.status, nothing.stdout.startsWith('Nothing was written down')], [1, true]);
  const handed = await trimtab(here, ['handoff']);
  assert.match(handed.stdout, /Goal as last stated\n> Build it\./);
  assert.equal((await trimtab(here, ['resume'])).stdout, handed.stdout);
  const elsewhere = join(here.home, 'elsewhere');
  mkdirSync(elsewhere);
  assert.equal((await trimtab({ ...here, project: elsewhere }, ['resume'])).status, 1);
  assert.equal((await trimtab({ ...here, project: elsewhere }, ['handoff', `--session=${SESSION}`])).status, 0);
});

test('a session that ends full leaves word in the project where it is configured, else with the person', async () => {
  for (const isConfigured of [true, false]) {
    const here = place(130_000);
    if (isConfigured) writeFileSync(join(here.project, '.trimtab.json'), '{}');
    await trimtab(here, ['hook', 'SessionEnd'], { input: payload(here, 'SessionEnd', { reason: 'other' }), env: { CLAUDE_PROJECT_DIR: here.project } });
    const places = [here.project, here.home].map((at) => existsSync(join(at, '.trimtab/handoff-needed')));
    assert.deepEqual(places, [isConfigured, !isConfigured]);
    const left = JSON.parse(readFileSync(join(isConfigured ? here.project : here.home, '.trimtab/handoff-needed'), 'utf8'));
    assert.deepEqual([left.session, left.token_count, left.usage_percent], [SESSION, 130_000, 65]);
  }
});

test('replay --weight tells at which turn a session would have been warned, for the longest', async () => {
  const more = [{ type: 'assistant', message: { id: 'm3', model: 'claude-opus-4-5', usage: { input_tokens: 170_000 }, content: [] } }];
  const here = place(90_000, more);
  cpSync(join(CORPUS, 'made-up/several-lines-a-message.jsonl'), join(here.transcript, '../small.jsonl'));
  const { stdout } = await trimtab(here, ['replay', '--weight', '--longest=1', '--json']);
  const report = JSON.parse(stdout);
  assert.deepEqual([report.warned, report.sessions.length, report.sessions[0].warnings], [1, 1, [{ turn: 3, level: 2, tokens: 170_000 }]]);
  assert.match((await trimtab(here, ['replay', '--weight'])).stdout, /warned at turn 3 \(about 170k tokens\)\n.*not warned\n1 of 2 sessions would have been warned\.\n$/s);
});

test('two requests at once read one transcript twice', async () => {
  const here = place(130_000);
  const asked = [];
  const host = { answer: ({ ask, path, from, bytes }) => (ask === 'text' ? asked.push(from) && textOf(path, from, bytes) : { config: {}, from: [], won: true }), carryOut: () => undefined };
  const pack = await packOf('weight');
  const request = { path: here.transcript, now: 1, holds: true };
  const answers = await Promise.all([{ do: 'moment', moment: 'stop' }, { do: 'overview' }, { do: 'weigh', config: {} }].map((what) => weigh(pack, { ...request, ...what }, host)));
  assert.deepEqual([answers[1].done.overview.turns, answers[2].done.figures.turns], [2, 2]);
  assert.match(answers[0].done.person, /130k tokens/);
  const { size } = statSync(here.transcript);
  // The third line is longer than the first two looks.
  assert.deepEqual(asked, [0, 0, 0, size - 512, size - 512], 'the second and the third look for what is new');
});

test('a range that is text goes on as bytes, and what is none as a text with its places: the same is read of both', async () => {
  const pack = await packOf('weight');
  for (const [what, said, isText] of [['ASCII', 'x', true], ['beyond ASCII', 'ä–🙂', true], ['a U+FFFD that was written', '\ufffd', true], ['a byte that is none', Buffer.from([0xff]), false]]) {
    const here = place(90_000);
    const line = (text) => Buffer.concat([Buffer.from('{"type":"user","message":{"content":"'), Buffer.from(text), Buffer.from('"}}\n')]);
    appendFileSync(here.transcript, Buffer.concat([...Array(9_000).fill(line(said)), readFileSync(here.transcript)]));
    const { size } = statSync(here.transcript);
    assert.equal((await textOf(here.transcript, 0, size)).text instanceof Uint8Array, isText, what);
    const figures = async (text) => {
      const host = { answer: ({ ask, path, from, bytes }) => (ask === 'text' ? text(path, from, bytes) : { config: {}, from: [] }), carryOut: () => undefined };
      const request = { do: 'weigh', path: here.transcript, now: 1, config: {} };
      for (;;) {
        const { done } = await weigh(pack, request, host);
        if (!done.more) return done.figures;
      }
    };
    const asString = async (path, from, bytes) => {
      const fact = await textOf(path, from, bytes);
      return { ...fact, text: Buffer.from(fact.text).toString() };
    };
    const [plain, bytes] = [await figures(asString), await figures(textOf)];
    assert.deepEqual(bytes, plain, what);
    assert.deepEqual([bytes.complete, bytes.contextTokens], [true, 90_000], what);
  }
});

test('a request that fails does not hold up the next', async () => {
  const pack = { read: () => ({ v: 1, done: { verdict: 'pass' } }) };
  const host = { answer: () => null, carryOut: () => Promise.reject(new Error('full')) };
  await assert.rejects(weigh(pack, { do: 'x' }, host));
  assert.deepEqual((await weigh(pack, { do: 'x' }, { ...host, carryOut: () => undefined })).done, { verdict: 'pass' });
});

test('/trimtab:handoff did not keep the end of the session from leaving word', async () => {
  for (const isHanded of [true, false]) {
    const here = place(130_000);
    if (isHanded) await trimtab(here, ['handoff']);
    // Another process, which has nothing of the first but the claim.
    rmSync(join(here.home, '.trimtab/weight', `${SESSION}.json`), { force: true });
    await trimtab(here, ['hook', 'SessionEnd'], { input: payload(here, 'SessionEnd', { reason: 'other' }) });
    assert.equal(existsSync(join(here.home, '.trimtab/handoff-needed')), !isHanded);
  }
});

test('what the module kept of old sessions was never cleared away', () => {
  const [, lines] = /const WRITE = (\[[^]*?\n\])\.join/.exec(readFileSync(join(REPOSITORY, 'mod/weight.ts'), 'utf8'));
  const script = new Function(`return ${lines}`)().join('\n');
  const at = mkdtempSync(join(folder, 'kept-'));
  const put = (name, days) => {
    const time = Date.now() / 1000 - days * 86_400;
    writeFileSync(join(at, name), 'x');
    utimesSync(join(at, name), time, time);
  };
  const write = () => spawnSync('sh', ['-c', script, 'sh', join(at, 'handoff-1.json')], { input: '{}' }).status;
  for (const name of ['handoff-0.json', '0.level-00000000-1.said', '0.json.7.tmp', 'notes.txt']) put(name, 8);
  put('handoff-2.json', 6);
  assert.equal(write(), 0);
  assert.deepEqual(readdirSync(at).sort(), ['handoff-1.json', 'handoff-2.json', 'notes.txt']);
  put('handoff-0.json', 8);
  assert.equal(write(), 0);
  assert.ok(existsSync(join(at, 'handoff-0.json')), 'not at every save');
});
