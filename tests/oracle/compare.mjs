// Pairs what is expected in a file with what the outline found: name, kind and start line must agree.

/** Never expected: they are lines of the outline that nothing here labels. */
const UNLABELLED = ['export', 'import', 'package'];
/** What stands in these is in a body or a value, which nothing here labels. */
const BODIES = ['constant', 'constructor', 'destructor', 'export', 'field', 'function', 'method', 'property', 'type', 'variable'];

// The operators of C# and C++ are written with and without the word.
const plain = (name) => name.replace(/^operator\b/, '').replace(/\s+/g, '');

/**
 * `found`: how many agree; `failed`: each other with `why` (`otherKind`, `otherLine`, `missing`); `more`: declarations that nobody expected, without
 * those in bodies and values.
 * @param {{ name: string, kind: string, kinds: string[], line: number }[]} expected
 * @param {{ name: string, kind: string, from: number, depth: number }[]} declarations
 */
export function compared(expected, declarations) {
  const left = new Set(declarations);
  const take = (fits) => {
    for (const one of left) {
      if (!fits(one)) continue;
      left.delete(one);
      return one;
    }
    return null;
  };
  const open = expected.filter((wanted) => !take((one) => isNamed(one, wanted) && one.from === wanted.line && wanted.kinds.includes(one.kind)));
  const failed = open.map((wanted) => {
    const here = take((one) => isNamed(one, wanted) && one.from === wanted.line);
    if (here) return { wanted, why: 'otherKind', got: here };
    const elsewhere = take((one) => isNamed(one, wanted) && wanted.kinds.includes(one.kind) && Math.abs(one.from - wanted.line) <= 3);
    return elsewhere ? { wanted, why: 'otherLine', got: elsewhere } : { wanted, why: 'missing' };
  });
  const inBodies = withinBodies(declarations);
  const more = [...left].filter((one) => !inBodies.has(one) && !UNLABELLED.includes(one.kind));
  return { found: expected.length - failed.length, failed, more };
}

const isNamed = (one, wanted) => plain(one.name) === plain(wanted.name);

function withinBodies(declarations) {
  const found = new Set();
  const parents = [];
  for (const one of declarations) {
    while (parents.length > 0 && parents.at(-1).depth >= one.depth) parents.pop();
    if (parents.some((parent) => BODIES.includes(parent.kind))) found.add(one);
    parents.push(one);
  }
  return found;
}
