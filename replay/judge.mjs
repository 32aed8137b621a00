// Puts past calls before today's core, one after the other, with the memory that a session would have had.
// Has no rule: verdict, reason, text and "the same act" all come from the core.

/**
 * @param {{ core: import('../glue/core.js').Core, drive: typeof import('../glue/core.js').drive }} loaded
 * @param {string} session a name that no other transcript of this run has
 */
export function createJudge({ core, drive }, session) {
  /** The session's memory, which is the core's own text and nothing to look into. */
  let kept = null;
  let trials = 0;

  /** One judgement; `memory` is what the session `name` remembers before it. */
  async function judge(call, { facts, root }, name, memory) {
    let read;
    const intents = () => (read ??= intentsOf(call, root));
    const answer = facts.answerer(call, { root, memory, intents });
    const { done, effects = [] } = await drive(core, { do: 'judge', call: request(call, root, name) }, answer);
    return { done, memory: effects.find(({ effect }) => effect === 'save')?.state ?? null };
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

    /** What a session would remember that has seen this call and no other; null for a call that it would let run. */
    async memoryOf(call, world) {
      return (await judge(call, world, trial(), null)).memory;
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
  function intentsOf(call, root) {
    let outcome = core.step({ do: 'judge', intents: true, call: request(call, root) });
    // The wire promises two or three rounds.
    for (let round = 0; outcome.need && round < 8; round += 1) {
      outcome = core.step({ do: 'facts', call: outcome.call, facts: outcome.need.map(() => null) });
    }
    return outcome.done?.intents ?? [];
  }

  function request({ tool, input, cwd, agent }, root, name) {
    return { tool, input, cwd: cwd ?? root, root, agent, ...(name !== undefined && { session: name }) };
  }
}
