// Records what a client hands to PreToolUse command hooks, as fixtures: `node scripts/record-payloads.mjs 2.1.332` writes tests/payloads/2.1.332/.
// Drives the real client with a scripted model; the folders of this machine are replaced by `/home/dev`.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureClient, runSession } from '../lab/client.mjs';

const [version] = process.argv.slice(2);
const FIXTURES = fileURLToPath(new URL(`../tests/payloads/${version}/`, import.meta.url));
const BASH = 'cat big.ts';

// The name of the fixture for each call, by the id that the lab gives it.
const NAMES = {
  toolu_lab_main_001_1: 'bash',
  toolu_lab_main_002_1: 'bash-many-lines',
  toolu_lab_main_003_1: 'read',
  toolu_lab_main_004_1: 'read-range',
  toolu_lab_agent1_001_1: 'bash-in-subagent',
  toolu_lab_agent1_002_1: 'read-in-subagent',
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-payloads-')));
const [home, project, plugin, out] = ['home', 'project', 'plugin', 'out'].map((name) => join(folder, name));
for (const made of [home, project, join(plugin, 'hooks'), join(plugin, '.claude-plugin'), out]) mkdirSync(made, { recursive: true });
writeFileSync(join(project, 'big.ts'), 'export const line = 1;\n'.repeat(900));
writeFileSync(join(plugin, '.claude-plugin/plugin.json'), JSON.stringify({ name: 'recorder', version: '0.0.0', description: 'records payloads' }));
const hook = { type: 'command', command: `cat > "${out}/$$.json"; exit 0`, timeout: 10 };
writeFileSync(join(plugin, 'hooks/hooks.json'), JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash|Read', hooks: [hook] }] } }));

const bash = (command) => [{ tool: 'Bash', input: { command, description: 'Look at the file' } }];
const read = (more) => [{ tool: 'Read', input: { file_path: join(project, 'big.ts'), ...more } }];
await runSession({
  client: await ensureClient(version, { log: (line) => process.stderr.write(`${line}\n`) }),
  plugins: [plugin],
  cwd: project,
  home,
  script: {
    main: [
      bash(BASH),
      bash(`cd . &&\n  ${BASH} | grep -n "li'ne" \\\n  | head -5 # ünïcode 😀`),
      read({}),
      read({ offset: 10, limit: 20 }),
      [{ tool: 'Agent', input: { description: 'look', prompt: 'SUB-LOOK at the file', subagent_type: 'general-purpose', run_in_background: false } }],
    ],
    agents: { 'SUB-LOOK': [bash(BASH), read({})] },
  },
});

rmSync(FIXTURES, { recursive: true, force: true });
mkdirSync(FIXTURES, { recursive: true });
for (const file of readdirSync(out)) {
  const text = readFileSync(join(out, file), 'utf8').replaceAll(folder, '/home/dev').replaceAll(folder.replace(/[^a-zA-Z0-9]/g, '-'), '-home-dev');
  const id = JSON.parse(text).tool_use_id;
  // The payload byte for byte, with the line end that the client sends or not.
  writeFileSync(join(FIXTURES, `${NAMES[id] ?? id}.json`), text);
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${readdirSync(FIXTURES).join('\n')}\n`);
