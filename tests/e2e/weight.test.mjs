// What a session weighs, in whole sessions of real clients: the line comes once, compactions go through, and what was done before is
// offered after.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { createProject } from './support/project.mjs';
import { observe } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const full = (tokens) => ({ usage: { input_tokens: tokens, output_tokens: 20 } });
const say = (text, tokens) => [{ text }, ...(tokens ? [full(tokens)] : [])];
const bash = (command, tokens) => [{ tool: 'Bash', input: { command, description: 'Do it' } }, ...(tokens ? [full(tokens)] : [])];

// 2.1.277 reckons with another window for the model, and compacts by itself where it is told how large that is.
const OF_VERSION = { '2.1.277': { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '10', CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' } };
const ROUTES = [
  ['2.1.332', 'module', {}],
  ['2.1.332', 'hooks', { TRIMTAB_NO_MOD: '1' }],
  ['2.1.287', 'hooks', {}],
  ['2.1.277', 'hooks', {}],
];

for (const [version, route, env] of ROUTES) {
  test(`${version}, ${route}: a heavy session is told of once, also when it is taken up again, and never to the model`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const first = await run({ version, env, home, prompt: ['One.', 'Two.'], script: { main: [bash('cat src/small.ts', 170_000), say('One.', 171_000), say('Two.', 172_000)] } });
    assert.deepEqual(linesFor(first).length, 1);
    assert.match(linesFor(first)[0], /This session's context is about 17\dk tokens/);
    const again = await run({ version, env, home, args: ['--resume', sessionOf(first)], script: { mark: 'again', main: [say('Three.', 173_000)] } });
    assert.deepEqual(linesFor(again), []);
    for (const session of [first, again]) assert.doesNotMatch(JSON.stringify(session.requests.map(({ body }) => body)), /This session's context is/);
  });
}

for (const [version, route, env] of ROUTES) {
  for (const trigger of ['auto', 'manual']) {
    test(`${version}, ${route}: a compaction (${trigger}) goes through, and what was edited, broken and planned is offered after it, once`, async () => {
      const home = mkdtempSync(join(folder, 'home-'));
      const work = [
        [{ tool: 'Write', input: { file_path: join(project.folder, 'docs/plan.md'), content: '# Plan\n' } }],
        bash('false --broken'),
        bash('true', trigger === 'auto' ? 985_000 : 90_000),
      ];
      const prompt = trigger === 'auto' ? ['Build the parser.', 'Go on now.', 'And on.'] : ['Build the parser.', '/compact', 'Go on now.'];
      const session = await run({
        version, home, prompt, args: ['--allowedTools', 'Bash,Write'],
        env: { ...env, ...(trigger === 'auto' && OF_VERSION[version]) },
        script: { main: [...work, say('Done.', trigger === 'auto' ? 985_000 : 90_000), say('On.', 9_000), say('More.', 9_500)] },
      });
      assert.ok(session.events.some(({ subtype }) => subtype === 'compact_boundary'), 'compacted');
      const offered = session.requests.filter(({ conversation }) => conversation === 'main').map(({ body }) => JSON.stringify(body.messages).split('The state of the work as trimtab noted it').length - 1);
      assert.equal(offered.at(-1), 1, JSON.stringify(offered));
      const last = JSON.stringify(session.requests.filter(({ conversation }) => conversation === 'main').at(-1).body.messages);
      // What the client keeps of the prompts itself does not count.
      const offer = last.slice(last.indexOf('The state of the work as trimtab noted it'));
      for (const part of ['Open errors', 'false --broken', 'docs/plan.md: written in turn 1']) assert.ok(offer.includes(part), part);
      // The older clients compact before they write down the prompt that it happens at.
      assert.match(offer, /(Goal as last stated\\n> |The session began with: )Build the parser\./);

      const kept = join(home, '.trimtab/weight', `handoff-${sessionOf(session)}.json`);
      assert.equal(statSync(kept).mode & 0o777, 0o600);
      assert.match(JSON.parse(readFileSync(kept, 'utf8')).text, /false --broken/);
      assert.deepEqual(readdirSync(join(home, '.trimtab/weight')).filter((name) => /\.(tmp|lock)$/.test(name)), []);
    });
  }
}

for (const [version, route, env] of ROUTES) {
  test(`${version}, ${route}: the model is told once that the context is nearly full, and nothing that it has read before changes`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const session = await run({ version, env, home, prompt: ['One.', 'Two.', 'Three.'], script: { main: [say('One.', 850_000), say('Two.', 851_000), say('Three.', 852_000)] } });
    const bodies = session.requests.filter(({ conversation }) => conversation === 'main').map(({ body }) => messagesOf(body));
    const told = bodies.map((messages) => JSON.stringify(messages).split('The context is 85 % full').length - 1);
    assert.deepEqual(told, [0, 1, 1]);
    for (const [at, messages] of bodies.entries()) if (at > 0) assert.deepEqual(messages.slice(0, bodies[at - 1].length), bodies[at - 1], `request ${at}`);
  });
}

for (const version of ['2.1.332', '2.1.287', '2.1.277']) {
  test(`${version}: /trimtab:handoff writes down where a session stands, and /trimtab:resume brings it into another one`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    // Half full for the one client that has the module; the others would compact.
    const tokens = version === '2.1.332' ? 600_000 : 60_000;
    const first = await run({
      version, home, prompt: ['Build the parser.', '/trimtab:handoff'], args: ['--allowedTools', 'Write'],
      script: { main: [[{ tool: 'Write', input: { file_path: join(project.folder, 'docs/plan.md'), content: '# Plan\n' } }], say('Done.', tokens), say('It lacks nothing.', tokens)] },
    });
    assert.match(lastRequest(first), /trimtab noted it .*docs\/plan\.md: written in turn 1/);
    assert.equal(existsSync(join(home, '.trimtab/handoff-needed')), false, 'the command is another process than the module');
    const second = await run({ version, home, prompt: '/trimtab:resume', script: { main: [say('So it stands.', 9_000)] } });
    assert.notEqual(sessionOf(second), sessionOf(first));
    assert.match(lastRequest(second), /trimtab noted it .*docs\/plan\.md: written in turn 1/);
  });
}

for (const [title, isSwitchedOn] of [['waits once, while something is open, and goes through behind the commit', true], ['goes through at once where nobody switched that on', false]]) {
  test(`2.1.332: an automatic compaction ${title}`, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    mkdirSync(join(home, '.trimtab'));
    if (isSwitchedOn) writeFileSync(join(home, '.trimtab/config.json'), '{"compaction": {"wait": true}}');
    const session = await run({
      version: '2.1.332', home, env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '60' }, prompt: ['Write it down.'], args: ['--allowedTools', 'Bash,Write'],
      script: {
        main: [
          // A conversation of one answer the client cannot compact.
          bash('cat src/small.ts', 10_000),
          [{ tool: 'Write', input: { file_path: join(project.folder, 'docs/open.md'), content: 'x' } }, full(700_000)],
          bash('git commit --allow-empty -m Committed', 400_000),
          // The last step may not be in the transcript yet when the client asks.
          bash('true', 400_000),
          bash('true', 700_000),
          say('Done.', 9_000),
        ],
      },
    });
    const said = session.events.map((event) => JSON.stringify(event)).filter((text) => text.includes('lets the compaction wait'));
    const boundary = session.events.findIndex(({ subtype }) => subtype === 'compact_boundary');
    assert.deepEqual([boundary > 0, said.length], [true, isSwitchedOn ? 1 : 0]);
    const claimed = readdirSync(join(home, '.trimtab/weight')).filter((name) => name.includes('.wait-'));
    assert.deepEqual(claimed, isSwitchedOn ? [`${sessionOf(session)}.wait-1.said`] : []);
    assert.equal(JSON.stringify(session.events.slice(0, boundary)).includes('-m Committed'), isSwitchedOn);
  });
}

function lastRequest({ requests }) {
  return JSON.stringify(requests.filter(({ conversation }) => conversation === 'main').at(-1).body.messages);
}

/** As texts, without the marks of the cache; the client writes a content as a list while it is the last. */
function messagesOf({ messages }) {
  const text = (block) => (block.type === 'text' ? block.text : JSON.stringify({ ...block, cache_control: undefined }));
  return messages.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : content.map(text).join('\n')}`);
}

async function run({ version, ...options }) {
  const session = await observe({ client: await ensureClient(version), cwd: project.folder, plugins: [PLUGIN], ...options });
  assert.deepEqual({ exitCode: session.exitCode, records: session.records }, { exitCode: 0, records: [] }, session.stderr);
  return session;
}

function sessionOf({ events }) {
  return events.find(({ subtype }) => subtype === 'init').session_id;
}

/** What the person was shown, by the module or by a command hook. */
function linesFor({ events }) {
  const shown = (event) => {
    if (event.subtype === 'ui_log') return event.text;
    if (event.subtype === 'hook_response' && event.stdout?.includes('systemMessage')) return JSON.parse(event.stdout).systemMessage;
    return '';
  };
  return events.map(shown).filter((text) => text?.includes("This session's context"));
}
