// Splits a stream into its lines, by the newline alone: JSON may hold the other characters that end a line elsewhere.

/**
 * @param {AsyncIterable<Buffer>} stream
 * @returns {AsyncGenerator<string>}
 */
export async function* linesOf(stream) {
  const decoder = new TextDecoder();
  let parts = [];
  for await (const chunk of stream) {
    const [first, ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    // The last piece is the beginning of a line that is still to come; pieces are joined once, however long the line.
    for (const piece of more) {
      yield parts.join('');
      parts = [piece];
    }
  }
  const last = parts.join('') + decoder.decode();
  if (last) yield last;
}
