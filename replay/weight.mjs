// At which turn each old session would have been warned of its weight, with the sizes of today.
// Reads transcripts only, and names nothing of them but figures.

import { basename } from 'node:path';
import { createWeight } from '../node/weight.mjs';

/**
 * @param {import('./files.mjs').Found[]} found
 * @param {{ longest: number, config: object }} options `longest`: so many of the largest
 */
export async function weightOf(found, { longest, config }) {
  const weight = createWeight();
  const chosen = found.filter(({ isAgent }) => !isAgent).sort((a, b) => b.bytes - a.bytes).slice(0, longest);
  const sessions = [];
  for (const { path } of chosen) {
    const { done } = await weight.ask({ do: 'weigh', path, config, warnings: true });
    if (!done.figures) continue;
    const { turns, contextTokens, window, complete } = done.figures;
    sessions.push({ session: basename(path, '.jsonl'), turns, contextTokens, window, complete, warnings: done.warnings });
  }
  return { sessions, warned: sessions.filter(({ warnings }) => warnings.length > 0).length };
}

export function renderWeight({ sessions, warned }) {
  const lines = sessions.map(({ session, turns, warnings }) => {
    const at = warnings.map(({ turn, tokens }) => `turn ${turn} (about ${Math.round(tokens / 1000)}k tokens)`);
    return `${session}  ${String(turns).padStart(5)} turns  ${at.length > 0 ? `warned at ${at.join(', ')}` : 'not warned'}`;
  });
  return `${lines.join('\n')}\n${warned} of ${sessions.length} sessions would have been warned.\n`;
}
