// How many characters make a token, fitted to the usage figures of the transcripts themselves: between two requests of a main line the
// context grows by what the model wrote, whose tokens are told, and by text that was added, whose characters are.
// Never takes a figure from a place where something came or went that the lines do not show.

// What the core reckons with where nothing can be fitted (src/size.rs).
const USUAL_CHARACTERS = 4;
const MIN_PAIRS = 8;
// Below this the frame around a message weighs as much as its text.
const MIN_CHARACTERS = 400;
// No text has so many or so few characters for a token; a fit that says so was made of something else.
const POSSIBLE = { least: 1.2, most: 10 };

/** Sums for a straight line through pairs of characters and tokens, by least squares. */
export function createFit() {
  let [n, sx, sy, sxx, sxy, syy] = [0, 0, 0, 0, 0, 0];
  return {
    /** @param {number} characters @param {number} tokens */
    add(characters, tokens) {
      if (characters < MIN_CHARACTERS || tokens <= 0 || tokens > characters) return;
      n += 1;
      sx += characters;
      sy += tokens;
      sxx += characters * characters;
      sxy += characters * tokens;
      syy += tokens * tokens;
    },

    /**
     * @returns {{ charactersPerToken: number, errorPercent: number | null, pairs: number, basis: 'fitted' | 'assumed' }}
     *   `errorPercent`: the root of the mean square miss, in percent of the mean
     */
    result() {
      const vary = sxx - (sx * sx) / n;
      const slope = (sxy - (sx * sy) / n) / vary;
      const charactersPerToken = 1 / slope;
      if (n < MIN_PAIRS || !(charactersPerToken >= POSSIBLE.least && charactersPerToken <= POSSIBLE.most)) {
        return { charactersPerToken: USUAL_CHARACTERS, errorPercent: null, pairs: n, basis: 'assumed' };
      }
      const squares = Math.max(0, syy - (sy * sy) / n - slope * (sxy - (sx * sy) / n));
      return { charactersPerToken, errorPercent: (100 * Math.sqrt(squares / n)) / (sy / n), pairs: n, basis: 'fitted' };
    },
  };
}

/** Follows the main line of one transcript and gives the fit its pairs. */
export function createGrowth(fit) {
  /** The last message of the model, with what came after it. */
  let last = null;

  return {
    /** Something is missing here, or counts in a way that no length tells. */
    gap() {
      if (last) last.isWhole = false;
    },

    /** A line that hangs on none since the last message is on another branch. */
    line({ uuid, parent }) {
      if (!last) return;
      if (parent !== null && !last.uuids.has(parent)) last.isWhole = false;
      if (uuid !== null) last.uuids.add(uuid);
    },

    added({ characters, hasImage }) {
      if (!last) return;
      last.characters += characters;
      if (hasImage) last.isWhole = false;
    },

    /** One message is several lines, of which the last has the final figures. */
    message({ id, context, output, uuid }) {
      if (last?.id === id) {
        Object.assign(last, { context, output });
        return;
      }
      if (last?.isWhole && last.context > 0 && context > 0) fit.add(last.characters, context - last.context - last.output);
      last = { id, context, output, characters: 0, isWhole: true, uuids: new Set(uuid === null ? [] : [uuid]) };
    },
  };
}
