// Writes the project that the sessions work in: large and small sources, a long history, a heavy diff.
// The same bytes and the same commit ids every time; touches nothing but the folder it is given.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMITS = 300;
const DATE = '1767225600 +0000';

/** Environment under which git writes the same commit every time and reads nobody's configuration. */
export const GIT_ENV = {
  GIT_AUTHOR_NAME: 'Lab',
  GIT_AUTHOR_EMAIL: 'lab@example.invalid',
  GIT_AUTHOR_DATE: DATE,
  GIT_COMMITTER_NAME: 'Lab',
  GIT_COMMITTER_EMAIL: 'lab@example.invalid',
  GIT_COMMITTER_DATE: DATE,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/**
 * @param {string} folder
 * @returns {{ folder: string, restore: () => void }} `restore` takes back what a session committed or staged
 */
export function createProject(folder) {
  const git = (args, input) =>
    execFileSync('git', args, { cwd: folder, input, env: { PATH: process.env.PATH, ...GIT_ENV }, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  mkdirSync(folder, { recursive: true });
  git(['init', '--quiet', '--initial-branch=main', '.']);
  git(['fast-import', '--quiet'], history());
  git(['reset', '--quiet', '--hard', 'main']);
  // The work in progress: a lockfile whose diff is long, and one small change.
  writeFileSync(join(folder, 'packages.lock'), lockfile(2));
  writeFileSync(join(folder, 'src/small.ts'), `${small('small')}// In progress.\n`);
  const tip = git(['rev-parse', 'main']).trim();
  return { folder, restore: () => git(['reset', '--quiet', '--mixed', tip]) };
}

/** The project's files by path. */
export function files() {
  const content = {
    'packages.lock': lockfile(1),
    'notes.md': notes(),
    'secret.txt': 'not for the model\n',
    'src/small.ts': small('small'),
    'src/deep/small.py': 'print("small")\n',
  };
  // About 23 KB each: large, and still shown whole by the client's Bash (up to 30,000 characters).
  for (const name of ['orders', 'invoices', 'customers', 'shipping', 'stock', 'returns', 'prices', 'taxes', 'vault'])
    content[`src/${name}.ts`] = large(name, 620);
  // Over that: Bash shows a preview of 2 KB, Read still shows it whole.
  content['src/everything.ts'] = large('everything', 1_500);
  return content;
}

function large(name, lines) {
  const text = [`// ${name}: written by the tests.`];
  for (let line = 2; line <= lines; line += 1) {
    const isMarked = line % 12 === 0;
    text.push(isMarked ? `export const ${name}${line} = order(${line}, "${name}") // order` : `export const ${name}${line} = value(${line * 7})`);
  }
  return `${text.join('\n')}\n`;
}

function small(name) {
  return `export function ${name}(a: number): number {\n  return a + 1\n}\n`;
}

function notes() {
  return `${Array.from({ length: 500 }, (_, line) => `Line ${line} of notes that are prose and no code.`).join('\n')}\n`;
}

function lockfile(version) {
  return `${Array.from({ length: 400 }, (_, line) => `package-${line}@${version}.${line}.0`).join('\n')}\n`;
}

function history() {
  const stream = [];
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  let mark = 0;
  const marks = {};
  for (const [path, text] of Object.entries(files())) {
    mark += 1;
    marks[path] = mark;
    stream.push(`blob\nmark :${mark}\n${data(text)}`);
  }
  for (let commit = 1; commit <= COMMITS; commit += 1) {
    const person = `Lab <lab@example.invalid> ${1_700_000_000 + commit * 3_600} +0000`;
    stream.push(
      `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\n${data(`Change number ${commit}: make the orders a little better\n\nA sentence about it.\n`)}`,
    );
    if (commit === 1)
      stream.push(
        `${Object.entries(marks)
          .map(([path, at]) => `M 100644 :${at} ${path}`)
          .join('\n')}\n`,
      );
    else stream.push(`M 100644 inline history.txt\n${data(`${commit}\n`)}`);
  }
  return stream.join('');
}
