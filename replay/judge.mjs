// Puts past calls and their results before today's core, one after the other, with the memory that a session would have had.
// Has no rule: verdict, reason, text and "the same act" all come from the core.

import { figuresOf } from '../glue/answers.js';
import { scriptOf } from '../glue/pack.js';
import { packOf } from '../node/packs.mjs';
import { condensedOf, outlineOf } from '../node/results.mjs';

/**
 * @param {{ core: import('../glue/core.js').Core, drive: typeof import('../glue/core.js').drive }} loaded
 * @param {string} session a name that no other transcript of this run has
 * @param {'module' | 'hooks'} route the module puts something smaller in the place of results, too
 */
export function createJudge({ core, drive }, session, route) {
  /** The session's memory, which is the core's own text and nothing to look into. */
  let kept = null;
  let trials = 0;

  /** One judgement; `memory` is what the session `name` remembers before it. */
  async function judge(call, { facts, root }, name, memory) {
    let read = call.tool === 'PowerShell' ? intentsOf(call, root, scriptOf(await packOf('powershell'), String(call.input.command))) : undefined;
    const intents = () => (read ??= intentsOf(call, root));
    const answer = facts.answerer(call, { root, memory, intents });
    const asked = request(call, root, name);
    const before = await drive(core, { do: 'judge', call: route === 'module' ? { ...asked, answers: true } : asked }, answer);
    if (route === 'hooks' || before.done.verdict === 'redirect') return judged(before);
    const after = await judgeResult(call, asked, answer);
    return judged(after.done.why === 'not-concerned' ? before : after, before);
  }

  /** The result as the module brings it to the core. */
  async function judgeResult({ tool, input, recorded }, asked, answer) {
    const { text, isError, hasImage } = recorded;
    if (hasImage) return { done: { verdict: 'pass', why: 'not-concerned' } };
    const result = figuresOf(text, isError);
    return drive(core, { do: 'judge', call: { ...asked, event: 'PostToolUse', result } }, (ask) => {
      if (ask.ask === 'outline') return outlineOf(ask, 'plain', answer);
      return ask.ask === 'condense' ? condensedOf(ask, { tool, input, result: text, root: asked.root }, answer) : answer(ask);
    });
  }

  return {
    /**
     * @param {import('./facts.mjs').PastCall & { agent: string }} call
     * @param {{ facts: ReturnType<typeof import('./facts.mjs').createFacts>, root: string }} world
     * @returns {Promise<{ verdict: string, why: string, rule?: string, text?: string }>}
     */
    async judge(call, world) {
      const { done, memory } = await judge(call, world, session, kept);
      if (memory !== null) kept = memory;
      return done;
    },

    /** What a session would remember that has seen this call and no other; null for a call that it would let pass as it is. */
    async memoryOf(call, world) {
      const { done, memory } = await judge(call, world, trial(), null);
      return done.verdict === 'pass' ? null : memory;
    },

    /** Whether a call is the act, or part of the act, that `memory` holds as refused. */
    async isRemembered(memory, call, world) {
      return (await judge(call, world, trial(), memory)).done.why === 'insisted';
    },
  };

  // The core keeps what it has seen of a session, so each trial is a session of its own.
  function trial() {
    trials += 1;
    return `${session}/trial-${trials}`;
  }

  /** What the core reads in the command when it is told nothing. */
  function intentsOf(call, root, script = null) {
    let outcome = core.step({ do: 'judge', intents: true, call: request(call, root) });
    // The wire promises two or three rounds.
    for (let round = 0; outcome.need && round < 8; round += 1) {
      outcome = core.step({ do: 'facts', call: outcome.call, facts: outcome.need.map((ask) => (ask.ask === 'script' && ask.text === call.input.command ? script : null)) });
    }
    return outcome.done?.intents ?? [];
  }

  function judged({ done, effects = [] }, { effects: earlier = [] } = {}) {
    return { done, memory: [...effects, ...earlier].find(({ effect }) => effect === 'save')?.state ?? null };
  }

  function request({ tool, input, cwd, agent }, root, name) {
    return { tool, input, cwd: cwd ?? root, root, agent, ...(name !== undefined && { session: name }) };
  }
}
