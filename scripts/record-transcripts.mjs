// Records whole sessions of the real client as fixtures: `node scripts/record-transcripts.mjs` writes tests/transcripts/recorded/.
// The model is scripted and trimtab is not loaded; what is written is what the client itself wrote, without the names of this machine.
// `node scripts/record-transcripts.mjs 3 7` records only those numbers of the plan again.

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GIT_ENV } from '../demo/project.mjs';
import { cacheFolder, ensureClient, runSession } from '../lab/client.mjs';
import { anonymous, folderName, sessionId } from './transcripts/anonymous.mjs';
import { makeProject, PACKAGES } from './transcripts/packages.mjs';
import { plannedSessions } from './transcripts/scenarios.mjs';

const OUT = fileURLToPath(new URL('../tests/transcripts/recorded/', import.meta.url));
const PERSON = { GIT_AUTHOR_NAME: 'Somebody', GIT_AUTHOR_EMAIL: 'u@example.invalid', GIT_COMMITTER_NAME: 'Somebody', GIT_COMMITTER_EMAIL: 'u@example.invalid' };
const log = (line) => process.stderr.write(`${line}\n`);
const wanted = process.argv.slice(2).map(Number);
const plan = plannedSessions().map((session, at) => ({ ...session, number: at + 1 }));

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-transcripts-')));
try {
  if (wanted.length === 0) rmSync(OUT, { recursive: true, force: true });
  for (const session of plan) if (wanted.length === 0 || wanted.includes(session.number)) await record(session);
  writeFileSync(join(OUT, 'sessions.json'), `${JSON.stringify(plan.map(({ number, package: name, version, title }) => ({ file: `${name}/${sessionId(number)}.jsonl`, package: `${PACKAGES[name].name} ${PACKAGES[name].version}`, client: version, title })), null, 1)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function record({ number, package: name, version, title, settings, script }) {
  log(`${number}. ${name}, ${title}, ${version}`);
  // Never the folder of a session before: what one did to the sources is not in the next.
  const [project, home] = ['repo', 'home'].map((part) => join(folder, String(number), part));
  mkdirSync(home, { recursive: true });
  const pristine = join(folder, 'pristine', name);
  if (!readdirSync(folder).includes('pristine') || !readdirSync(join(folder, 'pristine')).includes(name)) {
    mkdirSync(dirname(pristine), { recursive: true });
    await makeProject(PACKAGES[name], pristine, { cache: cacheFolder(), log });
    // Parts of the sources stand in the results, so their licence stands beside them.
    mkdirSync(join(OUT, name), { recursive: true });
    copyFileSync(join(pristine, PACKAGES[name].licence), join(OUT, name, 'LICENSE'));
  }
  cpSync(pristine, project, { recursive: true });
  const { prompt, main, agents } = script(project);
  const session = await runSession({
    client: await ensureClient(version, { log }),
    script: { main, agents },
    prompt,
    cwd: project,
    home,
    settings,
    // Programs of the system only, none of the person's own.
    env: { ...GIT_ENV, ...PERSON, PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':') },
    timeoutMs: 240_000,
  });
  const calls = main.flat().filter(({ tool }) => tool).length;
  const answered = session.results.filter(({ conversation }) => conversation === 'main').length;
  if (session.exitCode !== 0 || answered !== calls) throw new Error(`session ${number} ended with ${session.exitCode}, ${answered} of ${calls} calls answered: ${session.stderr}`);

  const written = join(home, '.claude/projects', folderName(project));
  const own = readdirSync(written).filter((file) => file.endsWith('.jsonl'));
  if (own.length !== 1) throw new Error(`session ${number} left ${own.length} transcripts`);
  const id = own[0].replace('.jsonl', '');
  for (const path of filesBelow(written).filter((file) => file.endsWith('.jsonl'))) {
    const to = join(OUT, name, path.replaceAll(id, sessionId(number)));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, anonymous(readFileSync(join(written, path), 'utf8'), { project, home, temp: folder, session: id, number }));
    log(`   ${path.includes('/') ? 'agent' : 'main'}: ${Math.round(statSync(to).size / 1000)} KB`);
  }
}

function filesBelow(root, below = '') {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
