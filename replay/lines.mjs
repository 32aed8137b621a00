// Reads a file line by line, as bytes, and never holds more than one line of a bounded length.
// Knows nothing of what the lines mean; a byte that is no UTF-8 becomes U+FFFD, never an error.

import { openFile } from '../node/files.mjs';

// Lines of 3 to 9 MB were seen (public reports); above this a line is skipped without being kept.
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * @param {string} path
 * @param {{ maxBytes?: number, onBytes?: (bytes: number) => void }} [options] `onBytes` hears of every piece that was read
 * @returns {AsyncGenerator<{ text: string | null, isEnded: boolean }>} `text` is null for a line that is too long; `isEnded` is false for a last line without its end
 */
export async function* linesOf(path, { maxBytes = MAX_LINE_BYTES, onBytes = () => {} } = {}) {
  const file = await openFile(path);
  const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES });
  let pieces = [];
  let bytes = 0;

  const keep = (piece) => {
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = (isEnded) => {
    const text = bytes > maxBytes ? null : Buffer.concat(pieces).toString('utf8');
    pieces = [];
    bytes = 0;
    return { text, isEnded };
  };

  for await (const chunk of stream) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      yield take(true);
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (bytes > 0) yield take(false);
}
