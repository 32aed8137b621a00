// Whole sessions of the real client, with and without the plugin, on a version of each kind: no mods, mods without wasm, mods with wasm.
// What trimtab may change is written in support/calls.mjs; everything else that the model reads must be the same, byte for byte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { AGENT, callsByPlace, PERSONS_SETTINGS, scriptOf } from './support/calls.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, hookAnswers, observe, placeOf, requestTexts, steady, unwrapped } from './support/session.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
// The names that the shell of the command hook looks for, as hooks.json hands them over.
const [, words] = /trimtab_words='([^']+)'/.exec(readFileSync(join(PLUGIN, 'hooks/hooks.json'), 'utf8'));
const PROGRAMS = new RegExp(`"command":"(|.*(\\\\[nrt]|[^\\w-]))(${words.replaceAll(' ', '|')})[^\\w-]`);
const ROUTES = [
  { version: '2.1.332', route: 'module', env: {} },
  { version: '2.1.332', route: 'hooks', env: { TRIMTAB_NO_MOD: '1' } },
  { version: '2.1.287', route: 'hooks', env: {} },
  { version: '2.1.277', route: 'hooks', env: {} },
];

const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
const calls = callsByPlace(project.folder);
const without = new Map();
let verdicts;
after(() => rmSync(folder, { recursive: true, force: true }));

for (const { version, route, env } of ROUTES) {
  describe(`${version}, answered by the ${route}`, () => {
    let plain;
    let session;

    before(async () => {
      const client = await ensureClient(version);
      const run = async (options) => {
        try {
          return await observe({ client, cwd: project.folder, settings: PERSONS_SETTINGS, script: scriptOf(project.folder), ...options });
        } finally {
          project.restore();
        }
      };
      if (!without.has(version)) without.set(version, await run({}));
      plain = without.get(version);
      session = await run({ plugins: [PLUGIN], env });
    });

    test('both sessions end well, and every call of the script was answered', () => {
      for (const { exitCode, stderr, byCall } of [plain, session]) {
        assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
        assert.deepEqual(
          [...calls.keys()].filter((place) => !byCall.has(place)),
          [],
        );
      }
    });

    test('refuses what it should, with the text of the core, and nothing else', () => {
      verdicts ??= verdictsOf(project.folder);
      for (const [place, call] of calls) {
        const { text, isError } = session.byCall.get(place);
        const said = verdicts.get(place);
        if (call.refused) {
          assert.equal(said.rule, call.refused, `${call.name}: the rule of \`trimtab judge\``);
          assert.deepEqual({ text: unwrapped(text), isError }, { text: said.text, isError: true }, call.name);
        } else if (call.contested && route === 'hooks') {
          assert.ok(isError, call.name);
          assert.ok([said.text, unwrapped(plain.byCall.get(place).text)].includes(unwrapped(text)), call.name);
        } else {
          const expected = plain.byCall.get(call.as ? placeNamed(call.as) : place);
          if (!call.contested) assert.notEqual(said?.verdict, 'redirect', call.name);
          assert.deepEqual(comparable(call, { text, isError }), comparable(call, expected), call.name);
        }
      }
    });

    test('every request is the same but for what was refused', () => {
      const blanked = new Set();
      for (const { id, ...result } of plain.results) {
        const { refused, as, contested, unordered, anyOf } = calls.get(placeOf({ id, ...result }));
        if (refused || as || unordered || anyOf || (contested && route === 'hooks')) blanked.add(id);
      }
      const [before_, after_] = [plain, session].map((each) => requestTexts(each, blanked));
      assert.equal(after_.length, before_.length);
      after_.forEach(({ conversation, turn, text }, index) => assert.equal(text, before_[index].text, `request ${turn} of ${conversation}`));
    });

    test('exactly one route answers each call', () => {
      const concerned = [...calls].filter(([, { tool }]) => tool !== 'Agent');
      const refused = concerned.filter(([, call]) => call.refused).map(([place]) => place);
      const routes = answeringRoutes(session);
      for (const place of refused) assert.deepEqual(routes.get(place), [route], calls.get(place).name);
      if (route === 'module') {
        assert.deepEqual(session.nodeStarts, [], 'no process was started beside the client');
      } else {
        // Read is only looked at where the ending is that of a source, Bash where a program of the rules is named; the hook never starts twice
        // for one call.
        const isLookedAt = ({ tool, input }) => (tool === 'Bash' ? PROGRAMS.test(JSON.stringify(input)) : /\.(ts|py)$/.test(input.file_path));
        const expected = concerned.filter(([, call]) => isLookedAt(call));
        assert.equal(session.nodeStarts.length, expected.length);
        assert.equal(hookAnswers(session).length, refused.length + concerned.filter(([, { contested }]) => contested).length);
      }
    });

    test('leaves no record, and nothing in the project', () => {
      assert.deepEqual(session.records, []);
      assert.equal(execFileSync('git', ['status', '--short'], { cwd: project.folder, encoding: 'utf8' }), ' M packages.lock\n M src/small.ts\n');
    });
  });
}

test('the same calls are refused in the same words on every route', () => {
  // Each session was compared with the core's own words above; this names the table that they all share.
  assert.deepEqual([...new Set([...calls.values()].map(({ refused }) => refused).filter(Boolean))].sort(), [
    'recursive-grep',
    'unbounded-diff',
    'unbounded-log',
    'unbounded-walk',
    'whole-file-read',
  ]);
});

/** The verdicts of `trimtab judge` on the same calls in the same order, by place. Calls that do not reach trimtab are left out. */
function verdictsOf(root) {
  const order = [...calls].filter(([, { tool, name }]) => tool !== 'Agent' && !/^the person's own rule against a file by Read/.test(name));
  // The subagent's calls come before what the main agent asks after it.
  const split = order.findIndex(([, { name }]) => name === 'what only the subagent was refused');
  const main = order.filter(([place]) => place.startsWith('main'));
  const agent = order.filter(([place]) => place.startsWith(AGENT));
  const cut = main.findIndex(([place]) => place === order[split][0]);
  const sequence = [...main.slice(0, cut), ...agent, ...main.slice(cut)];
  const input = sequence.map(([place, { tool, input }]) =>
    JSON.stringify({ id: place, tool, input, cwd: root, root, session: 's1', agent: place.startsWith(AGENT) ? 'a1' : null }),
  );
  const output = execFileSync(process.execPath, [join(PLUGIN, 'bin/trimtab.mjs'), 'judge'], {
    cwd: root,
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
  });
  return new Map(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((verdict) => [verdict.id, verdict]),
  );
}

function placeNamed(name) {
  return [...calls].find(([, call]) => call.name === name)[0];
}

function comparable({ unordered, anyOf }, { text, isError }) {
  if (anyOf) return { lines: text.split('\n').length, isError };
  return { text: steady(unordered ? text.split('\n').sort().join('\n') : text), isError };
}
