// hooks/hook.sh and hooks/prompt.sh as the client runs them: the commands of hooks.json in each shell that is here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stepsAside } from '../../node/handshake.mjs';
import { makePlugin } from './support/plugin.mjs';

const SHELLS = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh'], ['ksh'], ['zsh', '--emulate', 'sh']].filter(isHere);
const SESSION = 'b83c0922-48d1-4169-a61e-3688b33797b6';
const TURN = '483923ab-cae4-4166-af61-ebfda169a19b';
const NEXT_TURN = 'eb90221c-2ef6-4bfe-8757-21b86fa1045b';
const SILENT = { code: 0, stdout: '', stderr: '' };
// The mod answers for this session: the three variables as it sets them.
const ASIDE = {
  CLAUDE_CODE_SESSION_ID: SESSION,
  TRIMTAB_MOD: 'PreToolUse:Bash,PreToolUse:Read',
  TRIMTAB_MOD_SESSION: `11111111-2222-3333-4444-555555555555,${SESSION}`,
  TRIMTAB_MOD_TURN: TURN,
};

function isHere([program, ...args]) {
  try {
    execFileSync(program, [...args, '-c', ':'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const WORDS = ['bash', 'cat', 'git'];

/** A plugin with a pretend Node, which says that it was reached, and with what; on request it repeats its input. */
function reachable(test, { echoes = false, ...how } = {}) {
  const plugin = makePlugin(test, how);
  const folder = join(plugin.home, 'bin');
  pretendNode(folder, echoes ? 'cat' : '');
  const withPath = (run) => (input, { env, ...more } = {}) => run(input, { env: { PATH: `${folder}:/usr/bin:/bin`, ...env }, ...more });
  return { ...plugin, hook: withPath(plugin.hook), prompt: withPath(plugin.prompt) };
}

function pretendNode(folder, then = '') {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'node'), `#!/bin/sh\nprintf 'reached %s with %s%s\\n' "$1" "$2" "\${NODE_OPTIONS-}"\n${then}\n`, { mode: 0o755 });
}

const reached = ({ root }) => ({ ...SILENT, stdout: `reached ${root}/hooks/hook.mjs with PreToolUse\n` });

// What differs from ASIDE -> whether the command hook steps aside.
const TABLE = [
  ['all three say so', {}, true],
  ['only this action is listed', { TRIMTAB_MOD: 'PreToolUse:Bash' }, true],
  ['the session stands first of eight', { TRIMTAB_MOD_SESSION: [SESSION, 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join() }, true],
  ['another action is listed', { TRIMTAB_MOD: 'PreToolUse:Read' }, false],
  ['the listed action only begins like this one', { TRIMTAB_MOD: 'PreToolUse:BashOutput' }, false],
  ['the listed action only ends like this one', { TRIMTAB_MOD: 'PostPreToolUse:Bash' }, false],
  ['the event alone is listed', { TRIMTAB_MOD: 'PreToolUse' }, false],
  ['a star is listed', { TRIMTAB_MOD: '*' }, false],
  ['no action is listed', { TRIMTAB_MOD: '' }, false],
  ['TRIMTAB_MOD is not set', { TRIMTAB_MOD: undefined }, false],
  ['another session was served', { TRIMTAB_MOD_SESSION: '11111111-2222-3333-4444-555555555555' }, false],
  ['a session that begins alike was served', { TRIMTAB_MOD_SESSION: `${SESSION}0` }, false],
  ['no session was served', { TRIMTAB_MOD_SESSION: '' }, false],
  ['TRIMTAB_MOD_SESSION is not set', { TRIMTAB_MOD_SESSION: undefined }, false],
  ['the client does not name the session', { CLAUDE_CODE_SESSION_ID: undefined }, false],
  ['the client names no session, and neither did the module', { CLAUDE_CODE_SESSION_ID: '', TRIMTAB_MOD_SESSION: '' }, false],
  ['a session id is no pattern', { CLAUDE_CODE_SESSION_ID: '*' }, false],
  ['a session id is no range', { CLAUDE_CODE_SESSION_ID: '[a-z]*' }, false],
  ['no turn has begun', { TRIMTAB_MOD_TURN: '' }, false],
  ['TRIMTAB_MOD_TURN is not set', { TRIMTAB_MOD_TURN: undefined }, false],
  ['the module is not wanted', { TRIMTAB_NO_MOD: '1' }, false],
  ['TRIMTAB_NO_MOD is something else', { TRIMTAB_NO_MOD: '0' }, true],
  ['everything is off', { TRIMTAB_HOOKS: 'off' }, true],
  ['everything is off, without a module', { TRIMTAB_HOOKS: 'off', TRIMTAB_MOD: undefined }, true],
  ['off wins over not wanting the module', { TRIMTAB_HOOKS: 'off', TRIMTAB_NO_MOD: '1' }, true],
  ['TRIMTAB_HOOKS is something else', { TRIMTAB_HOOKS: 'on', TRIMTAB_MOD: undefined }, false],
];

// What hooks/prompt.sh has left in ~/.trimtab/sessions, and in what state the client is then -> whether the command hook steps aside.
const GONE_TABLE = [
  ['nothing was left', [], {}, true],
  ['this value was found stale', [`${TURN}.7.gone`], {}, false],
  ['another value was found stale, and the module is back', [`${TURN}.7.gone`], { TRIMTAB_MOD_TURN: NEXT_TURN }, true],
  ['it was found stale in another client', [`${TURN}.8.gone`], {}, true],
  ['the client does not tell its number', [`${TURN}..gone`], { CLAUDE_PID: undefined }, false],
  ['it was found stale, and everything is off', [`${TURN}.7.gone`], { TRIMTAB_HOOKS: 'off' }, true],
  ['something else lies there', [`${TURN}.gone`, `${SESSION}.7.gone`, `${TURN}.7.gone.tmp`, `${TURN}.json`], {}, true],
];

// What differs from ASIDE at a prompt, and which prompt it is -> whether the module is found gone.
const PROMPT_TABLE = [
  ['the module renewed the value for this prompt', {}, TURN, false],
  ['the value is that of an earlier prompt', {}, NEXT_TURN, true],
  ['the value is the session, because no prompt was heard', { TRIMTAB_MOD_TURN: SESSION }, TURN, true],
  ['the value is longer than the prompt', { TRIMTAB_MOD_TURN: `${TURN}0` }, TURN, true],
  ['the value is shorter than the prompt', { TRIMTAB_MOD_TURN: TURN.slice(0, -1) }, TURN, true],
  ['the module could not tell the prompt', { TRIMTAB_MOD_TURN: 'turn:1' }, NEXT_TURN, false],
  ['the value names a path', { TRIMTAB_MOD_TURN: '../x' }, NEXT_TURN, false],
  ['the value is a pattern', { TRIMTAB_MOD_TURN: '*' }, NEXT_TURN, false],
  ['the client names no prompt', {}, undefined, false],
  ['the session is not the module\'s', { TRIMTAB_MOD_SESSION: 'another' }, NEXT_TURN, false],
  ['the client does not name the session', { CLAUDE_CODE_SESSION_ID: undefined }, NEXT_TURN, false],
  ['there is no module', { TRIMTAB_MOD: undefined, TRIMTAB_MOD_SESSION: undefined, TRIMTAB_MOD_TURN: undefined }, NEXT_TURN, false],
  ['the module took itself back', { TRIMTAB_MOD: undefined }, NEXT_TURN, false],
  ['the module is not wanted', { TRIMTAB_NO_MOD: '1' }, NEXT_TURN, false],
  ['everything is off', { TRIMTAB_HOOKS: 'off' }, NEXT_TURN, false],
  ['there is no home', { HOME: '' }, NEXT_TURN, false],
];

const defined = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
const leftIn = ({ home }) => (existsSync(join(home, '.trimtab/sessions')) ? readdirSync(join(home, '.trimtab/sessions')) : []);

/** As the client writes it, in this order. */
function promptPayload(prompt, text = 'Go on.') {
  const fields = { session_id: SESSION, transcript_path: '/home/dev/x.jsonl', cwd: '/home/dev', prompt_id: prompt, permission_mode: 'default' };
  return `${JSON.stringify({ ...fields, hook_event_name: 'UserPromptSubmit', prompt: text })}\n`;
}

for (const shell of SHELLS) {
  const name = shell.join(' ');

  test(`${name}: the handshake is read in shell as it is in Node`, async (t) => {
    const plugin = reachable(t);
    for (const [title, changed, isAside] of TABLE) {
      const env = defined({ ...ASIDE, ...changed });
      const expected = isAside ? SILENT : reached(plugin);
      assert.deepEqual(await plugin.hook('{}', { shell, env }), expected, title);
      assert.equal(stepsAside(env, 'PreToolUse', '{"tool_name":"Bash"}', join(plugin.home, '.trimtab')), isAside, `Node: ${title}`);
    }
  });

  test(`${name}: a module that was found gone is no longer stepped aside for, in shell as in Node`, async (t) => {
    for (const [title, files, changed, isAside] of GONE_TABLE) {
      const plugin = reachable(t);
      const folder = join(plugin.home, '.trimtab/sessions');
      mkdirSync(folder, { recursive: true });
      for (const file of files) writeFileSync(join(folder, file), '');
      const env = defined({ ...ASIDE, CLAUDE_PID: '7', ...changed });
      assert.deepEqual(await plugin.hook('{}', { shell, env }), isAside ? SILENT : reached(plugin), title);
      assert.equal(stepsAside(env, 'PreToolUse', '{"tool_name":"Bash"}', join(plugin.home, '.trimtab')), isAside, `Node: ${title}`);
    }
  });

  test(`${name}: a prompt for which the module did not renew the value finds it gone, and nothing else does`, async (t) => {
    for (const [title, changed, prompt, isGone] of PROMPT_TABLE) {
      const plugin = reachable(t);
      const env = defined({ ...ASIDE, CLAUDE_PID: '7', ...changed });
      assert.deepEqual(await plugin.prompt(promptPayload(prompt), { shell, env }), SILENT, title);
      assert.deepEqual(leftIn(plugin), isGone ? [`${env.TRIMTAB_MOD_TURN}.7.gone`] : [], title);
      assert.deepEqual(plugin.records().map(({ event, code }) => [event, code]), isGone ? [['UserPromptSubmit', 'module-gone']] : [], title);
      // The tool hooks of the same state, until a module says otherwise.
      const isAside = env.TRIMTAB_HOOKS === 'off' || (!isGone && stepsAside(env, 'PreToolUse', '{"tool_name":"Bash"}', join(plugin.home, '.trimtab')));
      assert.deepEqual(await plugin.hook('{}', { shell, env }), isAside ? SILENT : reached(plugin), title);
    }
  });

  test(`${name}: a module that is gone is on record once, for the person alone, and a prompt that quotes an id hides nothing`, async (t) => {
    const plugin = reachable(t);
    const env = { ...ASIDE, CLAUDE_PID: '7' };
    const quoting = `"prompt_id":"${TURN}" \\"prompt_id\\":\\"${TURN}\\" ${'x'.repeat(200_000)}`;
    for (const prompt of [quoting, 'again']) assert.deepEqual(await plugin.prompt(promptPayload(NEXT_TURN, prompt), { shell, env }), SILENT);
    assert.equal(plugin.records().length, 1);
    assert.deepEqual(leftIn(plugin), [`${TURN}.7.gone`]);
    for (const [path, mode] of [['.trimtab', 0o700], ['.trimtab/sessions', 0o700], [`.trimtab/sessions/${TURN}.7.gone`, 0o600], ['.trimtab/errors.jsonl', 0o600]])
      assert.equal(statSync(join(plugin.home, path)).mode & 0o777, mode, path);
    assert.deepEqual(await plugin.prompt(promptPayload(NEXT_TURN), { shell, env: { ...env, TRIMTAB_MOD_TURN: NEXT_TURN } }), SILENT);
    assert.deepEqual(leftIn(plugin), [`${TURN}.7.gone`], 'the module is back');
  });

  test(`${name}: at a prompt, what is missing or cannot be written is silence and 0`, async (t) => {
    const env = { ...ASIDE, CLAUDE_PID: '7' };
    const spoil = {
      'no prompt.sh': ({ root }) => rmSync(join(root, 'hooks/prompt.sh')),
      'prompt.sh is a folder': ({ root }) => rmSync(join(root, 'hooks/prompt.sh')) ?? mkdirSync(join(root, 'hooks/prompt.sh')),
      'prompt.sh has CRLF line ends': ({ root }) => writeFileSync(join(root, 'hooks/prompt.sh'), readFileSync(join(root, 'hooks/prompt.sh'), 'utf8').replaceAll('\n', '\r\n')),
      'prompt.sh is cut off': ({ root }) => writeFileSync(join(root, 'hooks/prompt.sh'), readFileSync(join(root, 'hooks/prompt.sh'), 'utf8').slice(0, -150)),
      'no record.sh': ({ root }) => rmSync(join(root, 'hooks/record.sh')),
      'record.sh has CRLF line ends': ({ root }) => writeFileSync(join(root, 'hooks/record.sh'), readFileSync(join(root, 'hooks/record.sh'), 'utf8').replaceAll('\n', '\r\n')),
      'record.sh is cut off': ({ root }) => writeFileSync(join(root, 'hooks/record.sh'), readFileSync(join(root, 'hooks/record.sh'), 'utf8').slice(0, -30)),
      'a file stands in the place of ~/.trimtab': ({ home }) => writeFileSync(join(home, '.trimtab'), ''),
      'a file stands in the place of the sessions': ({ home }) => mkdirSync(join(home, '.trimtab')) ?? writeFileSync(join(home, '.trimtab/sessions'), ''),
    };
    for (const [title, how] of Object.entries(spoil)) {
      const plugin = reachable(t);
      how(plugin);
      const { code, stdout } = await plugin.prompt(promptPayload(NEXT_TURN), { shell, env });
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' }, title);
    }
    for (const input of ['', '\n', 'no JSON', '{"prompt_id":7}', '{}']) {
      const plugin = reachable(t);
      assert.deepEqual(await plugin.prompt(input, { shell, env }), SILENT, input);
      assert.deepEqual(leftIn(plugin), [], input);
    }
    const plugin = reachable(t);
    assert.deepEqual(await plugin.prompt(promptPayload(NEXT_TURN), { env: { ...env, PATH: '/nowhere' }, ...absoluteShell(shell) }), SILENT, 'no tools');
  });

  test(`${name}: stepping aside starts no process and leaves no record`, async (t) => {
    const plugin = reachable(t, {});
    const [program] = shell;
    const absolute = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
    const env = { ...ASIDE, PATH: join(plugin.home, 'no-programs'), HOME: '/nowhere' };
    assert.deepEqual(await plugin.hook('{}', { shell: [absolute, ...shell.slice(1)], env }), SILENT);
    assert.deepEqual(await plugin.hook('{}', { shell: [absolute, ...shell.slice(1)], env: { PATH: env.PATH, TRIMTAB_HOOKS: 'off' } }), SILENT);
    for (const one of [{}, { TRIMTAB_HOOKS: 'off' }, { ...ASIDE, TRIMTAB_NO_MOD: '1' }, { ...ASIDE, TRIMTAB_MOD_SESSION: 'another' }])
      assert.deepEqual(await plugin.prompt(promptPayload(TURN), { shell: [absolute, ...shell.slice(1)], env: { PATH: env.PATH, ...one } }), SILENT);
    assert.deepEqual(plugin.records(), []);
  });

  test(`${name}: a command that names no program of the rules starts no Node, and one that does is handed on whole`, async (t) => {
    const plugin = reachable(t, { echoes: true });
    for (const [command, isHandedOn] of [
      ['true', false],
      ['npm test -- --watch=false', false],
      ['concatenate my-cat cat-food cargo merge', false],
      ['cat a.rs', true],
      ['A=1 /bin/cat a.rs', true],
      ['ls\ncat a.rs', true],
      ['ls\tcat', true],
      ['echo "$(cat a.rs)"', true],
      ['ls|cat', true],
      ['x=`cat f`', true],
      ["'cat' a\\\\b %s $HOME", true],
      ['bash -c "true"', true],
      ['git log', true],
    ]) {
      const payload = JSON.stringify({ session_id: 's', cwd: '/home/cat', tool_name: 'Bash', tool_input: { command, description: 'x' } });
      const expected = isHandedOn ? { ...SILENT, stdout: `reached ${plugin.root}/hooks/hook.mjs with PreToolUse\n${payload}` } : SILENT;
      assert.deepEqual(await plugin.hook(payload, { shell, words: WORDS }), expected, command);
    }
  });

  test(`${name}: a search of the Grep tool starts Node only where it prints lines`, async (t) => {
    const plugin = reachable(t, { echoes: true });
    for (const [input, isHandedOn] of [
      [{ pattern: 'order' }, false],
      [{ pattern: 'contents', output_mode: 'files_with_matches' }, false],
      [{ pattern: 'order', output_mode: 'content' }, true],
    ]) {
      const payload = JSON.stringify({ session_id: 's', cwd: '/content', tool_name: 'Grep', tool_input: input });
      const expected = isHandedOn ? { ...SILENT, stdout: `reached ${plugin.root}/hooks/hook.mjs with PreToolUse\n${payload}` } : SILENT;
      assert.deepEqual(await plugin.hook(payload, { shell, words: ['content'] }), expected, JSON.stringify(input));
    }
  });

  test(`${name}: a payload that is not as the client writes it is handed on whole`, async (t) => {
    const plugin = reachable(t, { echoes: true });
    for (const payload of ['', '{', '[]', '{"tool_input":\n {"command": "true"}\n}', `{"tool_input":{"command":"${'x '.repeat(40_000)}"}}`]) {
      const { stdout } = await plugin.hook(payload, { shell, words: WORDS });
      const [said, ...rest] = stdout.split('\n');
      assert.match(said, /^reached/);
      assert.equal(rest.join('\n').trimEnd(), payload, payload.slice(0, 40));
    }
  });

  test(`${name}: awkward plugin folders are found`, async (t) => {
    for (const folder of ['A B', "it's", 'qu"ote', '$HOME', '-n', 'äöü', '*', 'semi;colon']) {
      const plugin = reachable(t, { name: folder });
      assert.deepEqual(await plugin.hook('{}', { shell }), reached(plugin), folder);
    }
  });

  test(`${name}: a folder with a backslash in its name, from where Node loads nothing, is silence and a record`, async (t) => {
    const plugin = reachable(t, { name: 'back\\slash\\new' });
    assert.deepEqual(await plugin.hook('{}', { shell }), SILENT);
    assert.deepEqual(plugin.records().map(({ code }) => code), ['plugin-path']);
    assert.deepEqual(await plugin.hook('{}', { shell, env: ASIDE }), SILENT);
    assert.equal(plugin.records().length, 1, 'the module needs no Node');
  });

  test(`${name}: a plugin that is missing, half there or spoilt is silence and 0`, async (t) => {
    const spoil = {
      'no plugin root': ({ env }) => (env.CLAUDE_PLUGIN_ROOT = ''),
      'another plugin root': ({ env }) => (env.CLAUDE_PLUGIN_ROOT = '/no/such/folder'),
      'no hook.sh': ({ file }) => rmSync(file('hook.sh')),
      'hook.sh is a folder': ({ file }) => rmSync(file('hook.sh')) ?? mkdirSync(file('hook.sh')),
      'no hook.mjs': ({ file }) => rmSync(file('hook.mjs')),
      'hook.mjs is a folder': ({ file }) => rmSync(file('hook.mjs')) ?? mkdirSync(file('hook.mjs')),
      'no record.sh': ({ file }) => rmSync(file('record.sh')) ?? rmSync(file('hook.mjs')),
      'hook.sh is empty': ({ file }) => writeFileSync(file('hook.sh'), ''),
      'hook.sh has CRLF line ends': ({ file }) => writeFileSync(file('hook.sh'), readFileSync(file('hook.sh'), 'utf8').replaceAll('\n', '\r\n')),
    };
    for (const [title, how] of Object.entries(spoil)) {
      const plugin = reachable(t);
      const env = {};
      how({ env, file: (path) => join(plugin.root, 'hooks', path) });
      assert.deepEqual(await plugin.hook('{}', { shell, env }), SILENT, title);
    }
  });

  test(`${name}: a hook.sh that is cut off does not block the call`, async (t) => {
    const plugin = reachable(t);
    const file = join(plugin.root, 'hooks/hook.sh');
    hideNode(plugin);
    const text = readFileSync(file, 'utf8');
    for (const end of [text.indexOf('case') + 10, text.indexOf('for trimtab_place') + 20, text.indexOf('umask'), text.indexOf('trimtab_record no-node') - 20]) {
      writeFileSync(file, text.slice(0, end));
      const { code, stdout } = await plugin.hook('{}', { shell, env: { PATH: '/nowhere', HOME: plugin.home }, ...absoluteShell(shell) });
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' }, text.slice(end - 20, end));
    }
  });

  test(`${name}: where there is no Node, the shell itself leaves a record`, async (t) => {
    const plugin = reachable(t);
    hideNode(plugin);
    for (let n = 0; n < 2; n += 1) assert.deepEqual(await plugin.hook('{}', { shell, env: { PATH: toolsWithoutNode(plugin) }, ...absoluteShell(shell) }), SILENT);
    const rows = plugin.records();
    assert.equal(rows.length, 2);
    assert.match(rows[0].time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual({ ...rows[0], time: '' }, { time: '', version: null, route: 'hook', event: 'PreToolUse', code: 'no-node' });
  });

  test(`${name}: without Node and without a home, without tools, or with long records, it is silence`, async (t) => {
    const plugin = reachable(t);
    hideNode(plugin);
    const tools = toolsWithoutNode(plugin);
    const file = join(plugin.home, 'file');
    writeFileSync(file, '');
    for (const env of [{ HOME: '' }, { HOME: file }, { PATH: '/nowhere' }]) assert.deepEqual(await plugin.hook('{}', { shell, env: { PATH: tools, ...env }, ...absoluteShell(shell) }), SILENT, JSON.stringify(env));
    mkdirSync(join(plugin.home, '.trimtab'), { recursive: true });
    const records = join(plugin.home, '.trimtab/errors.jsonl');
    writeFileSync(records, 'x'.repeat(300_000));
    assert.deepEqual(await plugin.hook('{}', { shell, env: { PATH: tools }, ...absoluteShell(shell) }), SILENT);
    assert.equal(readFileSync(records, 'utf8').length, 300_000);
  });

  test(`${name}: a Node that is not on the PATH is found in the usual places, and gets none of the person's options`, async (t) => {
    const plugin = reachable(t);
    hideNode(plugin);
    const folder = join(plugin.home, '.nvm/versions/node/v20.1.0/bin');
    pretendNode(folder);
    chmodSync(join(folder, 'node'), 0o644);
    const run = () => plugin.hook('{}', { shell, env: { PATH: '/nowhere', NODE_OPTIONS: '--require ./no-such-file.js' }, ...absoluteShell(shell) });
    assert.deepEqual(await run(), SILENT, 'a file that cannot be run is no Node');
    chmodSync(join(folder, 'node'), 0o755);
    assert.deepEqual(await run(), reached(plugin));
  });
}

test('a real Node loads the hook from awkward plugin folders', async (t) => {
  for (const name of ['A B', "it's", 'qu"ote', '$HOME', '100%', 'a#b?c', 'äöü']) {
    const plugin = makePlugin(t, { name });
    writeFileSync(join(plugin.root, 'hooks/hook.mjs'), 'console.log("reached", ...process.argv.slice(2));\n');
    assert.deepEqual(await plugin.hook('{}'), { ...SILENT, stdout: 'reached PreToolUse\n' }, name);
  }
});

test('the payload tells Node that the value is stale, where no prompt has yet', () => {
  const payload = (prompt) => JSON.stringify({ tool_name: 'Bash', prompt_id: prompt });
  for (const [turn, prompt, isAside] of [
    [TURN, TURN, true],
    [TURN, NEXT_TURN, false],
    [SESSION, TURN, false],
    ['turn:1', TURN, true],
    [TURN, undefined, true],
    [TURN, 7, true],
  ]) {
    assert.equal(stepsAside({ ...ASIDE, TRIMTAB_MOD_TURN: turn }, 'PreToolUse', payload(prompt), null), isAside, `${turn} ${prompt}`);
  }
});

test('the payload names the session where the environment does not, but only Node looks there', () => {
  const env = { ...ASIDE, CLAUDE_CODE_SESSION_ID: undefined };
  assert.equal(stepsAside(env, 'PreToolUse', JSON.stringify({ session_id: SESSION, tool_name: 'Read' }), null), true);
  for (const payload of ['', 'null', '7', '{', '{}', JSON.stringify({ session_id: SESSION }), JSON.stringify({ session_id: 'other', tool_name: 'Read' })]) assert.equal(stepsAside(env, 'PreToolUse', payload, null), false, payload);
});

// The places where this machine really has a Node would spoil the test.
function hideNode({ root, home }) {
  const file = join(root, 'hooks/hook.sh');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(\s'?)(\/(?:usr|opt|c)\/)/g, `$1${home}/not-here$2`));
}

function toolsWithoutNode({ home }) {
  const folder = join(home, 'tools');
  if (!existsSync(folder)) {
    mkdirSync(folder);
    for (const tool of ['date', 'mkdir', 'wc']) execFileSync('sh', ['-c', `ln -s "$(command -v ${tool})" "${folder}/${tool}"`]);
  }
  return folder;
}

function absoluteShell([program, ...args]) {
  return { shell: [execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), ...args] };
}
