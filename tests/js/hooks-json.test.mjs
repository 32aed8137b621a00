// hooks/hooks.json is what the generator makes of the core's own list, and the client finds in it what it needs.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadCore } from '../../node/core.mjs';
import { hooksOf } from '../../scripts/lib/hooks-of.mjs';

const FOLDER = new URL('../../hooks/', import.meta.url);

test('each ending that a rule concerns has one entry for Read, and Bash, Grep and PowerShell have one for all', () => {
  const { hooks, modules } = JSON.parse(hooksOf({ bash: ['cat', 'git'], powershell: ['gc', 'get-content'], read: ['ts', 'c++'] }));
  assert.equal(modules.length, 1);
  assert.deepEqual(Object.keys(hooks), ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionStart', 'SessionEnd']);
  assert.deepEqual(hooks.PreToolUse.map(({ matcher, hooks }) => [matcher, hooks.map((hook) => hook.if)]), [
    ['Bash', [undefined]],
    ['Grep', [undefined]],
    ['PowerShell', [undefined]],
    ['Read', ['Read(*.ts)', 'Read(*.c++)']],
  ]);
  assert.deepEqual(hooks.PostToolUse.map(({ matcher, hooks }) => [matcher, hooks.map((hook) => hook.if)]), [['Read', ['Read(*.ts)', 'Read(*.c++)']]]);
  assert.match(hooks.PreToolUse[2].hooks[0].command, /trimtab_words='\[Gg\]\[Cc\] \[Gg\]\[Ee\]\[Tt\]-/);
  for (const { hooks: entries } of Object.values(hooks).flat()) for (const { type, timeout } of entries) assert.deepEqual({ type, timeout }, { type: 'command', timeout: 10 });
});

test('a prompt has one entry, whatever the prompt: for the life of the module, and for the weight of the session', () => {
  const { hooks } = JSON.parse(hooksOf({ bash: ['cat'], powershell: ['gc'], read: ['ts'] }));
  assert.equal(hooks.UserPromptSubmit.length, 1);
  assert.deepEqual(Object.keys(hooks.UserPromptSubmit[0]), ['hooks']);
  assert.equal(hooks.UserPromptSubmit[0].hooks.length, 2);
  assert.equal(hooks.SessionStart[0].matcher, 'compact');
});

test('the file is the one that the built core would have', async () => {
  const { core } = await loadCore();
  assert.equal(readFileSync(new URL('hooks.json', FOLDER), 'utf8'), hooksOf(core.step({ do: 'programs' })));
});

test('what the file names is there', () => {
  const { modules, hooks } = JSON.parse(readFileSync(new URL('hooks.json', FOLDER), 'utf8'));
  for (const path of modules) assert.ok(existsSync(new URL(path, FOLDER)), path);
  for (const { hooks: entries } of Object.values(hooks).flat()) {
    for (const { command } of entries) {
      const [, script] = /trimtab_root="\$\{CLAUDE_PLUGIN_ROOT\}".*\$trimtab_root\/hooks\/(\w+\.sh)"/.exec(command);
      assert.ok(existsSync(new URL(script, FOLDER)), script);
    }
  }
});
