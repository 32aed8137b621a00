// The module and its tests under TypeScript, against the declarations that the client itself writes: `node scripts/check-types.mjs`.
// Changes nothing in the repository and keeps nothing of what the client writes.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runSession } from '../lab/client.mjs';
import { CLIENT_VERSIONS, clientProgram } from './lib/clients.mjs';
import { REPO } from './lib/prefix.mjs';
import { SetupError, stream } from './lib/run.mjs';

const TSC = join(REPO, 'node_modules/typescript/bin/tsc');
// As the client's own tsconfig.json for a module has it (2.1.332), but that declarations are checked as well and nothing may be unused.
const OPTIONS = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noEmit: true,
};

/** Gives `{status}` as `stream` does; what TypeScript finds is printed. */
export async function checkTypes() {
  if (!existsSync(TSC)) throw new SetupError('TypeScript is not in node_modules', 'run `npm ci`');
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-types-'));
  try {
    const project = join(folder, 'tsconfig.json');
    const checked = { compilerOptions: OPTIONS, files: [await declarations(folder)], include: [join(REPO, 'mod'), join(REPO, 'types')] };
    writeFileSync(project, JSON.stringify(checked));
    const { status } = await stream(process.execPath, [TSC, '--project', project], { cwd: REPO, timeoutMs: 5 * 60_000 });
    if (status === 0) console.log(`the types of mod/ and types/ fit the declarations of Claude Code ${CLIENT_VERSIONS[0]}`);
    return { status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A session in which the client is asked for what the author of a module needs; it puts that into its folder for temporary files. */
async function declarations(folder) {
  const temp = join(folder, 'tmp');
  mkdirSync(temp);
  const script = { main: [[{ text: 'Done.' }]] };
  await runSession({ client: clientProgram(CLIENT_VERSIONS[0]), script, prompt: '/plugin-authoring', env: { TMPDIR: temp } });
  const found = readdirSync(temp, { recursive: true }).find((path) => path.endsWith('claude-code.d.ts'));
  if (!found) throw new SetupError(`Claude Code ${CLIENT_VERSIONS[0]} wrote no declarations`, 'see whether `/plugin-authoring` still writes them');
  return join(temp, found);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await checkTypes()).status;
