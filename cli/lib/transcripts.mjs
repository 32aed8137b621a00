// Where the client keeps the transcript of a session, and those of a project. Opens none of them.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** @param {NodeJS.ProcessEnv} env */
export function projectsFolder(env) {
  return join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'projects');
}

/** The client's name for a project's folder. */
export function slugOf(cwd) {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/**
 * The transcript of that session, else the one of the project that was written last; undefined where there is none.
 * @param {{ env: NodeJS.ProcessEnv, cwd: string, session?: string }} where
 */
export function transcriptOf({ env, cwd, session }) {
  const projects = projectsFolder(env);
  if (session) {
    const found = foldersIn(projects).map((name) => join(projects, name, `${session}.jsonl`));
    return found.find((path) => existsSync(path));
  }
  const folder = join(projects, slugOf(cwd));
  const own = foldersIn(folder).filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-'));
  const times = own.map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }));
  return times.sort((a, b) => b.time - a.time)[0]?.path;
}

function foldersIn(folder) {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
