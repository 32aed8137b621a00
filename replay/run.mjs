// Replays old transcripts: each past call before today's core, in the order in which it was made, and its result.
// Writes nothing, runs nothing, and looks at no file but the transcripts; a line or file that cannot be read is counted and left out.

import { createFacts } from './facts.mjs';
import { createFit, createGrowth } from './factor.mjs';
import { createJudge } from './judge.mjs';
import { linesOf } from './lines.mjs';
import { recordedOf } from './recorded.mjs';
import { createTally } from './tally.mjs';
import { createReader } from './transcript.mjs';

// By route; the command hooks are started for no others.
const JUDGED = { hooks: ['Bash', 'PowerShell', 'Read'], module: ['Bash', 'PowerShell', 'Read', 'Grep', 'Glob'] };
// Their results tell the size of a file.
const CHANGING = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

// Refusals and answers of one agent among which the one is looked for that came again; each costs a judgement.
const MAX_ACTED = 100;

// The core keeps the memory of the sessions that it has judged; a later run in the same process is another past.
let runs = 0;

/**
 * @param {object} options
 * @param {import('./files.mjs').Found[]} options.found
 * @param {Awaited<ReturnType<typeof import('../node/core.mjs').loadCore>>} options.loaded
 * @param {'module' | 'hooks'} [options.route] who would have judged
 * @param {number} [options.since] calls before it, in milliseconds, are left out
 * @param {(progress: { files: number, bytes: number }) => void} [options.onProgress]
 */
export async function replay({ found, loaded, route = 'module', since = -Infinity, onProgress = () => {} }) {
  const run = (runs += 1);
  const fit = createFit();
  const tally = createTally();
  /** Numbers of the sessions by id, in the order in which they are met. */
  const sessions = new Map();
  /** A resumed or forked session holds lines of another again. */
  const judged = new Set();
  const counts = { subagents: 0, calls: Object.fromEntries(JUDGED[route].map((tool) => [tool, 0])), unanswered: 0, repeated: 0 };
  const skipped = { files: {}, longLines: 0, unreadableLines: 0, foreignLines: 0 };
  const progress = { files: 0, bytes: 0 };

  for (const file of found) {
    try {
      await replayFile(file);
    } catch (error) {
      if (!error.code) throw error;
      skipped.files[error.code] = (skipped.files[error.code] ?? 0) + 1;
    }
    progress.files += 1;
    onProgress(progress);
  }
  return { route, sessions: sessions.size, ...counts, skipped, bytes: progress.bytes, fit: fit.result(), tally };

  async function replayFile({ path, session, isAgent }) {
    const reader = createReader({ session, isAgent });
    const growth = createGrowth(fit);
    const facts = createFacts();
    const judge = createJudge(loaded, `replay-${run}-${progress.files}`, route);
    /** Calls by agent, in order, until their results are there. */
    const waiting = new Map();
    /** The message that each agent is at. */
    const current = new Map();
    /** What each agent was refused, or answered with something smaller, with the memory of it alone. */
    const acted = new Map();
    /** Subagents with a call that was judged. */
    const subagents = new Set();
    let root = null;
    let number = null;

    const onBytes = (bytes) => {
      progress.bytes += bytes;
      onProgress(progress);
    };
    for await (const { text, isEnded } of linesOf(path, { onBytes })) {
      if (text === null) {
        skipped.longLines += 1;
        growth.gap();
        continue;
      }
      for (const event of reader.read(text)) await handle(event, isEnded);
    }
    for (const agent of waiting.keys()) await settle(agent, true);
    counts.subagents += subagents.size;

    async function handle(event, isEnded) {
      const { kind, agent } = event;
      const isMain = agent === '';
      if (kind === 'unreadable') {
        // The last line may be half written while we read.
        if (isEnded) skipped.unreadableLines += 1;
        growth.gap();
      } else if (kind === 'foreign') {
        skipped.foreignLines += 1;
      } else if (kind === 'call') {
        expect(event);
      } else if (kind === 'result') {
        const call = waiting.get(agent)?.find(({ id, recorded }) => id === event.id && recorded === null);
        if (!call) return;
        call.recorded = recordedOf(call, event.block, event.extra);
        call.extra = event.extra;
        await settle(agent, false);
      } else if (kind === 'message') {
        if (waiting.get(agent)?.some(({ message }) => message !== event.id)) await settle(agent, true);
        if (isMain) growth.message(event);
        current.set(agent, event.id);
      } else if (isMain && kind === 'line') growth.line(event);
      else if (isMain && kind === 'added') growth.added(event);
      else if (isMain && kind === 'boundary') growth.gap();
    }

    function expect(event) {
      if (![...JUDGED[route], ...CHANGING].includes(event.tool)) return;
      root ??= event.cwd;
      // Copies keep id and time.
      const key = `${event.id} ${event.time}`;
      if (judged.has(key)) {
        counts.repeated += 1;
        return;
      }
      judged.add(key);
      const { agent } = event;
      if (!waiting.has(agent)) waiting.set(agent, []);
      waiting.get(agent).push({ ...event, message: current.get(agent), recorded: null });
    }

    /** Judges calls in their order, as far as their results are there; `isOver`: those without one never get it. */
    async function settle(agent, isOver) {
      const queue = waiting.get(agent) ?? [];
      while (queue.length > 0 && (isOver || queue[0].recorded !== null)) await judgeOne(queue.shift());
      if (queue.length === 0) waiting.delete(agent);
    }

    async function judgeOne(call) {
      if (CHANGING.includes(call.tool)) markEdited(call);
      if (JUDGED[route].includes(call.tool) && isSince(call.time)) {
        number ??= numberOf(reader.session ?? path);
        if (call.recorded === null) counts.unanswered += 1;
        else await count(call);
      }
      if (call.recorded !== null) facts.learn(call, call.extra);
    }

    async function count(call) {
      const { tool, agent, turn, recorded } = call;
      counts.calls[tool] += 1;
      if (agent !== '') subagents.add(agent);
      const world = { facts, root: root ?? '/' };
      const { verdict, why, rule, text = '' } = await judge.judge(call, world);
      const before = acted.get(agent) ?? [];
      if (verdict === 'redirect' || verdict === 'answer') {
        const row = tally.act({ verdict, rule, session: number, agent, turn, tool, shown: recorded.shown, said: text.length, isCut: recorded.isCut, path, input: call.input });
        acted.set(agent, [...before, { row, memory: await judge.memoryOf(call, world) }].slice(-MAX_ACTED));
        return;
      }
      if (why === 'insisted') await markAgain(before, call, world);
      tally.pass(why, recorded.shown);
    }

    /** The newest refusal or answer of the same act was for nothing; a call that would have passed in any case says nothing of it. */
    async function markAgain(before, call, world) {
      if ((await judge.memoryOf(call, world)) === null) return;
      for (let at = before.length - 1; at >= 0; at -= 1) {
        if (!(await judge.isRemembered(before[at].memory, call, world))) continue;
        before[at].row.isAgain = true;
        return;
      }
    }

    /** Of a file that is edited later, more than its outline would have been read. */
    function markEdited({ agent, input, recorded }) {
      if (recorded === null || recorded.isError) return;
      for (const { row } of acted.get(agent) ?? []) if (row.verdict === 'answer' && row.tool === 'Read' && row.input.file_path === input.file_path) row.isEdited = true;
    }
  }

  /** A call without a time is left out where the time matters. */
  function isSince(time) {
    return since === -Infinity || Date.parse(time) >= since;
  }

  function numberOf(id) {
    if (!sessions.has(id)) sessions.set(id, sessions.size + 1);
    return sessions.get(id);
  }
}
