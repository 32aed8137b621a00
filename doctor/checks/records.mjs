// What failed in the last seven days, by the rows that every route leaves: counts, the last time, what it means and what to do.
// A failure of the last day is a problem, an older one a note: it may be mended since.

import { join } from 'node:path';
import { CODES, ROUTE_NAMES } from '../data.mjs';
import { listed, note, ok, plain, problem } from '../finding.mjs';
import { readText } from '../facts/json.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 7;
// Each is turned over at 256 KB.
const FILES = ['errors.1.jsonl', 'errors.jsonl'];
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DETAILS = 3;

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  if (world.trimtab === null) return [];
  const findings = [];
  const groups = new Map();
  let unread = 0;
  for (const name of FILES) {
    const path = join(world.trimtab, name);
    let text = '';
    try {
      text = await readText(path, MAX_BYTES);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
        findings.push(
          problem('records-unreadable', `${world.shown(path)} cannot be read (\`${error.code}\`)`, 'see who owns it and what its mode is'),
        );
    }
    for (const line of text.split('\n').filter(Boolean)) {
      const row = rowOf(line);
      if (row === null) unread += 1;
      else if (row.at > world.now - DAYS * DAY_MS) add(groups, row);
    }
  }
  if (unread > 0) findings.push(note('records-damaged', `${unread} ${unread === 1 ? 'row' : 'rows'} of the records cannot be read`));
  findings.push(...[...groups.values()].sort((a, b) => b.last - a.last).map((group) => findingOf(group, world.now)));
  return findings.length > 0 ? findings : [ok('records-none', `nothing failed in the last ${DAYS} days, as far as the records tell`)];
}

function rowOf(line) {
  try {
    const { time, route, code, detail } = JSON.parse(line);
    const at = Date.parse(time);
    return Number.isNaN(at) || typeof code !== 'string' ? null : { at, route, code, detail };
  } catch {
    return null;
  }
}

function add(groups, { at, route, code, detail }) {
  const key = JSON.stringify([route, code]);
  const group = groups.get(key) ?? { route, code, count: 0, last: 0, details: new Set() };
  groups.set(key, group);
  group.count += 1;
  group.last = Math.max(group.last, at);
  // Longer ones are sentences, and those of the configuration are told where it is judged.
  if (typeof detail === 'string' && /^[\w.-]{1,40}$/.test(detail)) group.details.add(detail);
}

function findingOf({ route, code, count, last, details }, now) {
  const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  const more = [...details].slice(0, MAX_DETAILS).map((detail) => `\`${detail}\``);
  const what = `\`${plain(code)}\`${more.length > 0 ? ` (${listed(more)})` : ''}`;
  const who = Object.hasOwn(ROUTE_NAMES, route) ? ROUTE_NAMES[route] : `\`${plain(route)}\``;
  const when = new Date(last).toISOString();
  const often = `${count === 1 ? 'once' : `${count} times`} by ${who}, last ${when.slice(0, 16).replace('T', ' ')} UTC`;
  const isNew = known?.level === 'problem' && last > now - DAY_MS;
  const finding = (isNew ? problem : note)('record', `${what} ${often}${known ? `: ${known.means}` : ''}`, known?.next);
  return { ...finding, record: { route: plain(route), code: plain(code), count, last: when } };
}
