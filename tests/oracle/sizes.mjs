// How large the outline of a file is beside the file, at the default budget: rendered by the answers pack as for a Read.
// Counts tokens as everywhere here, four characters each, for both.
const tokens = (text) => Math.ceil(text.length / 4);

/** `large.lines` or `large.bytes` of the defaults, and more: what a whole read is answered for. */
export const isLarge = (text) => text.split('\n').length - 1 >= 300 || Buffer.byteLength(text) >= 30_720;

/** The outline's share of the file in percent; null where none is given (it would be poor, or spare too little). */
export function shareOf(answers, path, text, declarations) {
  let answer = answers.read(JSON.stringify({ v: 1, do: 'outline', call: { path, allowed: true, form: 'read', language: declarations.language } }));
  if (answer?.need) {
    const facts = answer.need.map(({ ask }) => (ask === 'declarations' ? { bytes: Buffer.byteLength(text), mtime: 0, declarations } : null));
    answer = answers.read(JSON.stringify({ v: 1, do: 'facts', call: answer.call, facts }));
  }
  const outline = answer?.done?.text;
  return outline === undefined ? null : (100 * tokens(outline)) / tokens(text);
}

/** The middle of the numbers; null where there are none. */
export function median(numbers) {
  if (numbers.length === 0) return null;
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
