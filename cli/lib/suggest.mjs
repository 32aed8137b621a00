// Finds the word that was probably meant. Says nothing when none is near.

/**
 * @param {string} word as typed
 * @param {string[]} known
 * @returns {string} a half sentence to put behind the error, or nothing
 */
export function didYouMean(word, known) {
  const [nearest] = known.map((name) => ({ name, steps: distance(word, name) })).sort((a, b) => a.steps - b.steps);
  return nearest && nearest.steps <= Math.max(1, Math.floor(word.length / 3)) ? `; did you mean \`${nearest.name}\`?` : '';
}

// Edits between two words, two neighbours swapped counting as one: the commonest slip of a typist.
function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
