// Reads the `D` of `--since D`: a date, or how long ago. Knows no time zone but the machine's own.

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * @param {string} text `2026-01-31`, `2026-01-31T09:00`, `36h`, `7d`, `2w`
 * @param {number} now
 * @returns {number | null} milliseconds, null for what is neither
 */
export function sinceOf(text, now) {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * UNITS[unit];
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) return null;
  // A day alone begins at the person's own midnight.
  const time = Date.parse(text.includes('T') ? text : `${text}T00:00`);
  return Number.isNaN(time) ? null : time;
}
