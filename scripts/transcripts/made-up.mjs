// Writes tests/transcripts/made-up/: one small session for each trap of the format, with made-up content. The same bytes every time.
// `node scripts/transcripts/made-up.mjs`. Knows nothing of trimtab; what is expected of each stands beside it in `*.expected.json`.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OUT = fileURLToPath(new URL('../../tests/transcripts/made-up/', import.meta.url));
const START = Date.UTC(2026, 0, 5, 9);

/** 345 lines, 8.3 KB: just large for the rules, small for a fixture. */
const BIG_LINES = 345;
export const BIG = Array.from({ length: BIG_LINES }, (_, at) => `const value${String(at).padStart(4, '0')} = ${at % 10};`.padEnd(23)).join('\n');
const SMALL = 'export const one = 1;';
const gutter = (text, between = '\t') => text.split('\n').map((line, at) => `${at + 1}${between}${line}`).join('\n');
const ids = new Map();
const sessionOf = (name) => {
  if (!ids.has(name)) ids.set(name, `11111111-1111-4111-8111-${String(ids.size + 1).padStart(12, '0')}`);
  return ids.get(name);
};

/** Builds the lines of one session. A message hangs on the line before, unless it is told otherwise. */
class Session {
  constructor(name, { cwd = '/repo', model = 'claude-opus-5-5', ...fields } = {}) {
    this.id = sessionOf(name);
    this.fields = { cwd, version: '2.1.332', isSidechain: false, userType: 'external', ...fields };
    this.model = model;
    this.lines = [];
    this.count = 0;
    this.context = 10_000;
    this.last = null;
  }

  line(record, { hangsOn = this.last, ...fields } = {}) {
    this.count += 1;
    const uuid = `${this.id.slice(0, 8)}-0000-4000-8000-${String(this.count).padStart(12, '0')}`;
    const written = { parentUuid: hangsOn, ...this.fields, ...record, uuid, timestamp: new Date(START + this.count * 1000).toISOString(), sessionId: this.id, ...fields };
    this.lines.push(written);
    this.last = uuid;
    return uuid;
  }

  user(content, fields) {
    return this.line({ type: 'user', message: { role: 'user', content } }, fields);
  }

  /** One line for each block, as the client writes it; all of one id. */
  assistant(id, blocks, { output = 50, usage, ...fields } = {}) {
    blocks.forEach((block, at) => {
      const grown = { input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: this.context - 4, output_tokens: Math.max(1, Math.round((output * (at + 1)) / blocks.length)), ...usage };
      this.line({ type: 'assistant', message: { id: `msg_${id}`, type: 'message', role: 'assistant', model: this.model, content: [block], stop_reason: null, usage: grown }, requestId: `req_${id}` }, fields);
    });
    this.output = output;
    return this.last;
  }

  /** A result; the context of the next message grows by what it showed, at 3.5 characters for a token. */
  result(id, content, { isError = false, extra, ...fields } = {}) {
    const characters = typeof content === 'string' ? content.length : content.reduce((sum, { text = '' }) => sum + text.length, 0);
    this.context += (this.output ?? 0) + Math.round(characters / 3.5) + 20;
    this.output = 0;
    const block = { type: 'tool_result', tool_use_id: `toolu_${id}`, content, ...(isError && { is_error: true }) };
    return this.line({ type: 'user', message: { role: 'user', content: [block] }, ...(extra !== undefined && { toolUseResult: extra }) }, fields);
  }

  /** A call and its result, one after the other. */
  step(id, [name, input], content, { call, ...result } = {}) {
    this.assistant(id, [use(id, name, input)], call);
    this.result(id, content, result);
  }

  toString() {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

const use = (id, name, input) => ({ type: 'tool_use', id: `toolu_${id}`, name, input });
const bash = (command) => ['Bash', { command, description: 'Look' }];
const read = (path, more = {}) => ['Read', { file_path: `/repo/${path}`, ...more }];
const text = (words) => ({ type: 'text', text: words });
const screen = (path, content) => ({ type: 'text', file: { filePath: `/repo/${path}`, content, numLines: content.split('\n').length, startLine: 1, totalLines: content.split('\n').length } });
const preview = (kilobytes) => `<persisted-output>\nOutput too large (${kilobytes}KB). Full output saved to: /home/u/.claude/projects/-repo/x/tool-results/b1.txt\n\nPreview (first 2KB):\n${BIG.slice(0, 2000)}\n...\n</persisted-output>`;
const boundary = (metadata) => ({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata: { trigger: 'auto', preTokens: 193_348, ...metadata } });

/** Name, what is in it, and the trap; `files` gives contents by path. */
export const MADE_UP = [];
const made = (name, trap, build) => MADE_UP.push({ name, trap, build });
const one = (name, trap, fill, { tail = '', change = (whole) => whole, ...fields } = {}) =>
  made(name, trap, () => {
    const session = new Session(name, fields);
    session.user('Look at the big file.');
    fill(session);
    return { [`${name}.jsonl`]: change(`${session}${tail}`) };
  });

one('several-lines-a-message', 'A message with a text and two calls is three lines of one id, whose usage grows; it is one turn, and its calls are two.', (s) => {
  s.assistant('1', [text('I look at both.'), use('1a', ...bash('cat big.ts')), use('1b', ...read('small.ts'))], { output: 90 });
  s.result('1a', BIG);
  s.result('1b', gutter(SMALL));
  s.step('2', bash('cat other.ts'), BIG);
});

one('usage-by-hand', 'Ten requests whose context grows by one token for 3.5 characters: the factor comes out, although lines repeat their usage.', (s) => {
  for (let at = 1; at <= 10; at += 1) {
    s.assistant(`${at}`, [text('Next.'), use(`${at}`, ...bash(`sed -n '${at},${at * 30}p' big.ts`))], { output: 40 * at });
    s.result(`${at}`, BIG.slice(0, 500 + at * 200));
  }
  s.assistant('end', [text('Done.')]);
});

one('zero-usage-lines', 'A line of the client itself (`<synthetic>`) and an API error have no usage; neither is a turn nor a request.', (s) => {
  s.assistant('1', [use('1', ...bash('cat big.ts'))]);
  s.result('1', BIG);
  const nothing = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  s.line({ type: 'assistant', message: { id: 'msg_s', role: 'assistant', model: '<synthetic>', content: [text('No response requested.')], usage: nothing } });
  s.line({ type: 'assistant', isApiErrorMessage: true, apiErrorStatus: 529, error: 'overloaded', message: { id: 'msg_e', role: 'assistant', model: '<synthetic>', content: [text('API Error: 529')], usage: nothing } });
  s.assistant('2', [use('2', ...read('big.ts'))]);
  s.result('2', gutter(BIG));
});

one('sidechain-inline', 'Oldest layout: subagents stand in the session\'s own file. Each has a memory and turns of its own.', (s) => {
  s.step('1', bash('cat big.ts'), BIG);
  for (const name of ['a', 'b']) {
    s.user('Look, please.', { hangsOn: null, isSidechain: true });
    s.step(`${name}1`, bash('cat big.ts'), BIG, { isSidechain: true, call: { isSidechain: true } });
    s.step(`${name}2`, bash('cat big.ts'), BIG, { isSidechain: true, call: { isSidechain: true } });
  }
  s.assistant('2', [text('Done.')]);
});

for (const [name, trap, place] of [
  ['agents-in-a-folder', 'Newer layout: `<session>/subagents/agent-<id>.jsonl`, without the copy for the screen.', (id) => `${id}/subagents/agent-a1.jsonl`],
  ['agents-beside', 'Older layout: `agent-<id>.jsonl` beside the sessions; only its lines tell whose it is.', () => 'agent-a1.jsonl'],
]) {
  made(name, trap, () => {
    const session = new Session(name);
    session.user('Have somebody look.');
    session.assistant('1', [use('1', 'Agent', { description: 'Look', prompt: 'Look at it', subagent_type: 'Explore' })]);
    session.result('1', [text('It is large.\nagentId: a1')]);
    session.step('2', read('big.ts'), gutter(BIG), { extra: screen('big.ts', BIG) });
    const agent = new Session(name, { isSidechain: true, agentId: 'a1' });
    agent.user('Look at it');
    agent.step('a1', read('big.ts'), gutter(BIG));
    agent.step('a2', read('big.ts', { offset: 1, limit: 50 }), gutter(BIG.slice(0, 1200)));
    return { [`${name}/${session.id}.jsonl`]: `${session}`, [`${name}/${place(session.id)}`]: `${agent}` };
  });
}

for (const [name, trap, metadata] of [
  ['boundary-with-post-tokens', 'A compaction that tells what is left: the growth over it is no growth by text, and the memory of the session goes on.', { postTokens: 13_958 }],
  ['boundary-without-post-tokens', 'A compaction that tells only what was there before.', {}],
]) {
  one(name, trap, (s) => {
    s.step('1', read('big.ts'), gutter(BIG));
    s.line(boundary(metadata), { hangsOn: null, logicalParentUuid: s.last });
    s.user('This session is being continued from a previous conversation.', { isCompactSummary: true, isVisibleInTranscriptOnly: true });
    s.context = 14_500;
    s.step('2', read('big.ts'), gutter(BIG));
    s.assistant('3', [text('Done.')]);
  });
}

one('preserved-messages', 'Messages before the boundary that stay in the context are written once and counted once.', (s) => {
  s.assistant('1', [use('1', ...bash('cat big.ts'))]);
  const kept = s.result('1', BIG);
  s.line(boundary({ preservedSegment: { headUuid: kept, anchorUuid: kept, tailUuid: kept }, preservedMessages: { anchorUuid: kept, uuids: [kept], allUuids: [kept] } }), { hangsOn: null, logicalParentUuid: kept });
  s.user('Summary.', { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  s.assistant('2', [text('Done.')], { hangsOn: kept });
});

one('text-and-lists', 'A content is a text or a list, of a prompt and of a result; one line may hold several results, and one copy for the screen that is nobody\'s.', (s) => {
  s.user([text('And as a list.')]);
  s.step('1', bash('cat big.ts'), [text(BIG)]);
  s.step('2', bash('cat other.ts'), BIG);
  s.step('3', bash('cat empty.ts'), []);
  s.step('4', bash('true'), '(Bash completed with no output)');
  s.assistant('5', [use('5a', ...bash('cat third.ts')), use('5b', ...bash('cat fourth.ts'))]);
  s.user(['5a', '5b'].map((id) => ({ type: 'tool_result', tool_use_id: `toolu_${id}`, content: BIG })), { toolUseResult: { stdout: 'short', stderr: '' } });
});

one('saved-output', 'Too long an output is saved, and a preview shown: only the preview counts, whatever else the line holds.', (s) => {
  s.step('1', bash('git log'), preview('60.8'), { extra: { stdout: `${BIG}\n`, stderr: '', interrupted: false, persistedOutputPath: '/home/u/.claude/projects/-repo/x/tool-results/b1.txt', persistedOutputSize: 62_291 } });
  s.step('2', bash('cat huge.ts'), preview('63.1'), { extra: { stdout: `${BIG}\n`, stderr: '', interrupted: false, persistedOutputSize: 64_599 } });
  s.step('3', bash('grep -rn value .'), preview('1.2').replace('1.2KB', '1.2MB'));
  s.step('4', read('../home/u/.claude/projects/-repo/x/tool-results/b1.txt'), gutter(BIG));
});

one('images', 'An image is base64 in the line and something else for the model; its length is no size, and no pair is made over it.', (s) => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo='.repeat(300) } };
  s.step('1', read('shot.png'), [image], { extra: { type: 'image', file: { base64: 'iVBORw0KGgo=', type: 'image/png', originalSize: 9 } } });
  s.user([image, text('Look at this too. '.repeat(200))]);
  s.context += 2_500;
  s.step('2', bash('cat shot.png'), [image], { extra: { stdout: 'data:image/png;base64,iVBORw0KGgo=', stderr: '', isImage: true } });
  s.step('3', bash('cat big.ts'), BIG);
});

one('cut-last-line', 'The last line is half written while it is read: it says nothing, and nobody is told of a fault.', (s) => s.step('1', bash('cat big.ts'), BIG), {
  tail: '{"parentUuid":"11111111-0000","type":"assistant","message":{"id":"msg_2","content":[{"type":"tool_use","id":"toolu_2","name":"Ba',
});

one('windows-line-ends', 'Lines end with CRLF.', (s) => s.step('1', bash('cat big.ts'), BIG), { change: (whole) => whole.replaceAll('\n', '\r\n') });

one('nul', 'A crash of the machine left NUL bytes, before a line, in it, and as a line.', (s) => s.step('1', bash('cat big.ts'), BIG), {
  change: (whole) => whole.split('\n').map((line, at) => (at === 1 ? `\0\0\0${line.slice(0, 30)}\0${line.slice(30)}` : line)).join('\n').replace('\n', `\n${'\0'.repeat(64)}\n`),
});

one('not-utf-8', 'Bytes that are no UTF-8 stand in a prompt and a result; they are characters that nobody can read.', (s) => {
  s.user('caf@@ and more');
  s.step('1', bash('cat big.ts'), `${BIG}@@`);
}, { change: (whole) => Buffer.concat(whole.split('@@').flatMap((part, at) => (at === 0 ? [Buffer.from(part)] : [Buffer.from([0xe9, 0xff]), Buffer.from(part)]))) });

made('foreign-lines', 'Lines of another session, and summaries that name none, stand in the file of this one: not its calls.', () => {
  const session = new Session('foreign-lines');
  const other = new Session('somebody-else');
  other.step('9', bash('cat big.ts'), BIG);
  session.user('Go on.');
  session.step('1', bash('cat big.ts'), BIG);
  const summary = `${JSON.stringify({ type: 'summary', summary: 'Something else', leafUuid: other.last })}\n`;
  return { [`foreign-lines/${session.id}.jsonl`]: `${summary}${other}${session}` };
});

one('rewound-branch', 'After a rewind a message hangs on an older line: what it left behind was really shown, but its context did not grow by it.', (s) => {
  s.assistant('1', [use('1', ...bash('cat one.ts'))]);
  const before = s.result('1', BIG);
  s.step('2', bash('cat two.ts'), BIG);
  s.user('No, the other way.', { hangsOn: before });
  s.context = 13_000;
  s.step('3', bash('cat two.ts'), BIG);
  s.assistant('4', [text('Done.')]);
});

made('queue-only', 'A file with nothing but `queue-operation` lines is an abandoned session.', () => ({
  'queue-only.jsonl': ['enqueue', 'dequeue'].map((operation) => `${JSON.stringify({ type: 'queue-operation', operation, timestamp: '2026-01-05T09:00:00.000Z', sessionId: sessionOf('queue-only'), content: 'Go on.' })}\n`).join(''),
}));

one('unknown-types', 'Types that nobody knows, and known ones whose fields are missing or of another type, say nothing.', (s) => {
  const odd = [null, 7, 'text', [], {}, [null], [7], [{}], [{ type: 'tool_use' }], [{ type: 'tool_use', id: 7, name: 'Bash' }], [{ type: 'tool_result' }], [{ type: 'tool_result', tool_use_id: 'toolu_none', content: 7 }]];
  for (const type of ['file-history-delta', 'progress', 'tomorrow', 'assistant', 'user', 'attachment', 'system']) {
    for (const content of odd) s.line({ type, message: { content, usage: content }, attachment: content, rendered: content, toolUseResult: content, subtype: content });
    s.line({ type });
  }
  s.lines.push(7, null, [], {}, { type: 7 }, { type: 'user', sessionId: 7 });
  s.step('1', bash('cat big.ts'), BIG);
  s.step('2', ['Bash', { command: 7 }], 'x');
  s.step('3', ['Read', { file_path: null, offset: 'x' }], 'x');
  s.step('4', ['Bash', null], 'x');
});

one('million-window', 'A model with `[1m]` in its name, 640,000 tokens in: no share of a window is told, and nothing else changes.', (s) => {
  s.context = 640_000;
  s.step('1', bash('cat big.ts'), BIG);
}, { model: 'claude-opus-5-5[1m]' });

one('meta-lines', 'Caveats and command lines are no prompts of a person, but they are text in the context.', (s) => {
  for (let at = 1; at <= 10; at += 1) {
    s.assistant(`${at}`, [text('Next.')]);
    const caveat = `<local-command-caveat>${'x'.repeat(400 + at * 70)}</local-command-caveat>`;
    s.user(caveat, { isMeta: true });
    s.line({ type: 'attachment', attachment: { type: 'hook_additional_context', content: ['y'.repeat(350), 'z'.repeat(350)] } });
    s.context += 50 + Math.round((caveat.length + 700) / 3.5);
  }
  s.step('end', bash('cat big.ts'), BIG);
});

made('resumed-copy', 'A resumed session begins with a copy of another; a call that stands in both files was made once.', () => {
  const first = new Session('resumed-copy');
  first.user('Look.');
  first.step('1', bash('cat big.ts'), BIG);
  const second = new Session('resumed-copy-2');
  second.lines = first.lines.map((line) => ({ ...line, sessionId: second.id, forkedFrom: { sessionId: first.id, messageUuid: line.uuid } }));
  second.count = first.count;
  second.last = first.last;
  second.step('2', bash('cat big.ts'), BIG);
  return { [`resumed-copy/${first.id}.jsonl`]: `${first}`, [`resumed-copy/${second.id}.jsonl`]: `${second}` };
});

one('asked-again', 'The same act came again in other words: nothing is saved, and what was said and a turn are lost. Another file is not the same act.', (s) => {
  s.step('1', bash('cat big.ts'), BIG);
  s.step('2', read('big.ts'), gutter(BIG), { extra: screen('big.ts', BIG) });
  s.step('3', bash('cat other.ts'), BIG);
  s.step('4', bash('cat ./big.ts'), BIG);
});

one('asked-again-in-part', 'Of a call with two files one is asked for again: the refusal was for nothing. A small output of the same kind is no asking again.', (s) => {
  for (const name of ['a', 'b']) s.step(name, ['Write', { file_path: `/repo/${name}.ts`, content: BIG }], 'File created successfully');
  s.step('1', bash('cat a.ts b.ts'), `${BIG}\n${BIG}`);
  s.step('2', bash('cat b.ts'), BIG);
  s.step('3', bash('git log'), BIG);
  s.step('4', bash('git log --oneline'), BIG.slice(0, 600));
});

one('wrong-refusal', 'A call on a file that is known to be large was denied and showed nothing: to refuse it would have saved nothing, so it is listed as wrong.', (s) => {
  s.step('1', ['Write', { file_path: '/repo/big.ts', content: BIG }], 'File created successfully at: /repo/big.ts');
  s.step('2', bash('cat big.ts'), 'Permission to use Bash has been denied.', { isError: true, extra: 'Error: denied' });
});

one('shrunk-file', 'A command made the file small, which no line tells: what is printed of it is less than what was known, so nothing is known.', (s) => {
  s.step('1', ['Write', { file_path: '/repo/big.ts', content: BIG }], 'File created successfully at: /repo/big.ts');
  s.step('2', bash("sed -i '5,$d' big.ts"), '(Bash completed with no output)');
  s.step('3', bash('cat big.ts; echo done'), `${BIG.split('\n').slice(0, 4).join('\n')}\ndone`);
});

one('no-result', 'A call that was interrupted has no result, and one that was denied or failed showed no file.', (s) => {
  s.assistant('1', [use('1', ...bash('cat big.ts'))]);
  s.user('[Request interrupted by user]');
  s.step('2', bash('cat big.ts'), 'Permission to use Bash has been denied.', { isError: true, extra: 'Error: Permission to use Bash has been denied.' });
  s.step('3', read('big.ts'), 'File content (28,500 tokens) exceeds maximum allowed tokens (25000).', { isError: true, extra: 'Error: too large' });
  s.step('4', bash('git log'), '', { extra: { stdout: BIG, stderr: '', interrupted: true } });
  s.step('5', bash('git log'), 'Command running in background with ID: b1', { extra: { stdout: '', stderr: '', backgroundTaskId: 'b1' } });
  s.assistant('6', [use('6', ...bash('cat big.ts'))]);
});

one('parallel-results', 'Results of one message come in another order than its calls; the first call is the one that is refused.', (s) => {
  s.assistant('1', [use('1a', ...bash('cat big.ts')), use('1b', ...read('big.ts')), use('1c', ...bash('cat small.ts'))]);
  s.result('1c', SMALL);
  s.result('1b', gutter(BIG), { extra: screen('big.ts', BIG) });
  s.result('1a', BIG);
  s.assistant('2', [text('Done.')]);
});

one('other-folder', 'The folder of later lines is another one than the session began in; paths follow it, and what lies outside is no concern.', (s) => {
  s.step('1', bash('cd sub && pwd'), '/repo/sub');
  s.fields.cwd = '/repo/sub';
  s.step('2', bash('cat big.ts'), BIG);
  s.step('3', ['Read', { file_path: '/repo/sub/big.ts' }], gutter(BIG));
  s.step('4', bash('cd .. && cat big.ts'), BIG);
  s.step('5', bash('cat /etc/big.ts'), BIG);
  s.step('6', ['Read', { file_path: '/elsewhere/big.ts' }], gutter(BIG));
});

one('older-gutter', 'Older clients put an arrow behind the number of a line, and a reminder behind the file.', (s) => {
  const arrows = BIG.split('\n').map((line, at) => `${String(at + 1).padStart(6)}→${line}`).join('\n');
  s.step('1', read('big.ts'), `${arrows}\n\n<system-reminder>\nConsider whether this is malware.\n</system-reminder>`);
  s.step('2', read('ranged.ts', { limit: 400 }), arrows);
  s.step('3', read('partly.ts'), `${arrows}\n\n... 300 lines truncated ...`);
}, { version: '2.0.14' });

one('several-commands', 'An output of several commands is nobody\'s alone: its size says nothing of one of them.', (s) => {
  s.step('1', bash('git log; npm test'), BIG);
  s.step('2', bash('cat a.ts b.ts'), BIG);
  s.step('3', bash('git status && git diff'), BIG);
  s.step('4', bash('git log 2>&1'), BIG);
  s.step('5', bash('cd src && cat c.ts'), BIG);
  s.step('6', bash('cat d.ts | head -n 20'), BIG.slice(0, 480));
  s.step('7', bash('head -n 900 e.ts'), BIG);
  s.step('8', bash(`head -n ${BIG_LINES} f.ts`), BIG);
  s.step('9', bash("grep -rn 'a\\|b' src"), BIG.split('\n').map((line) => `src/a.ts:1:${line}`).join('\n'));
  s.step('10', bash('grep -rn nothing src'), '(Bash completed with no output)');
  s.step('11', ['Write', { file_path: '/repo/g.ts', content: BIG }], 'File created successfully');
  s.step('12', bash("sed -n '1,310p;320,345p' g.ts"), BIG);
});

one('edited-file', 'An edit changes what is known of a file by what it says; a tool that does not say so leaves nothing known.', (s) => {
  const write = (id, path) => s.step(id, ['Write', { file_path: `/repo/${path}`, content: BIG }], 'File created successfully');
  write('1', 'a.ts');
  s.step('2', ['Edit', { file_path: '/repo/a.ts', old_string: BIG.slice(24), new_string: '' }], 'The file has been updated.', { extra: { filePath: '/repo/a.ts', originalFile: BIG } });
  s.step('3', bash('cat a.ts && true'), BIG.slice(0, 24));
  write('4', 'b.ts');
  s.step('5', ['Edit', { file_path: '/repo/b.ts', old_string: 'value', new_string: 'amount', replace_all: true }], 'The file has been updated.', { extra: { filePath: '/repo/b.ts', originalFile: BIG } });
  s.step('6', bash('cat b.ts && true'), BIG);
  write('7', 'c.ts');
  s.step('8', ['MultiEdit', { file_path: '/repo/c.ts', edits: [] }], 'The file has been updated.');
  s.step('9', bash('cat c.ts && true'), BIG);
});

one('days-apart', 'Calls of three days, and one without a time: `--since` leaves out what is older, and what cannot be told.', (s) => {
  for (const day of ['2026-01-05', '2026-02-05', '2026-03-05']) s.step(day, bash(`cat ${day}.ts`), BIG, { call: { timestamp: `${day}T12:00:00.000Z` } });
  s.step('never', bash('cat never.ts'), BIG, { call: { timestamp: undefined } });
});

one('windows-paths', 'Paths with backslashes and a drive.', (s) => {
  s.step('1', ['Read', { file_path: 'C:\\Users\\u\\repo\\src\\big.ts' }], gutter(BIG));
  s.step('2', bash('cat src/big.ts'), BIG);
  s.step('3', ['Read', { file_path: 'D:\\other\\big.ts' }], gutter(BIG));
}, { cwd: 'C:\\Users\\u\\repo' });

one('older-tool-name', 'The tool that starts a subagent was called Task; it is judged under neither name.', (s) => {
  s.step('1', ['Task', { description: 'Look', prompt: 'cat big.ts', subagent_type: 'general-purpose' }], [text('It is large.')]);
  s.step('2', ['TaskCreate', { subject: 'Look' }], 'Created.');
  s.step('3', bash('cat big.ts'), BIG);
});

/** Every file by path, as bytes. */
export function madeUpFiles() {
  return Object.fromEntries(MADE_UP.flatMap(({ build }) => Object.entries(build()).map(([path, content]) => [path, Buffer.from(content)])));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(OUT, { recursive: true });
  for (const entry of readdirSync(OUT)) if (!entry.endsWith('.expected.json')) rmSync(join(OUT, entry), { recursive: true });
  for (const [path, content] of Object.entries(madeUpFiles())) {
    mkdirSync(dirname(join(OUT, path)), { recursive: true });
    writeFileSync(join(OUT, path), content);
  }
}
