// Where the person looks, in real clients: `/trimtab` as text in a session without a surface, as a pane in a terminal. What the model
// reads stays as it would be without it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { cannotMount, onManagedMachine } from './support/namespace.mjs';
import { createProject } from './support/project.mjs';
import { observe } from './support/session.mjs';
import { noTerminal, typeInto } from './support/terminal.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = '2.1.332';
const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const cat = [{ tool: 'Bash', input: { command: 'cat src/orders.ts', description: 'Read it' } }];
const say = (text, tokens) => [{ text }, { usage: { input_tokens: tokens, output_tokens: 20 } }];
const SCRIPT = { main: [cat, say('One.', 40_000), say('Two.', 41_000)] };

test('without a surface `/trimtab` is text, made of what the session was told and cost', async () => {
  const { texts, session } = await run(['Go.', '/trimtab', 'And on.']);
  assert.equal(texts.length, 1);
  for (const part of [
    /This session's context is about 40k tokens, 4 % of the window/,
    /\nContext over 2 turns\n/,
    /\nResults in it, by tool\n {2}Bash {20}1× /,
    /\nSaid by rule\n {2}whole-file-read {6}1 refused, saved about 6k\n/,
    /\nOn\n {2}Calls and results: mode redirect, by the module\n {2}Code tools: offered\n/,
  ]) assert.match(texts[0], part);
  assert.deepEqual(session.records, []);
  // A host that draws nothing is asked for nothing.
  assert.deepEqual(session.events.filter(({ subtype }) => ['ui_panes', 'ui_invalidate'].includes(subtype)), []);
});

test('the model reads none of it: only the client\'s own note that a command ran, behind what it has read already', async () => {
  const [without, looked] = [await run(['Go.', 'And on.']), await run(['Go.', '/trimtab', 'And on.'])];
  const bodies = ({ session }) => session.requests.filter(({ conversation }) => conversation === 'main').map(({ body }) => body);
  const [plain, last] = [bodies(without).at(-1), bodies(looked).at(-1)];
  assert.deepEqual(last.tools, plain.tools);
  const texts = ({ messages }) => messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '')));
  const added = texts(last).filter((text) => !texts(plain).includes(text));
  assert.deepEqual(added.map((text) => /^<(local-command-caveat|command-name)>/.test(text)), [true, true], JSON.stringify(added));
  assert.doesNotMatch(added.join(), /context is|Said by rule/);
  assert.deepEqual(bodies(looked)[1].messages.slice(0, 2), bodies(without)[1].messages.slice(0, 2));
});

test('in a terminal the figures stand above the prompt after a turn, and `/trimtab` opens a pane', { skip: noTerminal() }, async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const { debug, screen } = await typeInto({
    client: await ensureClient(VERSION), cwd: project.folder, home, plugins: [PLUGIN], env: { TRIMTAB_MODE: 'redirect' }, script: SCRIPT,
    lines: [{ type: 'Go.', until: 'trimtab@inline session.measure settled' }, { type: '/trimtab', until: 'ui.open trimtab trimtab' }, { type: 'And on.', until: 'trimtab@inline session.measure settled' }],
  });
  assert.match(debug, /ui\.open trimtab trimtab \(asked, \d+ columns\): placed/);
  assert.doesNotMatch(debug, /trimtab: ui\.\w+ hook skipped|ui\.render \(\w+\) refused|hooks module trimtab.*not loaded/);
  assert.match(screen, /trimtab · context 40k of 1M \(4 %\) · saved about 6k/);
  for (const title of ['Results in it, by tool', 'Said by rule']) assert.ok(screen.includes(title), title);
});

test('on a machine with managed settings `/trimtab` tells the same', { skip: cannotMount() }, async () => {
  const client = onManagedMachine(folder, await ensureClient(VERSION), { cleanupPeriodDays: 30 });
  const { texts, session } = await run(['Go.', '/trimtab'], client);
  assert.match(texts.join(), /whole-file-read {6}1 refused.*by the module/s);
  assert.deepEqual(session.records, []);
});

async function run(prompt, client) {
  const session = await observe({ client: client ?? (await ensureClient(VERSION)), cwd: project.folder, plugins: [PLUGIN], prompt, script: SCRIPT });
  assert.equal(session.exitCode, 0, session.stderr);
  const texts = session.events.filter(({ type, message }) => type === 'assistant' && message.model === '<synthetic>').map(({ message }) => message.content[0].text);
  return { session, texts };
}
