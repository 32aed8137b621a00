// Findings as text, one line each, and as JSON. Prints nothing itself.

import { ownVersion } from '../node/version.mjs';

const COLOURS = { problem: 31, note: 33, ok: 32 };

/** @param {(import('./finding.mjs').Finding & { check: string })[]} findings in order */
export function textOf(findings, { isColoured }) {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const mark = (level) => (isColoured ? `\u001b[${COLOURS[level]}m${level}\u001b[0m` : level) + ' '.repeat('problem'.length - level.length);
  const lines = findings.map(
    ({ level, check, text, next }) => `${mark(level)}  ${check.padEnd(width)}  ${printable(`${text}${next ? `; ${next}` : ''}`)}`,
  );
  return `${[...lines, '', summary(findings)].join('\n')}\n`;
}

export async function jsonOf(findings, world) {
  const { version, kind } = await world.client().catch(() => ({ version: null }));
  const found = await world.routes().catch(() => []);
  const routes = Object.fromEntries(found.map(({ action, route, reasons }) => [action, { route, why: reasons.map(({ code }) => code) }]));
  const isWell = findings.every(({ level }) => level !== 'problem');
  const client = version === null ? null : { version, kind };
  return `${JSON.stringify({ v: 1, trimtab: ownVersion(), isWell, client, routes, findings }, null, 2)}\n`;
}

// Names come from files; a terminal must not obey them.
function printable(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}

function summary(findings) {
  const count = (level, word) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return length === 0 ? [] : [`${length} ${word}${length === 1 ? '' : 's'}`];
  };
  const counts = [...count('problem', 'problem'), ...count('note', 'note')];
  return `trimtab ${ownVersion()}: ${counts.length > 0 ? counts.join(', ') : 'all well'}`;
}
