// `trimtab replay`: old transcripts through today's rules: what would have been refused, and what that would have saved or lost.
// Reads transcripts only, writes nothing, and names no command and no path in its output unless examples are asked for.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions } from './lib/options.mjs';
import { projectsFolder } from './lib/transcripts.mjs';
import { UserError } from './lib/user-error.mjs';

const PROGRESS_MS = 200;

export const name = 'replay';
export const summary = 'put the calls of old sessions before today\'s rules, and print what that would have saved or lost';
export const usage = 'trimtab replay [folder or file ...] [--json] [--hooks] [--since=D] [--show=N]\n       trimtab replay --weight [--longest=N] [folder or file ...] [--json]';
export const options = [
  { name: 'json', summary: 'print the report as one JSON object' },
  { name: 'hooks', summary: 'decide as the command hooks do, which refuse and put nothing in the place of a result' },
  { name: 'since', value: 'D', summary: 'only calls since then', detail: 'a date (`2026-01-31`), a time (`2026-01-31T09:00`), or how long ago (`36h`, `7d`, `2w`)' },
  { name: 'weight', summary: 'tell at which turn each session would have been warned of its weight instead' },
  { name: 'longest', value: 'N', summary: 'with `--weight`: only the N largest' },
  { name: 'show', value: 'N', summary: 'add N refusals and answers as examples', detail: 'these name commands and paths of yours' },
];
export const details = `Without a folder or file it reads \`~/.claude/projects\`, or that of \`CLAUDE_CONFIG_DIR\`.
Sizes come from the transcripts alone, never from the files of today; what a transcript does not tell counts as nothing.
The rules are judged with their defaults, as the module inside Claude Code does.
Saved is what the client really showed, less what trimtab would have said or put in its place; what came again
counts as lost, and the net may be negative.`;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, stderr, env, cwd }) {
  const { values, rest } = parseOptions(options, args);
  // Imported here, so that help needs none of it.
  const [{ loadCore }, { findTranscripts }, { replay }, { renderReport, reportOf }, { sinceOf }] = await Promise.all(
    ['../node/core.mjs', '../replay/files.mjs', '../replay/run.mjs', '../replay/report.mjs', '../replay/since.mjs'].map((path) => import(path)),
  );
  const since = values.since === undefined ? undefined : sinceOf(values.since, Date.now());
  if (since === null) throw new UserError(`\`--since\` is \`${values.since}\`; it takes a date such as \`2026-01-31\`, or how long ago, such as \`7d\``);
  const show = values.show === undefined ? 0 : Number(values.show);
  if (values.show !== undefined && !/^[1-9]\d{0,5}$/.test(values.show)) throw new UserError(`\`--show\` is \`${values.show}\`; it takes a number from 1 on`);

  const usual = projectsFolder(env);
  const paths = (rest.length > 0 ? rest : [usual]).map((path) => resolve(cwd, path));
  const missing = rest.find((path) => !existsSync(resolve(cwd, path)));
  if (missing !== undefined) throw new UserError(`there is no \`${missing}\`; name a transcript, or a folder with transcripts`);

  const unreadable = {};
  const onUnreadable = (code) => (unreadable[code] = (unreadable[code] ?? 0) + 1);
  const found = existsSync(paths[0]) ? await findTranscripts(paths, { since, onUnreadable }) : [];
  if (values.weight) return runWeight(found, { values, stdout, env, cwd });
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  const progress = progressOn(stderr, { files: found.length, bytes });
  // 300 calls took 0.4 s so and 2 s with the optimising compiler; for 12,000 it makes no difference (Node 20, 2 cores).
  const loaded = await loadCore({ isOnce: true });
  const replayed = await replay({ found, loaded, route: values.hooks ? 'hooks' : 'module', since, onProgress: progress.tell });
  progress.clear();
  for (const [code, count] of Object.entries(unreadable)) replayed.skipped.files[code] = (replayed.skipped.files[code] ?? 0) + count;

  const report = reportOf(replayed, { show });
  if (values.json) stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  else if (report.calls.judged > 0) stdout.write(renderReport(report));
  else stdout.write(nothingFound(report, { hasSince: since !== undefined, usual: rest.length > 0 ? undefined : env.CLAUDE_CONFIG_DIR ? '$CLAUDE_CONFIG_DIR/projects' : '~/.claude/projects' }));
  return report.calls.judged > 0 ? 0 : 1;
}

async function runWeight(found, { values, stdout, env, cwd }) {
  if (values.longest !== undefined && !/^[1-9]\d{0,5}$/.test(values.longest)) throw new UserError(`\`--longest\` is \`${values.longest}\`; it takes a number from 1 on`);
  const [{ weightOf, renderWeight }, { configOf }] = await Promise.all([import('../replay/weight.mjs'), import('../node/weight.mjs')]);
  const { config } = await configOf({ env, root: cwd });
  const report = await weightOf(found, { longest: values.longest === undefined ? Infinity : Number(values.longest), config });
  stdout.write(values.json ? `${JSON.stringify(report, null, 1)}\n` : renderWeight(report));
  return report.sessions.length > 0 ? 0 : 1;
}

/** An empty result says why. */
function nothingFound({ sessions, bytes, skipped }, { hasSince, usual }) {
  const codes = Object.entries(skipped.files).map(([code, count]) => `${count} (${code})`);
  const why = [
    usual && bytes === 0 && codes.length === 0 && `there are no transcripts in \`${usual}\`; name a file or folder`,
    codes.length > 0 && `files or folders that could not be read: ${codes.join(', ')}`,
    hasSince && '`--since` leaves out what is older',
    !hasSince && bytes > 0 && sessions === 0 && 'what was read holds no call that is judged, with a result',
  ].filter(Boolean);
  return `No call to judge${why.length > 0 ? `: ${why.join('; ')}` : ': there is no transcript (`.jsonl`)'}.\n`;
}

/** One line on a terminal that says how far it is; nothing where nobody looks. */
function progressOn(stderr, { files, bytes }) {
  const isSeen = stderr.isTTY === true;
  let last = performance.now();
  let width = 0;
  const write = (text) => {
    stderr.write(`\r${text.padEnd(width)}`);
    width = text.length;
  };
  return {
    tell(done) {
      const now = performance.now();
      if (!isSeen || now - last < PROGRESS_MS) return;
      last = now;
      write(`${done.files} of ${files} files, ${(done.bytes / 1e6).toFixed(0)} of ${(bytes / 1e6).toFixed(0)} MB`);
    },
    clear() {
      if (width > 0) stderr.write(`\r${' '.repeat(width)}\r`);
    },
  };
}
