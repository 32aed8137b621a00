// `trimtab doctor`: its tables beside the sources that they are about, and its report.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CODES, HANDSHAKE_VARIABLES, NODE_PLACES, OTHER_VARIABLES, VARIABLES } from '../../doctor/data.mjs';
import { textOf } from '../../doctor/report.mjs';
import { CHECKS, runChecks } from '../../doctor/run.mjs';
import { createWorld } from '../../doctor/world.mjs';
import { REPOSITORY, VERSION, healthy, hookEntry, ok, problem, row } from './support/doctor.mjs';
import { run } from './support/plugin.mjs';

test('every code that a source records has a meaning, and no other', () => {
  const sources = ['src', 'node', 'hooks', 'glue', 'mod']
    .flatMap((folder) => filesBelow(join(REPOSITORY, folder)))
    .filter((path) => /\.(rs|mjs|js|ts|sh)$/.test(path) && !/\.test\.|\/tests\//.test(path));
  const text = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
  const spelled = [
    /\bcode: "([a-z-]+)"/g,
    /\brecord_once\([^"]*"([a-z-]+)"/g,
    /"(payload-[a-z-]+)"/g,
    // The first argument that is spelled like a code; events have capitals.
    /\b(?:record|giveUp|fail)\((?:[^()]|\([^()]*\))*?'([a-z]+(?:-[a-z]+)*)'/g,
    /\bgiveUp, maxMs, '([a-z-]+)'/g,
    /\bpassed\('[a-z-]+', '([a-z-]+)'\)/g,
    /\bpassed\('(wire)', error\.code\)/g,
    /'(payload-too-large)'/g,
    /'(core-(?:missing|broken))'/g,
    /\btrimtab_record ([a-z-]+);/g,
    /\btrimtab_code=([a-z-]+)/g,
    /\?\? '(crash)'/g,
  ];
  const found = new Set(spelled.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code)));
  assert.deepEqual([...found].sort(), Object.keys(CODES).sort());
  for (const [code, { level, means, next }] of Object.entries(CODES)) {
    assert.match(means, /^[a-z].*[^.]$/, code);
    assert.ok(level === 'note' || next, code);
  }
});

test('the places of Node are those of the command hooks, in their order', () => {
  const script = readdirSync(join(REPOSITORY, 'hooks'))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => readFileSync(join(REPOSITORY, 'hooks', name), 'utf8'))
    .join('\n');
  const [, list] = /for trimtab_place in ([^;]+); do/.exec(script);
  const places = [...list.replaceAll('\\\n', ' ').matchAll(/'[^']+'|\S+/g)].map(([word]) => word.replaceAll(/["']/g, '').replace('${HOME-}', '~'));
  assert.deepEqual(places, NODE_PLACES);
});

test('every variable that a source reads is known', () => {
  const text = ['src', 'node', 'hooks', 'mod', 'cli', 'lab', 'demo', 'scripts']
    .flatMap((folder) => filesBelow(join(REPOSITORY, folder)))
    .filter((path) => !/\.test\.|\/tests\//.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const names = new Set([...text.matchAll(/\bTRIMTAB_[A-Z]+(?:_[A-Z]+)*\b/g)].map(([name]) => name));
  assert.deepEqual([...names].sort(), [...Object.keys(VARIABLES), ...HANDSHAKE_VARIABLES, ...OTHER_VARIABLES].sort());
});

test('the report: problems first, one line each, exit 0 or 1; nothing of the machine is changed', async (t) => {
  const world = healthy(t);
  world.copy();
  const doctor = (args = [], env = {}) =>
    run([process.execPath, world.at('plugin/bin/trimtab.mjs'), 'doctor', ...args], {
      cwd: world.at('project'),
      env: { ...world.outside.env, ...env },
    });
  const before = snapshot(world.at(''));

  const well = await doctor();
  assert.deepEqual({ code: well.code, stderr: well.stderr }, { code: 0, stderr: '' });
  const lines = well.stdout.trimEnd().split('\n');
  assert.deepEqual([...new Set(lines.slice(0, -2).map((line) => line.split(' ')[0]))], ['ok']);
  assert.deepEqual(
    lines.slice(0, -2).map((line) => line.split(/ +/)[1]),
    Object.keys(CHECKS),
  );
  assert.deepEqual(lines.slice(-2), ['', `trimtab ${VERSION}: all well`]);

  const ill = await doctor([], { TRIMTAB_HOOKS: 'off', TRIMTAB_MODE: 'advice', FORCE_COLOR: '1' });
  assert.deepEqual({ code: ill.code, stderr: ill.stderr }, { code: 1, stderr: '' });
  assert.deepEqual(
    ill.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')[0]),
    ['problem', 'problem', 'note', 'note', 'note', ...Array(7).fill('ok'), 'trimtab'],
  );
  assert.match(ill.stdout, /^problem {2}routes {7}nobody answers [^\n]*; unset it there\n/);
  assert.match(ill.stdout, new RegExp(`\ntrimtab ${VERSION}: 2 problems, 3 notes\n$`));
  assert.doesNotMatch(ill.stdout, /\u001b/, 'no colours in a pipe');

  const json = await doctor(['--json', `--client=${world.at('bin/claude')}`], { TRIMTAB_NO_MOD: '1' });
  assert.equal(json.code, 0);
  const { findings: found, ...rest } = JSON.parse(json.stdout);
  const route = { route: 'hooks', why: ['no-mod'] };
  assert.deepEqual(rest, {
    v: 1,
    trimtab: VERSION,
    isWell: true,
    client: { version: '2.1.332', kind: 'wasm' },
    routes: { 'PreToolUse:Bash': route, 'PreToolUse:PowerShell': route, 'PreToolUse:Read': route },
  });
  assert.deepEqual(found.map(({ check }) => check).sort(), Object.keys(CHECKS).sort());

  assert.deepEqual(snapshot(world.at('')), before);
});

test('what is asked wrongly is answered with 2', async (t) => {
  const world = healthy(t);
  world.copy();
  const doctor = (...args) =>
    run([process.execPath, world.at('plugin/bin/trimtab.mjs'), 'doctor', ...args], { cwd: world.at('project'), env: world.outside.env });
  assert.deepEqual(await doctor('now'), {
    code: 2,
    stdout: '',
    stderr: 'trimtab: `trimtab doctor` takes no `now`; `trimtab doctor -h` lists the options\n',
  });
  assert.deepEqual(await doctor('--jsn'), { code: 2, stdout: '', stderr: 'trimtab: unknown option `--jsn`; did you mean `--json`?\n' });
  assert.deepEqual(await doctor('--client='), {
    code: 2,
    stdout: '',
    stderr: 'trimtab: `--client` is empty; give the path of a program, such as `--client=/usr/local/bin/claude`\n',
  });
});

test('a check that fails itself is told, and the others go on', async (t) => {
  const { outside } = healthy(t);
  const broken = async () => {
    throw new TypeError('with a secret in it');
  };
  assert.deepEqual(await runChecks(createWorld(outside), { settings: CHECKS.settings, broken }), [
    { check: 'broken', ...problem('check-failed', 'this check failed itself (`TypeError`)', 'report it, with the version of Node and the system') },
    { check: 'settings', ...ok('settings-read', 'read `~/.claude/settings.json`') },
  ]);
});

test('colours are for terminals, and nothing in a name reaches one', () => {
  const found = [
    { check: 'a', ...problem('x', 'bad \u001b[2J', 'mend\nit') },
    { check: 'bcd', ...ok('y', 'good') },
  ];
  assert.equal(textOf(found, { isColoured: false }), `problem  a    bad ?[2J; mend?it\nok       bcd  good\n\ntrimtab ${VERSION}: 1 problem\n`);
  assert.equal(
    textOf(found, { isColoured: true }),
    `\u001b[31mproblem\u001b[0m  a    bad ?[2J; mend?it\n\u001b[32mok\u001b[0m       bcd  good\n\ntrimtab ${VERSION}: 1 problem\n`,
  );
});

test(
  'on a terminal there are colours, unless NO_COLOR says no',
  { skip: spawnSync('script', ['--version']).status !== 0 && 'no `script` here' },
  (t) => {
    const world = healthy(t);
    world.copy();
    const onTerminal = (env) =>
      execFileSync('script', ['-qec', `'${process.execPath}' '${world.at('plugin/bin/trimtab.mjs')}' doctor`, '/dev/null'], {
        cwd: world.at('project'),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...world.outside.env, PATH: `${world.at('bin')}:/usr/bin:/bin`, TERM: 'xterm', ...env },
      });
    assert.match(onTerminal({}), /\u001b\[32mok\u001b\[0m/);
    assert.doesNotMatch(onTerminal({ NO_COLOR: '1' }), /\u001b\[/);
    assert.doesNotMatch(onTerminal({ TERM: 'dumb' }), /\u001b\[3/);
  },
);

test('no key, no command and no content of a file is printed', async (t) => {
  const world = healthy(t);
  const secret = 'sk-ant-not-to-be-seen';
  world.settings({
    apiKeyHelper: secret,
    env: { ANTHROPIC_API_KEY: secret, TRIMTAB_BYPASS: secret, TRIMTAB_OTHER: secret, TRIMTAB_HOOKS: secret, TRIMTAB_MOD: secret },
    hooks: { PreToolUse: [hookEntry(`trimtab hook PreToolUse # ${secret}`, 'Bash')], Stop: [hookEntry(secret)] },
    pluginConfigs: { 'trimtab@trimtab': { options: { token: secret } } },
  });
  world.json('project/.claude/settings.json', `{ "${secret}"`);
  world.records([row('config', { detail: `user configuration: ${secret} and more` }), { ...row('trap'), version: secret, event: secret }]);
  world.program('claude', `echo ${secret}`);
  const found = await runChecks(createWorld(world.outside));
  // Of the configuration the core names keys and values that are mistakes; those have to be found by the person.
  assert.ok(!JSON.stringify(found).includes(secret), JSON.stringify(found.filter((finding) => JSON.stringify(finding).includes(secret))));
});

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Every file below a folder with its mode, size and time. */
function snapshot(folder) {
  return filesBelow(folder).map((path) => {
    const { mode, size, mtimeMs } = lstatSync(path);
    return [path, mode, size, mtimeMs, lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null];
  });
}
