// The shape of raw figures: a series is `{ unit, groups }`, the samples of a group belong together (a session, a round, a process).
// Rounds figures to what the clock can tell, and knows nothing of how they were taken.

/** @typedef {{ unit: 'ms', groups: number[][] }} Series */

/** @returns {Series} milliseconds, to a tenth of a microsecond */
export function series(groups) {
  return { unit: 'ms', groups: groups.map((group) => group.map((ms) => Math.round(ms * 10_000) / 10_000)) };
}

/** What `timeCore` gave in several starts of the core, as series named after the host. */
export function coreSeries(host, starts) {
  const all = { [`${host} compile`]: series(starts.map(({ compile }) => [compile])), [`${host} start`]: series(starts.map(({ start }) => [start])) };
  all[`${host} first decision`] = series(starts.map(({ cold }) => [cold[0]]));
  all[`${host} cold`] = series(starts.map(({ cold }) => cold));
  for (const way of Object.keys(starts[0].warm)) all[`${host} ${way}`] = series(starts.flatMap(({ warm }) => warm[way]));
  for (const [index, size] of starts[0].sizes.entries()) {
    for (const way of Object.keys(starts[0].bySize)) {
      all[`${host} ${way}, ${size}`] = series(starts.map(({ bySize }) => bySize[way].map((round) => round[index])));
    }
  }
  return all;
}
