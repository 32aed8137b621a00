// Quantiles of samples, and how far they could be off: a bootstrap that draws whole groups (a session, a round), because the samples
// of one group are alike. The same samples give the same figures. Measures nothing and prints nothing.

const RESAMPLES = 1_000;

/** @typedef {(q: number) => number} Sample tells the value below which a share of it lies (nearest rank) */

/** @returns {{ n: number, median: number, low: number, high: number, p99: number, min: number }} `low` and `high`: 95 % interval of the median */
export function summary(groups) {
  const { value: median, low, high } = bootstrap([groups], (one) => one(0.5));
  const all = drawable(groups).whole;
  return { n: groups.flat().length, median, low, high, p99: all(0.99), min: all(0) };
}

/**
 * Two series. Where they have the same rounds, measured in turns, each draw takes the same rounds of both.
 * @param {(one: Sample, other: Sample) => number} compare
 */
export function comparison(groups, others, compare) {
  return bootstrap([groups, others], compare);
}

export function quantile(values, q) {
  return drawable([values]).whole(q);
}

function bootstrap(series, figure) {
  const random = generator(1);
  const all = series.map(drawable);
  const drawn = Array.from({ length: RESAMPLES }, () => {
    const times = drawOf(series[0].length, random);
    return figure(...all.map(({ draw }, index) => draw(series[index].length === times.length ? times : drawOf(series[index].length, random))));
  });
  return { value: figure(...all.map(({ whole }) => whole)), low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

/** How many times each of so many groups is drawn. */
function drawOf(count, random) {
  const times = new Uint32Array(count);
  for (let pick = 0; pick < count; pick += 1) times[Math.floor(random() * count)] += 1;
  return times;
}

/** The groups, sorted once, so that a draw only has to count. */
function drawable(groups) {
  const sorted = groups.flatMap((values, group) => values.map((value) => ({ value, group }))).sort((one, other) => one.value - other.value);
  const values = Float64Array.from(sorted, ({ value }) => value);
  const groupOf = Uint32Array.from(sorted, ({ group }) => group);
  const draw = (times) => (q) => {
    const total = groups.reduce((sum, { length }, group) => sum + length * times[group], 0);
    let left = Math.max(1, Math.ceil(q * total));
    for (let at = 0; at < values.length; at += 1) {
      left -= times[groupOf[at]];
      if (left <= 0) return values[at];
    }
    return NaN;
  };
  return { draw, whole: draw(new Uint32Array(groups.length).fill(1)) };
}

// mulberry32: the bootstrap needs no better one, and a run that is read again must give the same interval.
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
