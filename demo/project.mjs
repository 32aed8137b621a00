// Makes the project that the sessions of the demo work in: the sources of one published package, with a git history made up for it.
// Asks the person's own npm for the package, once; runs no install script and no line of the package, and writes only to the cache
// and to the folder it is given.

import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClientError } from '../lab/client.mjs';

const COMMITS = 200;
const START = 1_704_067_200;
const A_DAY = 86_400;
const NAME = 'Demo';
const EMAIL = 'demo@example.invalid';

/** What keeps git to itself: nobody's configuration is read. */
export const GIT_ENV = { GIT_CONFIG_NOSYSTEM: '1' };

/**
 * The folder of the package's sources, fetched first if it is not in the cache.
 *
 * @param {{ name: string, version: string, packedBytes: number, unpackedBytes: number }} wanted
 * @param {{ cache: string, log: (line: string) => void }} options
 * @returns {Promise<string>}
 */
export async function ensureSources({ name, version, packedBytes, unpackedBytes }, { cache, log }) {
  const prefix = join(cache, 'packages', `${name}-${version}`);
  const folder = join(prefix, 'node_modules', name);
  if (await isPackage(folder, version)) return folder;

  const spec = `${name}@${version}`;
  log(`downloading the sources of ${name} ${version}: about ${kilobytes(packedBytes)} KB to fetch, ${kilobytes(unpackedBytes)} KB on disk, once, into ${prefix}`);
  await rm(prefix, { recursive: true, force: true });
  await mkdir(prefix, { recursive: true });
  const beside = join(dirname(process.execPath), process.platform === 'win32' ? 'npm.cmd' : 'npm');
  const install = ['install', '--prefix', prefix, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--no-package-lock', spec];
  const { code, stderr } = await run(existsSync(beside) ? beside : 'npm', install, { shell: process.platform === 'win32' });
  if (code !== 0 || !(await isPackage(folder, version))) {
    const line = stderr.split('\n').find((text) => /npm (ERR!|error) (?!code |syscall |errno |address |port )/.test(text)) ?? stderr.split('\n')[0];
    throw new ClientError(`npm could not get ${spec} (${line.trim() || 'no reason given'}); check the network and \`npm config get registry\`, then try \`npm view ${spec}\``);
  }
  return folder;
}

/**
 * A copy of the sources in `folder`, as a git repository where there is git.
 *
 * @param {string} sources
 * @param {string} folder is made
 * @returns {Promise<{ hasGit: boolean, commits: number }>}
 */
export async function createProject(sources, folder) {
  await cp(sources, folder, { recursive: true });
  const date = `${START + COMMITS * A_DAY} +0000`;
  const env = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    HOME: folder,
    GIT_AUTHOR_NAME: NAME,
    GIT_AUTHOR_EMAIL: EMAIL,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: NAME,
    GIT_COMMITTER_EMAIL: EMAIL,
    GIT_COMMITTER_DATE: date,
    ...GIT_ENV,
  };
  const git = (args, input) => run('git', args, { cwd: folder, env, input });
  if ((await git(['--version'])).code !== 0) return { hasGit: false, commits: 0 };
  const commands = [
    [['init', '--quiet', '.']],
    [['symbolic-ref', 'HEAD', 'refs/heads/main']],
    [['fast-import', '--quiet'], historyOf(COMMITS - 1)],
    [['add', '--all', '.']],
    [['commit', '--quiet', '--message', messageOf(COMMITS)]],
  ];
  for (const [args, input] of commands) {
    const { code, stderr } = await git(args, input);
    if (code !== 0) throw new ClientError(`\`git ${args[0]}\` ended with ${code} in ${folder} (${stderr.trim().split('\n')[0]}); check \`git --version\``);
  }
  return { hasGit: true, commits: COMMITS };
}

/**
 * Commits for `git fast-import`. Kept short of 30,000 characters of `git log`, over which the client shows a preview only.
 *
 * @param {number} commits
 * @returns {string}
 */
export function historyOf(commits) {
  const parts = [];
  for (let number = 1; number <= commits; number += 1) {
    const person = `${NAME} <${EMAIL}> ${START + number * A_DAY} +0000`;
    const message = `${messageOf(number)}\n`;
    parts.push(`commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n${message}\n`);
  }
  return parts.join('');
}

function messageOf(number) {
  return `Made-up change ${number}`;
}

async function isPackage(folder, version) {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version === version;
  } catch {
    return false;
  }
}

function run(program, args, { input, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', (error) => resolve({ code: 2, stderr: error.message }));
    child.on('close', (code) => resolve({ code, stderr }));
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function kilobytes(bytes) {
  return Math.round(bytes / 1_000);
}
