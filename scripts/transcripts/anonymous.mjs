// Takes out of a transcript what tells of the machine that wrote it, and the client's own prompts, which are not ours to publish.
// Keeps every line, its type and its order; a transcript that still names the machine afterwards is an error, never a result.

import { fileURLToPath } from 'node:url';
import { hostname, userInfo } from 'node:os';

// Attachments of these kinds are prompts of the client; the others are the session's.
const CLIENTS_OWN = new Set(['prompt_snapshot', 'skill_listing', 'agent_listing_delta', 'environment', 'deferred_tools_delta', 'remote_session_change', 'model']);
const MOST = 160;
/** Where packages are published, spelled so that this file names no such place either. */
export const HOSTS = new RegExp(`(?:[a-z]+\\.)?(?:${['npmjs', 'pypi', 'pythonhosted'].join('|')})\\.(?:com|org)|(?:[a-z]+\\.)?${'crates'}\\.io`, 'g');

/**
 * @param {string} text the file as the client wrote it
 * @param {{ project: string, home: string, temp: string, session: string, number: number }} where `session`: the id in the file; `number`: what it becomes
 * @returns {string}
 */
export function anonymous(text, { project, home, temp, session, number }) {
  const replaced = text
    .replaceAll(folderName(project), '-repo')
    .replaceAll(project, '/repo')
    .replaceAll(home, '/home/u')
    .replaceAll(temp, '/tmp/lab')
    .replace(/\/tmp\/trimtab-lab-\w+\/tmp/g, '/tmp/lab')
    .replaceAll(session, sessionId(number))
    // Readmes link to where packages are published; a fixture names no such place.
    .replace(HOSTS, 'packages.example')
    .replace(/"osVersion":"[^"]*"/g, '"osVersion":"Linux"')
    .replace(/OS Version: [^\\"]*/g, 'OS Version: Linux');
  const lines = replaced.split('\n').map((line) => (line === '' ? line : withoutPrompts(line)));
  const clean = lines.join('\n');
  const names = [`@${hostname()}`, fileURLToPath(new URL('../../', import.meta.url)), 'trimtab-lab', 'trimtab-transcripts', userInfo().homedir, 'node_modules/@anthropic-ai'].filter((name) => name.length > 1);
  for (const name of names) {
    const at = clean.indexOf(name);
    if (at >= 0) throw new Error(`\`${name}\` is still in session ${number}: ${clean.slice(Math.max(0, at - 80), at + 80)}`);
  }
  return clean;
}

/** The ids of the sessions, by number. */
export function sessionId(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** How the client spells a folder as one name. */
export function folderName(path) {
  return path.replace(/[^a-zA-Z0-9]/g, '-');
}

function withoutPrompts(line) {
  const record = JSON.parse(line);
  const isClientsOwn = record.type.startsWith('api-request') || (record.type === 'attachment' && CLIENTS_OWN.has(record.attachment?.type));
  return isClientsOwn ? JSON.stringify(shortened(record)) : line;
}

function shortened(value) {
  if (typeof value === 'string') return value.length > MOST ? `(${value.length} characters of the client's own)` : value;
  if (Array.isArray(value)) return value.length > 20 ? value.slice(0, 20).map(shortened) : value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  // A tool's schema is long in small pieces.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'input_schema' ? {} : shortened(inner)]));
}
