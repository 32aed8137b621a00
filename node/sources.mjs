// Answers what a pack asks about sources: texts, declarations, folders, and the output of git.
// Reads only, and only what was named. What is too large, no text or in no known language is null, "could not tell".

import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readPart } from './files.mjs';

// As much as the client reads at once; the module's host draws the same line.
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_RUN_MS = 5000;

/** The fact for a `text` ask. */
export async function textOf({ path, from = 0, bytes = MAX_BYTES }) {
  const { buffer, size, mtime } = readPart(path, from, bytes);
  return { text: buffer.toString('utf8'), bytes: size, mtime };
}

/**
 * The fact for a `declarations` ask.
 * @param {{ path?: string, text?: string, language: string, names?: string[] }} ask
 */
export async function declarationsFact({ path, text, language, names }) {
  const [{ declarationsOf }, { packOf }] = await Promise.all([import('../glue/pack.js'), import('./packs.mjs')]);
  const pack = await packOf(language);
  if (text !== undefined) return told(declarationsOf(pack, text, names));
  const { buffer, size, mtime } = readPart(path, 0, MAX_BYTES);
  if (size > MAX_BYTES || buffer.includes(0)) return null;
  return told(declarationsOf(pack, new TextDecoder().decode(buffer), names), { bytes: size, mtime });
}

/** A file that a Read could show whole. */
export async function wholeOf(path) {
  const { buffer, size } = readPart(path, 0, MAX_BYTES);
  if (size > MAX_BYTES) throw new Error('too large');
  return buffer.toString('utf8');
}

/** The fact for a `find` ask: the lines of a text that stands in a file once. */
export async function findIn(path, text) {
  const file = await wholeOf(path);
  const at = file.indexOf(text);
  if (at < 0 || file.includes(text, at + 1)) return null;
  const from = file.slice(0, at).split('\n').length;
  return { from, to: from + text.replace(/\n$/, '').split('\n').length - 1 };
}

/** The fact for a `list` ask. */
export async function listOf(path) {
  const entries = await readdir(path, { withFileTypes: true });
  return { entries: await Promise.all(entries.map((entry) => entryOf(path, entry))) };
}

/** The fact for a `run` ask. */
export async function runOf({ argv, cwd, bytes = MAX_BYTES, env, ms = MAX_RUN_MS }) {
  const { readOutput } = await import('./output.mjs');
  const parts = [];
  let left = bytes;
  const end = await readOutput({ argv, cwd, env, ms }, (text) => {
    parts.push(text);
    left -= Buffer.byteLength(text);
    return left > 0;
  });
  return end && { stdout: parts.join(''), ...end };
}

function told(declarations, more = {}) {
  return declarations && { ...more, declarations };
}

async function entryOf(folder, entry) {
  const path = join(folder, entry.name);
  const isLink = entry.isSymbolicLink();
  const found = await (isLink ? stat(path) : lstat(path)).catch(() => undefined);
  const kind = found?.isFile() ? 'file' : found?.isDirectory() ? 'dir' : 'other';
  return { name: entry.name, kind, bytes: found?.size ?? 0, ...(isLink && { link: true }) };
}
