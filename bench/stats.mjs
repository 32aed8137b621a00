// Quantiles of samples, and how far they could be off: a bootstrap that draws whole groups (a session, a round), because the samples
// of one group are alike. The same samples give the same figures. Measures nothing and prints nothing.

const RESAMPLES = 500;

/** The value below which the share `q` of the samples lies (nearest rank). */
export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)];
}

/**
 * @param {number[][]} groups
 * @returns {{ n: number, median: number, low: number, high: number, p99: number, min: number }} `low` and `high`: 95 % interval of the median
 */
export function summary(groups) {
  const all = groups.flat();
  const { low, high } = interval([groups], ([own]) => quantile(own, 0.5));
  return { n: all.length, median: quantile(all, 0.5), low, high, p99: quantile(all, 0.99), min: Math.min(...all) };
}

/**
 * Two series. Where they have the same rounds, measured in turns, each draw takes the same rounds of both.
 * @param {(one: number[], other: number[]) => number} compare
 */
export function comparison(groups, others, compare) {
  const { low, high } = interval([groups, others], ([one, other]) => compare(one, other));
  return { value: compare(groups.flat(), others.flat()), low, high };
}

function interval(series, figure) {
  const random = generator(1);
  const picksOf = ({ length }) => Array.from({ length }, () => Math.floor(random() * length));
  const drawn = new Float64Array(RESAMPLES);
  for (let draw = 0; draw < RESAMPLES; draw += 1) {
    const picks = picksOf(series[0]);
    drawn[draw] = figure(series.map((groups) => (groups.length === picks.length ? picks : picksOf(groups)).flatMap((pick) => groups[pick])));
  }
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

// mulberry32: the bootstrap needs no better one, and a run that is read again must give the same interval.
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
