// The built core of each trimtab that is registered here, and of this one: its files, their hashes, its self-check, its second copy.

import { listed, note, ok, problem } from '../finding.mjs';

const NEXT = 'reinstall trimtab, or in a checkout run `npm run build`';
const RETURNS = 'reinstall trimtab, or check it out again with `core.autocrlf` off';
const MAX_NAMED = 4;

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { plugins } = await world.registrations();
  const folders = new Set([...plugins.map(({ folder }) => folder).filter((folder) => folder !== null), world.own]);
  const cores = await Promise.all([...folders].map((folder) => world.core(folder)));
  return cores.flatMap((core) => findingsOf(core, world.shown(core.folder)));
}

function findingsOf({ version, missing, altered, returns, isListed, starts }, shown) {
  const findings = [];
  if (missing.length > 0) findings.push(problem('files-missing', `${shown} lacks ${named(missing)}`, NEXT));
  if (altered.length > 0)
    findings.push(problem('files-altered', `${shown}: ${named(altered)} ${altered.length === 1 ? 'is' : 'are'} not as built`, NEXT));
  if (returns.length > 0)
    findings.push(problem('line-ends', `${shown}: CRLF line ends in ${named(returns)}, so the command hooks do nothing`, RETURNS));
  if (version === null) findings.push(problem('core-broken', `${shown}: the core does not start, and neither does its second copy`, NEXT));
  else if (!starts.first)
    findings.push(problem('core-broken', `${shown}: the core does not start; only the command hooks can judge, with its second copy`, NEXT));
  else if (!starts.second) findings.push(problem('second-copy-broken', `${shown}: the second copy of the core is not the first one, packed`, NEXT));
  if (!isListed) findings.push(note('not-comparable', `${shown}: \`pkg/build.json\` does not say what was built`, NEXT));
  return findings.length > 0 ? findings : [ok('core-good', `core ${version} in ${shown}: as built, self-check passed, second copy the same`)];
}

function named(paths) {
  const more = paths.length - MAX_NAMED;
  const shown = paths.slice(0, MAX_NAMED).map((path) => `\`${path}\``);
  return more > 0 ? `${shown.join(', ')} and ${more} more` : listed(shown);
}
