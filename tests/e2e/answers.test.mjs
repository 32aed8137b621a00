// Results that are made smaller in whole sessions of the real client: what the model reads instead, what comes whole the second time, what is
// left as it was, and that nothing which the model has read is changed afterwards.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { observe } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const ROUTES = [
  { version: '2.1.332', route: 'module', env: {} },
  { version: '2.1.332', route: 'hooks', env: { TRIMTAB_NO_MOD: '1' } },
  { version: '2.1.287', route: 'hooks', env: {} },
  { version: '2.1.277', route: 'hooks', env: {} },
];

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = createProject(join(folder, 'project'));
const at = (path) => join(project, path);
const read = (path, more = {}) => ({ tool: 'Read', input: { file_path: at(path), ...more } });
const bash = (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } });
const write = (path) => ({ tool: 'Write', input: { file_path: at(path), content: 'export {}\n' } });

// Name of the step -> its call, in the order of the session.
const STEPS = {
  'a large source': read('orders.ts'),
  'a Write over it': write('orders.ts'),
  'the same again': read('orders.ts'),
  'a Write now': write('orders.ts'),
  'a small source': read('small.ts'),
  'a range': read('stock.ts', { offset: 1, limit: 400 }),
  'prose': read('notes.md'),
  'too large for a Read': read('huge.ts'),
  'a source by cat': bash('cat stock.ts'),
  'the same by bat': bash('cat ./stock.ts'),
  'a search that the client would cut': bash("grep -rn 'order' ."),
  'the same search again': bash("grep -rn 'order' ."),
  'a command that fails': bash('cat notes.md missing.md'),
  'data': bash('cat data.json'),
};

for (const { version, route, env } of ROUTES) {
  describe(`${version}, answered by the ${route}`, () => {
    let session;
    let plain;
    // The command hooks guard no Write.
    const steps = Object.entries(STEPS).filter(([, { tool }]) => tool !== 'Write' || route === 'module');
    const resultOf = (from, name) => from.results[steps.findIndex(([step]) => step === name)];
    const textOf = (from, name) => resultOf(from, name).text;
    const changed = (name) => textOf(session, name) !== textOf(plain, name);

    before(async () => {
      const client = await ensureClient(version);
      const script = { main: steps.map(([, call]) => [call]) };
      const run = async (options) => {
        writeSources(project);
        return observe({ client, cwd: project, script, permissionMode: 'acceptEdits', ...options });
      };
      plain = await run({});
      session = await run({ plugins: [PLUGIN], env: { TRIMTAB_MODE: undefined, ...env } });
    });

    test('a large source becomes an outline, and comes whole the second time', () => {
      const outline = textOf(session, 'a large source');
      assert.match(outline, /^(1\t)?.*[Oo]utline of `?orders\.ts/);
      assert.match(outline, /order7/);
      assert.ok(outline.length * 3 < textOf(plain, 'a large source').length, `${outline.length} characters`);
      // Older clients say that the file is unchanged, which it is, to a model that never saw it.
      assert.equal(textOf(session, 'the same again'), textOf(plain, 'a large source'));
    });

    test('what is small, asked for by range, no code or data stays as it is', () => {
      for (const name of ['a small source', 'a range', 'prose', 'data']) assert.ok(!changed(name), name);
    });

    test('a failed result stays as it is, but for an outline behind the words on its size', () => {
      assert.ok(!changed('a command that fails'));
      const huge = resultOf(session, 'too large for a Read');
      assert.equal(huge.isError, true);
      assert.ok(huge.text.startsWith(textOf(plain, 'too large for a Read')));
      assert.equal(/utline of/.test(huge.text), route === 'module');
    });

    if (route === 'module') {
      test('a Write over what was only outlined is refused until the file was read', () => {
        assert.match(textOf(session, 'a Write over it'), /`orders\.ts` has \d+ lines.*an outline.*Read\(/);
        assert.ok(!/an outline/.test(textOf(session, 'a Write now')));
      });

      test('a source that a shell prints becomes an outline once', () => {
        assert.match(textOf(session, 'a source by cat'), /utline of/);
        assert.ok(!changed('the same by bat'));
      });

      test('a search that the client would cut comes grouped by file, and the whole lies in a file', () => {
        const text = textOf(session, 'a search that the client would cut');
        assert.ok(!text.startsWith('<persisted-output>'));
        assert.match(text, /hits? in/);
        assert.match(text, /tool-results\//);
      });
    }

    test('what the model has read is never changed afterwards', () => {
      const conversations = session.requests.filter(({ conversation }) => conversation === 'main').map(({ body }) => body.messages.map(steadied));
      for (let turn = 1; turn < conversations.length; turn += 1) {
        const before_ = conversations[turn - 1].slice(0, -1);
        assert.deepEqual(conversations[turn].slice(0, before_.length), before_, `turn ${turn}`);
      }
    });

    test('leaves no record', () => assert.deepEqual(session.records, []));
  });
}

/** A message without the marks that move with the end of a conversation. */
function steadied({ role, content }) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { role, content: blocks.map(({ cache_control, ...block }) => block) };
}

function createProject(root) {
  mkdirSync(root, { recursive: true });
  writeSources(root);
  return root;
}

function writeSources(root) {
  writeFileSync(join(root, 'orders.ts'), source('order', 60));
  writeFileSync(join(root, 'stock.ts'), source('stock', 60));
  writeFileSync(join(root, 'huge.ts'), source('huge', 120, 70));
  writeFileSync(join(root, 'small.ts'), 'export function small(a: number): number {\n  return a + 1\n}\n');
  writeFileSync(join(root, 'notes.md'), `${Array.from({ length: 900 }, (_, line) => `Line ${line} of notes on an order.`).join('\n')}\n`);
  writeFileSync(join(root, 'data.json'), JSON.stringify(Array.from({ length: 700 }, (_, id) => ({ id, name: `order ${id}` })), null, 1));
}

/** Functions with so many lines of a body. */
function source(name, count, lines = 7) {
  const functions = Array.from({ length: count }, (_, at_) => {
    const body = Array.from({ length: lines }, (__, line) => `  const value${line} = input * ${line} + ${at_} // one step of many`);
    return [`/** Makes ${name} number ${at_}. */`, `export function ${name}${at_}(input: number): number {`, ...body, '  return value0 + value1', '}', ''].join('\n');
  });
  return functions.join('\n');
}
