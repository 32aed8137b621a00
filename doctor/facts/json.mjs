// Reads one JSON file that holds an object. Never throws and keeps no text.

import { openFile } from '../../node/files.mjs';

const MAX_BYTES = 8 * 1024 * 1024;

/** @returns {Promise<{ value: object | null, error?: string }>} `error`: `missing`, `not-json`, `no-object`, or a code of the system */
export async function readJson(path) {
  let text;
  try {
    text = await readText(path, MAX_BYTES);
  } catch (error) {
    return { value: null, error: error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 'missing' : (error.code ?? 'unknown') };
  }
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : { value: null, error: 'no-object' };
  } catch {
    return { value: null, error: 'not-json' };
  }
}

/** An ordinary file's text; throws with the system's code. */
export async function readText(path, maxBytes) {
  const file = await openFile(path);
  try {
    if ((await file.stat()).size > maxBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
