// Adds up what refusals and answers would have saved and lost, in the tokens of the fit. Counts one as lost whenever the same act came
// again, and never leaves a loss out of the net.

/** What the README promises: a refusal needs an output of so many tokens. */
const PROMISED_TOKENS = 2_000;

/**
 * @typedef {object} Act
 * @property {'redirect' | 'answer'} verdict refused, or something smaller put in the place of its result
 * @property {string} rule
 * @property {number} session
 * @property {string} agent empty for the main agent
 * @property {number} turn
 * @property {string} tool
 * @property {number} shown characters of the recorded result, as the model got it
 * @property {number} said characters of what trimtab would have said instead
 * @property {boolean} isCut the client had shown a preview only
 * @property {boolean} isAgain the same act came again in the record
 * @property {boolean} isEdited the file that was answered with its outline was edited later
 */

export function createTally() {
  const passes = new Map();
  const acts = [];

  return {
    acts,

    /** A call that would have run: why, and how much it showed. */
    pass(why, shown) {
      const row = passes.get(why) ?? { why, calls: 0, shown: 0 };
      row.calls += 1;
      row.shown += shown;
      passes.set(why, row);
    },

    /** @param {Omit<Act, 'isAgain' | 'isEdited'>} act @returns {Act} to be marked by what comes later */
    act(act) {
      const row = { ...act, isAgain: false, isEdited: false };
      acts.push(row);
      return row;
    },

    /** @param {number} charactersPerToken */
    sums(charactersPerToken) {
      const tokens = (characters) => Math.round(characters / charactersPerToken);
      const isWrong = ({ verdict, shown, isCut }) => verdict === 'redirect' && !isCut && shown / charactersPerToken < PROMISED_TOKENS;
      const rules = [...new Set(acts.map(({ rule }) => rule))].sort();
      const row = (of) => {
        const lost = of.filter(({ isAgain }) => isAgain);
        const kept = of.filter(({ isAgain }) => !isAgain);
        const sum = (list, value) => list.reduce((total, act) => total + value(act), 0);
        const savedTokens = tokens(sum(kept, ({ shown, said }) => shown - said));
        const lostTokens = tokens(sum(lost, ({ said }) => said));
        return {
          refused: of.filter(({ verdict }) => verdict === 'redirect').length,
          answered: of.filter(({ verdict }) => verdict === 'answer').length,
          shownTokens: tokens(sum(of, ({ shown }) => shown)),
          saidTokens: tokens(sum(of, ({ said }) => said)),
          cut: of.filter(({ isCut }) => isCut).length,
          savedTokens,
          again: lost.length,
          lostTokens,
          lostTurns: lost.length,
          wrong: of.filter(isWrong).length,
          netTokens: savedTokens - lostTokens,
          editedTokens: tokens(sum(kept.filter(({ isEdited }) => isEdited), ({ shown, said }) => shown - said)),
        };
      };
      return {
        passes: [...passes.values()].map(({ why, calls, shown }) => ({ why, calls, shownTokens: tokens(shown) })).sort((a, b) => b.calls - a.calls || (a.why < b.why ? -1 : 1)),
        rules: rules.map((rule) => ({ rule, ...row(acts.filter((act) => act.rule === rule)) })),
        total: row(acts),
        wrong: acts.filter(isWrong).map(({ session, agent, turn, tool, rule, shown }) => ({ session, inSubagent: agent !== '', turn, tool, rule, shownTokens: tokens(shown) })),
      };
    },
  };
}
