// The Node of the command hooks. A problem only where they are the ones to answer.

import { MIN_NODE } from '../data.mjs';
import { note, ok, problem } from '../finding.mjs';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { path, version, error } = await world.node();
  if (error === undefined) return [ok('node-found', `Node ${version} for the command hooks (${world.shown(path)})`)];
  const isSpare = (await world.routes()).every(({ route }) => route === 'module');
  const told = (code, text) => {
    const whole = isSpare ? `${text}; the module needs none` : text;
    return [(isSpare ? note : problem)(code, whole, `install Node ${MIN_NODE} or newer where \`node\` is on the \`PATH\``)];
  };
  if (error === 'missing') return told('node-missing', 'no Node was found for the command hooks');
  if (error === 'old') return told('node-old', `Node ${version} (${world.shown(path)}) is too old for the command hooks`);
  return told('node-broken', `${world.shown(path)} does not tell its version (\`${error}\`)`);
}
