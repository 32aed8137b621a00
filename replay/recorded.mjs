// What one result in a transcript tells: how much the model was shown, and how large the output or the file was.
// Guesses nothing: what the record does not tell is null.

import { imagesOf, resultText } from './transcript.mjs';

const HEAD = 4_000;
const NO_OUTPUT = '(Bash completed with no output)';

/**
 * @typedef {{ bytes: number, lines: number, isWhole: boolean }} Size of a text; `lines` are newline characters; not whole = at least that much
 * @typedef {{ shown: number, isError: boolean, isCut: boolean, hasImage: boolean, text: string, head: string, content: string | null, output: (Size & { characters: number }) | null, file: Size | null }} Recorded
 *   `shown`: characters that the model was shown; `isCut`: the client saved the output and showed a preview; `output`: of a shell, as it was
 *   before the client cut it; `file`: of Read, where it was read from the beginning; `content`: the text of that file, where all of it stands there
 */

/**
 * @param {{ tool: string, input: object }} call
 * @param {object} block the `tool_result`
 * @param {unknown} extra the copy for the person's screen, which holds more
 * @returns {Recorded}
 */
export function recordedOf({ tool, input }, block, extra) {
  const text = resultText(block);
  const isError = block.is_error === true;
  const isCut = text.startsWith('<persisted-output>');
  const screen = typeof extra === 'object' && extra !== null ? extra : {};
  const file = tool === 'Read' && !isError ? (fileOf(screen) ?? fileInGutter(text, input)) : null;
  return {
    shown: text.length,
    isError,
    isCut,
    hasImage: imagesOf(block) > 0,
    text,
    head: text.slice(0, HEAD),
    content: file?.content ?? null,
    output: isShell(tool) && !isError ? outputOf(text, isCut, screen) : null,
    file: file?.size ?? null,
  };
}

/** Tools whose result is what a command printed. */
export function isShell(tool) {
  return tool === 'Bash' || tool === 'PowerShell';
}

function outputOf(text, isCut, { stdout, persistedOutputSize, interrupted, isImage, backgroundTaskId }) {
  if (interrupted === true || isImage === true || backgroundTaskId !== undefined) return null;
  const told = typeof stdout === 'string' ? stdout : isCut ? null : text === NO_OUTPUT ? '' : text;
  if (isCut) {
    const bytes = Number.isFinite(persistedOutputSize) ? persistedOutputSize : savedBytes(text);
    return bytes === null ? null : { characters: bytes, bytes, lines: newlines(told ?? ''), isWhole: false };
  }
  // The client takes the last newline off.
  const lines = told === '' ? 0 : newlines(told) + (told.endsWith('\n') ? 0 : 1);
  return { characters: told.length, bytes: Buffer.byteLength(told), lines, isWhole: true };
}

/** From `Output too large (63.1KB)`. */
function savedBytes(text) {
  const [, amount, unit] = /^<persisted-output>\s*Output too large \(([\d.]+) ?([KM])B\)/.exec(text) ?? [];
  return amount === undefined ? null : Math.round(Number(amount) * (unit === 'M' ? 1024 * 1024 : 1024));
}

function fileOf({ type, file }) {
  if (type !== 'text' || typeof file?.content !== 'string' || !(file.startLine === undefined || file.startLine <= 1)) return null;
  const { content, numLines, totalLines } = file;
  const isWhole = !(totalLines > numLines);
  // The client counts the pieces between newlines.
  const size = { bytes: Buffer.byteLength(content), lines: isWhole ? newlines(content) : totalLines - 1, isWhole };
  return { size, content: isWhole ? content : null };
}

/** Subagents of older clients have no copy for the screen; the lines stand behind their numbers. Whether all of them do is not told. */
function fileInGutter(text, { offset, limit }) {
  if (offset !== undefined || limit !== undefined) return null;
  const lines = text.split('\n');
  let count = 0;
  let content = '';
  for (const line of lines) {
    const [gutter, number] = /^ *(\d+)[\t→]/.exec(line) ?? [];
    if (gutter === undefined || Number(number) !== count + 1) break;
    count += 1;
    content += `${line.slice(gutter.length)}\n`;
  }
  // Whatever else stands there may be a note that the rest is missing.
  const rest = lines.slice(count).join('\n').replace(/<system-reminder>[^]*?<\/system-reminder>/g, '').trim();
  if (count === 0 || rest !== '') return null;
  content = content.slice(0, -1);
  return { size: { bytes: Buffer.byteLength(content), lines: count - 1, isWhole: false }, content };
}

function newlines(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
