// Sessions in which the module goes away and comes back, or in which one client is started by another: each call is answered by exactly one
// route, the next one knows what the one before refused, and a module that lives is never doubted.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureClient } from '../../lab/client.mjs';
import { copyOfPlugin } from './support/copy.mjs';
import { createProject } from './support/project.mjs';
import { answeringRoutes, countingNode, observe, placeOf } from './support/session.mjs';
import { noTerminal, typeInto } from './support/terminal.mjs';

const PLUGIN = fileURLToPath(new URL('../../', import.meta.url));
const WITH_MODULE = '2.1.332';
const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
const project = createProject(join(folder, 'project'));
after(() => rmSync(folder, { recursive: true, force: true }));

const bash = (command) => [{ tool: 'Bash', input: { command, description: 'Run it' } }];
const cat = (name) => bash(`cat src/${name}.ts`);
const say = (text) => [{ text }];

test('a module that died silenced the hooks until the end of the session: they answer from the next prompt on, until it comes back', async () => {
  const copy = copyOfPlugin(folder, makeMortal);
  const home = mkdtempSync(join(folder, 'home-'));
  const session = await observe({
    client: await ensureClient(WITH_MODULE),
    cwd: project.folder,
    home,
    plugins: [copy],
    settings: { permissions: { allow: ['Bash'] } },
    env: { CLAUDE_CODE_PLUGIN_DIR_WATCH: '1' },
    prompt: ['One.', 'Two.', 'Three.', 'Four.', 'Five.'],
    script: {
      main: [
        ...[cat('orders'), bash('echo wedge'), cat('invoices'), say('One.')],
        ...[cat('orders'), cat('customers'), cat('customers'), say('Two.')],
        ...[cat('stock'), bash(changing(copy)), say('Three.')],
        // The client takes a change in once a turn is over, beside the next one.
        ...[bash(waiting(copy)), cat('stock'), cat('customers'), cat('taxes'), cat('taxes'), bash('head -n 5 src/taxes.ts'), say('Four.')],
        ...[cat('prices'), say('Five.')],
      ],
    },
  });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
  assert.match(session.debug, /trimtab was unloaded: it crashed the hooks worker/);
  assert.deepEqual(told(session), [
    ['cat src/orders.ts', 'module'],
    ['echo wedge', null],
    ['cat src/invoices.ts', null], // Nobody's: the module is gone, and the hooks will know at the next prompt.
    ['cat src/orders.ts', null], // The hooks know what the module refused.
    ['cat src/customers.ts', 'hooks'],
    ['cat src/customers.ts', null],
    ['cat src/stock.ts', 'hooks'],
    [changing(copy), null],
    [waiting(copy), null],
    ['cat src/stock.ts', null], // The module knows what the hooks refused.
    ['cat src/customers.ts', null],
    ['cat src/taxes.ts', 'module'],
    ['cat src/taxes.ts', null],
    ['head -n 5 src/taxes.ts', null], // A suggested way: after four refusals that led nowhere there would be silence.
    ['cat src/prices.ts', 'module'],
  ]);
  // Only between the second prompt and the return is a process started, and the loss is on record once.
  assert.equal(session.nodeStarts.length, 4);
  assert.deepEqual(
    session.records.map(({ route, event, code }) => [route, event, code]),
    [['hook', 'UserPromptSubmit', 'module-gone']],
  );
});

test('prompts of the client itself, and an agent that outlives its turn, do not bring the module into doubt', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const agent = { description: 'Look around', prompt: 'SUBAGENT-ONE look around', subagent_type: 'general-purpose', run_in_background: true };
  const session = await observe({
    client: await ensureClient(WITH_MODULE),
    cwd: project.folder,
    home,
    plugins: [PLUGIN],
    settings: { permissions: { allow: ['Bash'] } },
    prompt: ['One.', 'Two.'],
    script: {
      main: [
        ...[[{ tool: 'Agent', input: agent }], say('One.')],
        ...[bash('sleep 3'), cat('orders'), cat('orders'), say('Two.')],
        // What the client says itself when the agent is done.
        ...[cat('stock'), say('Three.'), cat('stock'), say('Four.')],
      ],
      agents: { 'SUBAGENT-ONE': [bash('sleep 2'), cat('taxes'), cat('taxes'), say('Done.')] },
    },
  });
  assert.equal(session.exitCode, 0);
  assert.deepEqual([...new Set(told(session).map(([, route]) => route))].sort(), [null, 'module'].sort());
  assert.deepEqual([session.nodeStarts, session.records], [[], []]);
  assert.deepEqual(
    readdirSync(join(home, '.trimtab/sessions')).filter((name) => !name.endsWith('.json')),
    [],
  );
});

test('a prompt that is typed in mid-turn does not bring the module into doubt', { skip: noTerminal() }, async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const counted = countingNode(mkdtempSync(join(folder, 'node-')));
  const { debug, results } = await typeInto({
    client: await ensureClient(WITH_MODULE),
    cwd: project.folder,
    home,
    plugins: [copyOfPlugin(folder)],
    env: { TRIMTAB_MODE: 'redirect', ...counted.env },
    script: { main: [bash('sleep 4'), cat('orders'), cat('orders'), say('One.')] },
    lines: [
      { type: 'One.', until: 'tool_dispatch_start tool=Bash' },
      { type: 'Two.', until: 'turn 1 end' },
    ],
  });
  assert.match(debug, /trimtab@inline prompt\.submit settled[^]*trimtab@inline prompt\.submit settled[^]*turn 1 end/);
  assert.deepEqual(
    results.map(({ isError }) => isError),
    [false, true, false],
  );
  assert.deepEqual(counted.starts(), []);
  assert.equal(readdirSync(join(home, '.trimtab/sessions')).filter((name) => !name.endsWith('.json')).length, 0);
  assert.equal(existsSync(join(home, '.trimtab/errors.jsonl')), false);
});

test('a client that is started in the shell of another has a route of its own, and the one around it keeps its module', async () => {
  const [old, same] = await Promise.all(['2.1.277', WITH_MODULE].map((version) => ensureClient(version)));
  const again = [cat('orders'), cat('orders'), say('Done.')];
  const session = await observe({
    client: same,
    cwd: project.folder,
    plugins: [PLUGIN],
    settings: { permissions: { allow: ['Bash'] } },
    prompt: ['One.', 'Two.'],
    script: {
      main: [
        ...[cat('orders'), bash('env | grep -c "^TRIMTAB_MOD[_=]"')],
        ...[bash(starting(same, 'NESTED-MODULE')), bash(starting(same, 'NESTED-HOOKS', 'TRIMTAB_NO_MOD=1')), bash(starting(old, 'NESTED-OLD'))],
        // An older client that takes up the very session in whose shell it runs: its turns come in the middle of these.
        ...[bash(starting(old, 'NESTED-SAME', '', '--resume "$TRIMTAB_MOD_SESSION"')), cat('customers'), cat('orders'), say('Done.')],
        ...[cat('orders'), cat('stock'), say('One.'), cat('stock'), cat('taxes'), say('Two.')],
      ],
      agents: { 'NESTED-MODULE': again, 'NESTED-HOOKS': again, 'NESTED-OLD': again },
    },
  });
  assert.deepEqual({ exitCode: session.exitCode, stderr: session.stderr }, { exitCode: 0, stderr: '' });
  const byText = ({ text }) =>
    /^Permission to use Bash denied by plugins? trimtab/.test(text) ? 'module' : /^(PreToolUse:Bash hook error: )?`\w+\.ts` has 620 lines/.test(text) ? 'hooks' : null;
  const seen = session.results
    .filter(({ input }) => input.command.startsWith('cat '))
    .map((result) => [result.conversation, result.input.command, byText(result)].map((word) => word ?? '-').join(' '));
  assert.deepEqual(seen.sort(), [
    'NESTED-HOOKS cat src/orders.ts -',
    'NESTED-HOOKS cat src/orders.ts hooks',
    'NESTED-MODULE cat src/orders.ts -',
    'NESTED-MODULE cat src/orders.ts module',
    'NESTED-OLD cat src/orders.ts -',
    'NESTED-OLD cat src/orders.ts hooks',
    'main cat src/customers.ts hooks', // By the older client, which found what the module had refused in this session:
    'main cat src/orders.ts -',
    'main cat src/orders.ts -',
    'main cat src/orders.ts module',
    'main cat src/stock.ts -',
    'main cat src/stock.ts module',
    'main cat src/taxes.ts module',
  ]);
  assert.match(session.results.find(({ input }) => input.command.startsWith('env ')).text, /^3$/);
  // Two calls of each client that has no module of its own; none of the one around them.
  assert.equal(session.nodeStarts.length, 6);
  assert.deepEqual(
    session.records.map(({ route, event, code }) => [route, event, code]),
    [['hook', 'UserPromptSubmit', 'module-gone']],
  );
});

function told(session) {
  const routes = answeringRoutes(session);
  return session.results.map((result) => [result.input.command ?? result.tool, routes.get(placeOf(result))?.join() ?? null]);
}

/**
 * A module without its net: `echo wedge` holds the worker, and the client unloads for good what had no `.catch` there. Each start of it leaves
 * a line in `started` beside the copy.
 */
function makeMortal(copy) {
  const file = join(copy, 'mod/register.ts');
  let source = readFileSync(file, 'utf8');
  const put = (before, line) => {
    assert.equal(source.split(before).length, 2, before);
    source = source.replace(before, `${before}\n${line}`);
  };
  put('await beginTurn($, options)', `await $.process.run(['sh', '-c', "echo started >>'${join(copy, '../started')}'"])`);
  const isWedge = `(e.input as { command?: string }).command === 'echo wedge'`;
  put("on('tool.check', { tool: /^(Bash|Edit|Glob|Grep|PowerShell|Read|Write)$/ }, async ($, e, next) => {", `if (${isWedge}) for (const end = Date.now() + 30_000; Date.now() < end;);`);
  const start = source.indexOf('.catch(($, e, next)', source.indexOf("on('tool.check'"));
  const end = source.indexOf('\n  })\n', start);
  assert.ok(start > 0 && end > start);
  writeFileSync(file, source.slice(0, start) + source.slice(end + '\n  })'.length));
}

/** A command that starts a client with the plugin and this prompt, in the project and with the variables of the shell that it runs in. */
function starting(client, prompt, variables = '', args = '') {
  const program = join(mkdtempSync(join(folder, 'nested-')), 'start.sh');
  writeFileSync(program, `${variables} '${client}' --print --permission-mode default --plugin-dir '${PLUGIN}' ${args} -- '${prompt}'\n`);
  return `sh '${program}'`;
}

/** Changes a file of the module, as an edit of the plugin does. By a program, because the client asks about edits of plugins. */
function changing(copy) {
  return program(copy, 'change', `echo '// Changed.' >>'${copy}/mod/host.ts'`);
}

/** Waits until the module has been started a second time. */
function waiting(copy) {
  return program(copy, 'wait', `until [ "$(grep -c started '${join(copy, '../started')}')" -gt 1 ]; do sleep 0.2; done`);
}

/** Its name is none of the rules' programs, so no hook starts Node for it, whichever route answers at that moment. */
function program(copy, name, line) {
  const file = join(copy, '..', name);
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return file;
}
