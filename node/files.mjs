// Looks at files: what one is, how many lines it has, a part of it. Opens ordinary files only, and keeps no content.

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sep } from 'node:path';

// A file this large is past every limit; counting it would only hold up the call.
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** @param {string} path absolute */
export async function statOf(path) {
  try {
    const real = realpathSync.native(path);
    const found = statSync(real);
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'dir' : 'other';
    return { kind, bytes: found.size, real: slashed(real), mtime: found.mtimeMs };
  } catch (error) {
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? { kind: 'none', bytes: 0, real: slashed(path) } : null;
  }
}

/** @param {string} path absolute; null for anything but a file of a countable size */
export async function linesOf(path) {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_COUNTED_BYTES) return null;
    const chunk = Buffer.alloc(64 * 1024);
    let lines = 0;
    // The size is held to as well as the end: a log that grows while it is read would never end.
    for (let read = 0; read <= MAX_COUNTED_BYTES; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return { lines };
      for (let at = 0; at < bytesRead; at += 1) if (chunk[at] === NEWLINE) lines += 1;
      read += bytesRead;
    }
    return null;
  } finally {
    await file.close();
  }
}

/**
 * A part of an ordinary file, with its size and the time of its last change in ms. At once, because a code tool reads hundreds of files,
 * and each trip to a thread took as long as its parse.
 */
export function readPart(path, from, bytes) {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw notAFile(path, found);
    const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, found.size - from)));
    return { buffer: buffer.subarray(0, readSync(file, buffer, 0, buffer.length, from)), size: found.size, mtime: found.mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** The core knows one kind of slash. On other systems a backslash is part of a name. */
export function slashed(path) {
  return sep === '\\' ? path.replaceAll(sep, '/') : path;
}

/** Opens an ordinary file for reading. Without `O_NONBLOCK` a named pipe would wait for a writer for ever. */
export async function openFile(path) {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw notAFile(path, found);
}

function notAFile(path, found) {
  return Object.assign(new Error(`\`${path}\` is not a file`), { code: found.isDirectory() ? 'EISDIR' : 'ENOTFILE' });
}
