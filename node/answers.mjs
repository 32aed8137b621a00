// The closed set of what a command hook may print. The core writes the answer; this is the last door, so that no fault of ours can ever
// print `permissionDecision` `allow` or `ask` and take a permission prompt away from the person.

/**
 * @param {string} text what the core wants printed
 * @param {string} event the hook event that is being answered
 * @returns {string | null} the same answer spelled anew (a key written twice cannot hide a second meaning), or null if it is none of the shapes
 */
export function printable(text, event) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return null;
  }
  return SHAPES.some((shape) => isLike(answer, shape(event))) ? JSON.stringify(answer) : null;
}

const anyText = (value) => typeof value === 'string';
const anyNumber = (value) => Number.isInteger(value);
const anyFile = { filePath: anyText, content: anyText, numLines: anyNumber, startLine: anyNumber, totalLines: anyNumber };

const SHAPES = [
  (event) => ({ hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: anyText } }),
  (event) => ({ hookSpecificOutput: { hookEventName: event, additionalContext: anyText } }),
  // In the place of a Read's result, when it ran already.
  () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { type: 'text', file: anyFile } } }),
  () => ({ systemMessage: anyText }),
  (event) => ({ systemMessage: anyText, hookSpecificOutput: { hookEventName: event, additionalContext: anyText } }),
];

// Exactly the shape: a key too many is as wrong as one too few.
function isLike(value, shape) {
  if (typeof shape === 'function') return shape(value);
  if (typeof shape !== 'object') return value === shape;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(shape);
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key) && isLike(value[key], shape[key]));
}
