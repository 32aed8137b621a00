// The code tools in whole sessions of the real client: what the model is offered, what it reads, and what stays unseen.
// What a tool says is written in tests/answers/tools.txt; here it is the client's own rules that decide what may be shown.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { cannotMount, onManagedMachine } from './support/namespace.mjs';
import { GIT_ENV } from './support/project.mjs';
import { observe } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = ['outline', 'symbol', 'find', 'usages', 'grep'];
// As the client's own limits relate them: 30,000 characters of Bash output are about 7,500 tokens.
const CHARS_PER_TOKEN = 4;

const FILES = {
  'src/lib.rs': '/// Parses.\npub fn parse(text: &str) -> u32 {\n    inner(text)\n}\nfn inner(text: &str) -> u32 {\n    1\n}\nfn other() {\n    parse("x");\n}\n',
  // Refused by a rule of the person, and asked about by one.
  'denied/key.rs': 'fn parse_denied() {\n    parse("denied");\n}\n',
  'asked/later.rs': 'fn parse_asked() {\n    parse("asked");\n}\n',
  '.claude/agents/narrow.md': '---\nname: narrow\ndescription: reads\ntools: Read\n---\nRead.\n',
  '.claude/agents/named.md': '---\nname: named\ndescription: reads\ntools: Read, mcp__trimtab__find\n---\nRead.\n',
};
const PERSONS_RULES = { permissions: { deny: ['Read(./denied/**)'], ask: ['Read(./asked/**)'] } };
const UNSEEN = /denied|asked|linked|added/;

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = join(folder, 'project');
after(() => rmSync(folder, { recursive: true, force: true }));

function write(root, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const call = (tool, input) => ({ tool: `mcp__trimtab__${tool}`, input });
/** What the model does, a call in each step, and what it reads then. */
const CALLS = {
  'a declaration by a part of its name': [call('find', { name: 'parse*' }), 'src/lib.rs\n  2-4 pub fn parse(text: &str) -> u32'],
  'uses of a name': [
    call('usages', { name: 'parse' }),
    'Definitions: 1 in 1 file\nsrc/lib.rs\n  2-4 pub fn parse(text: &str) -> u32\nReferences: 1 in 1 file\nsrc/lib.rs\n  fn other() (8-10)\n    9  parse("x");',
  ],
  'lines with a text': [call('grep', { pattern: 'parse("' }), 'src/lib.rs\n  fn other() (8-10)\n    9  parse("x");'],
  'lines of a regular expression': [call('grep', { pattern: 'pub\\s+FN', regex: true, ignoreCase: true }), 'src/lib.rs\n    2  pub fn parse(text: &str) -> u32 {'],
  'the text of a declaration': [call('symbol', { name: 'inner' }), 'src/lib.rs:5-7 function inner\n5\tfn inner(text: &str) -> u32 {\n6\t    1\n7\t}'],
  'the outline of a file': [call('outline', { path: 'src/lib.rs' }), 'src/lib.rs (10 lines)\n  2-4 pub fn parse(text: &str) -> u32\n  5-7 fn inner(text: &str) -> u32\n  8-10 fn other()'],
  'the same by its absolute path': [call('symbol', { name: 'inner', path: join(project, 'src/lib.rs') }), 'src/lib.rs:5-7 function inner\n5\tfn inner(text: &str) -> u32 {\n6\t    1\n7\t}'],
  'the map of the project': [
    call('outline', { path: '.' }),
    `${project}: 6 files, 4 of code\nsrc/lib.rs (10): function parse 2-4, function inner 5-7, function other 8-10\n3 files left out: not readable without asking.`,
  ],
};
/** Calls that are to show nothing. */
const REFUSED = {
  'a file that a rule denies': [call('outline', { path: 'denied/key.rs' }), '`denied/key.rs` is not readable without asking'],
  'a file that a rule asks about': [call('outline', { path: 'asked/later.rs' }), '`asked/later.rs` is not readable without asking'],
  'a link out of the project': [call('outline', { path: 'src/link.rs' }), `\`src/link.rs\` is outside of this checkout, ${project}`],
  'a folder that the session was given beside the project': [call('find', { name: 'added', path: join(folder, 'added') }), `\`${join(folder, 'added')}\` is outside of this checkout, ${project}`],
  'an argument of another name': [call('find', { nme: 'parse' }), '`find` takes no `nme`; did you mean `name`?'],
  'an argument of another type': [call('grep', { pattern: 'a', regex: 'yes' }), '`regex` is `"yes"`; it must be true or false'],
  'an argument that is missing': [call('symbol', {}), '`symbol` needs `name`: parse or Container.parse'],
};
/** Names and texts that stand only where nothing may be read. */
const HIDDEN = [call('find', { name: 'parse_denied' }), call('usages', { name: 'parse_asked' }), call('grep', { pattern: 'linked' }), call('symbol', { name: 'added' })];

const AGENTS = { 'general-purpose': NAMES, Explore: NAMES, Plan: NAMES, named: ['find'], narrow: [] };
const marker = (agent) => `SUBAGENT-${agent.toUpperCase()}.`;

before(() => {
  write(project, FILES);
  write(folder, { 'elsewhere/private.rs': 'fn linked() {\n    parse("linked");\n}\n', 'added/more.rs': 'fn added() {\n    parse("added");\n}\n' });
  symlinkSync(join(folder, 'elsewhere/private.rs'), join(project, 'src/link.rs'));
  execFileSync('git', ['init', '--quiet', '.'], { cwd: project, env: { PATH: process.env.PATH, ...GIT_ENV } });
});

async function session({ main, agents, version = '2.1.332', ...options }) {
  const client = options.client ?? (await ensureClient(version));
  return observe({ plugins: [PLUGIN], cwd: project, settings: PERSONS_RULES, script: { main, agents }, ...options, client });
}

const offered = ({ requests }, conversation) =>
  (requests.find((request) => request.conversation === conversation)?.body.tools ?? []).filter(({ name }) => name.startsWith('mcp__trimtab__'));
const namesOf = (tools) => tools.map(({ name }) => name.replace('mcp__trimtab__', '')).sort();
const unwrapped = (text) => text.replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, '$1');

for (const permissionMode of ['default', 'plan']) {
  describe(`in the mode ${permissionMode}`, () => {
    const steps = [...Object.entries(CALLS), ...Object.entries(REFUSED), ...HIDDEN.map((one) => [JSON.stringify(one), [one]])];
    let seen;
    before(async () => {
      seen = await session({ main: steps.map(([, [one]]) => [one]), permissionMode, args: ['--add-dir', join(folder, 'added')] });
    });

    test('each tool answers without a question', () => {
      assert.deepEqual({ exitCode: seen.exitCode, stderr: seen.stderr, records: seen.records }, { exitCode: 0, stderr: '', records: [] });
      for (const [at, [name, [, expected]]] of Object.entries(CALLS).entries()) {
        const { text, isError } = seen.byCall.get(`main ${at} 0`);
        assert.deepEqual({ text, isError }, { text: expected, isError: false }, name);
      }
    });

    test('what cannot be answered is an error that says why', () => {
      for (const [at, [name, [, expected]]] of Object.entries(REFUSED).entries()) {
        const { text, isError } = seen.byCall.get(`main ${Object.keys(CALLS).length + at} 0`);
        assert.deepEqual({ text: unwrapped(text), isError }, { text: expected, isError: true }, name);
      }
    });

    test('nothing is told of a file that a Read would have to ask for', () => {
      const results = [...seen.byCall.values()];
      assert.equal(results.length, steps.length);
      for (const { input, text } of results) {
        const asked = JSON.stringify(input);
        assert.ok(!UNSEEN.test(text) || UNSEEN.test(asked) || /outside of this checkout/.test(text), `${asked}: ${text}`);
      }
      for (const { input, text } of results.slice(-HIDDEN.length)) assert.match(text, /^No .* readable without asking\./, JSON.stringify(input));
    });
  });
}

describe('what is offered', () => {
  test('five tools in fewer than 600 tokens, and nothing else of the first request is another one', async () => {
    const [plain, ours] = [await session({ main: [], plugins: [] }), await session({ main: [] })];
    const [without, with_] = [plain, ours].map(({ requests }) => requests.find(({ conversation }) => conversation === 'main').body);
    assert.deepEqual(namesOf(offered(ours, 'main')), [...NAMES].sort());
    // The client's placeholder for deferred tools changes its place.
    const byName = ({ tools }) => new Map(tools.filter(({ name }) => !name.startsWith('mcp__trimtab__')).map((tool) => [tool.name, JSON.stringify(tool)]));
    const [before_, after_] = [byName(without), byName(with_)];
    assert.deepEqual([...after_.keys()].sort(), [...before_.keys()].sort());
    for (const [name, tool] of after_) assert.equal(tool, before_.get(name), name);
    assert.ok(JSON.stringify(with_.tools).length - JSON.stringify(without.tools).length < 600 * CHARS_PER_TOKEN);
  });

  test('every agent gets them that names no tools of its own, and one that names some gets those', async () => {
    const agents = Object.keys(AGENTS);
    const asks = agents.map((subagent_type) => [{ tool: 'Agent', input: { description: 'Look', prompt: `${marker(subagent_type)} look`, subagent_type, run_in_background: false } }]);
    const seen = await session({ main: asks, agents: Object.fromEntries(agents.map((agent) => [marker(agent), [[call('find', { name: 'inner' })]]])) });
    for (const [agent, names] of Object.entries(AGENTS)) {
      assert.deepEqual(namesOf(offered(seen, marker(agent))), [...names].sort(), agent);
      const { text, isError } = seen.byCall.get(`${marker(agent)} 0 0`);
      if (names.includes('find')) assert.deepEqual({ text, isError }, { text: 'src/lib.rs\n  5-7 fn inner(text: &str) -> u32', isError: false }, agent);
      else assert.ok(isError, agent);
    }
  });

  test('a repeated answer is told as unchanged, to the one who has it', async () => {
    const long = { tool: 'mcp__trimtab__symbol', input: { name: 'long', path: 'long' } };
    write(project, { 'long/long.rs': `fn long() {\n${'    parse("a line of it");\n'.repeat(40)}}\n` });
    try {
      const seen = await session({ main: [[long], [long], [{ ...long, input: { ...long.input, since: 'none' } }]] });
      const [first, second, third] = [0, 1, 2].map((turn) => seen.byCall.get(`main ${turn} 0`).text);
      assert.match(first, /^long\/long\.rs:1-42 function long\n1\tfn long/);
      assert.equal(second, 'Unchanged since your last `symbol` of it. `since: "none"` shows it again.');
      assert.equal(third, first);
    } finally {
      rmSync(join(project, 'long'), { recursive: true });
    }
  });

  test('nothing where the configuration says so', async () => {
    write(project, { '.trimtab.local.json': '{"tools": {"enabled": false}}' });
    try {
      const seen = await session({ main: [] });
      assert.deepEqual([offered(seen, 'main'), seen.records], [[], []]);
    } finally {
      rmSync(join(project, '.trimtab.local.json'));
    }
  });

  test('nothing in a project without a language that is known', async () => {
    const prose = join(folder, 'prose');
    write(prose, { 'README.md': '# Prose\n' });
    const seen = await session({ main: [], cwd: prose });
    assert.deepEqual([offered(seen, 'main'), seen.records], [[], []]);
  });

  test('nothing on a client without wasm, which loads the module all the same', async () => {
    const seen = await session({ main: [], version: '2.1.287' });
    assert.match(seen.debug, /hooks module trimtab@inline loaded/);
    assert.deepEqual([offered(seen, 'main'), seen.records], [[], []]);
  });

  test('nothing where the organisation names the servers that may be, with a record', { skip: cannotMount() }, async () => {
    const client = onManagedMachine(folder, await ensureClient('2.1.332'), { allowedMcpServers: [] });
    const seen = await session({ main: [], client });
    assert.deepEqual(offered(seen, 'main'), []);
    assert.deepEqual(seen.records.map(({ code }) => code), ['tools-not-offered']);
  });
});
