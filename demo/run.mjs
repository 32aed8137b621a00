// The demo from beginning to end: fetch, play, print, clean up. Says before each download how much and where to.
// Never looks at the person's own client, settings or sessions, and leaves nothing behind but the cache.

import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, ClientError, ensureClient, platformName } from '../lab/client.mjs';
import { FOLDERS, play } from './play.mjs';
import { createProject, ensureSources } from './project.mjs';
import { renderReport, renderSetting } from './render.mjs';
import { reportOf } from './report.mjs';
import { PACKAGE, stepsOf } from './script.mjs';

const STILL_MS = 15_000;

/**
 * @param {{ version: string, isJson: boolean, keeps: boolean, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, env: NodeJS.ProcessEnv }} options
 * @throws {ClientError} with the step that failed and what to do next
 */
export async function runDemo({ version, isJson, keeps, stdout, stderr, env }) {
  const log = (line) => stderr.write(`${line}\n`);
  const cache = cacheFolder(env);

  let hasFetched = false;
  const logFetch = (line) => {
    hasFetched = true;
    log(line);
  };
  const client = await withSignsOfLife(log, () => ensureClient(version, { log: logFetch, cache }));
  const sources = await withSignsOfLife(log, () => ensureSources(PACKAGE, { log: logFetch, cache }));
  if (!hasFetched) log(`nothing to download: Claude Code ${version} and ${PACKAGE.name} ${PACKAGE.version} are in ${cache}`);

  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-demo-')));
  const stop = stopOnSignals(() => log('stopping when this session has ended; again to stop at once'));
  try {
    const project = join(folder, PACKAGE.name);
    const { hasGit, commits } = await createProject(sources, project);
    const setting = { client: version, platform: platformName(), commits };
    const isColoured = stdout.isTTY === true && !env.NO_COLOR;
    if (!isJson) stdout.write(renderSetting(setting, isColoured));
    const report = reportOf(await play({ client, project, scratch: folder, steps: stepsOf(project, { hasGit }), keeps, log, signal: stop.signal }));
    stdout.write(isJson ? `${JSON.stringify({ ...setting, package: PACKAGE, ...report, ...(keeps && { kept: folder }) }, null, 2)}\n` : renderReport(report, isColoured));
    if (report.problems.length > 0) {
      throw new ClientError(`the demo did not go as it is scripted: ${report.problems.join('; ')}. Please report it with the output of \`trimtab demo --json\``);
    }
  } finally {
    stop.done();
    if (keeps) log(`kept: ${folder} (${FOLDERS.without}: without trimtab, ${FOLDERS.with}: with it)`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The first Ctrl-C lets what is under way end and be cleaned up; a second one is the system's business again. */
function stopOnSignals(say) {
  const controller = new AbortController();
  const onSignal = () => {
    stopListening();
    say();
    controller.abort();
  };
  const stopListening = () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, onSignal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal);
  return { signal: controller.signal, done: stopListening };
}

/** Says every while that a silent step is still at work. */
async function withSignsOfLife(log, work) {
  const started = Date.now();
  const timer = setInterval(() => log(`  still at it, ${Math.round((Date.now() - started) / 1000)} s`), STILL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
