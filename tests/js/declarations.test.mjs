// What each language pack finds in a text: every case of `tests/declarations/<language>.txt`, and what no text may do to a pack.
// A case is a title, a text, and what is declared in it: lead-from-to, nesting, kind and name, then what else is said of it.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { declarationsOf } from '../../glue/pack.js';
import { packOf } from '../../node/packs.mjs';

const FOLDER = new URL('../declarations/', import.meta.url);
const LANGUAGES = readdirSync(new URL('../../packs/languages/', import.meta.url));
// Those that share one table; what one grammar lacks of it another has.
const SHARING = ['javascript', 'tsx', 'typescript'];
const ALPHABET = [...'{}()[]<>;:,.=+-*/#@"\'`$\\ \n\tabcdef class def fun 0123\u00e9\u{1f600}'];

/** `{title, text, names, expected}` of each case in a file. */
function casesOf(language) {
  const file = readFileSync(new URL(`${language}.txt`, FOLDER), 'utf8');
  return file.split(/^=== /m).slice(1).map((block) => {
    const [title, ...lines] = block.split('\n');
    const at = lines.indexOf('---');
    const asked = lines[0].match(/^names: (.+)$/);
    return { title, names: asked ? asked[1].split(' ') : [], text: lines.slice(asked ? 1 : 0, at).join('\n') + '\n', expected: lines.slice(at + 1).join('\n').trim() };
  });
}

function shown({ broken, cut, declarations, occurrences = [] }) {
  return [
    ...(broken ? ['broken'] : []),
    ...(cut ? ['cut'] : []),
    ...declarations.map(({ kind, name, depth, lead, from, to, head, doc, visibility }) =>
      `${[lead, from, to].join('-')} ${'  '.repeat(depth)}${kind} ${name}${visibility ? ` (${visibility})` : ''} | ${head}${doc ? ` // ${doc}` : ''}`),
    ...occurrences.map(({ name, line, column, role, within }) => `${name} ${line}:${column} ${role}${within === undefined ? '' : ` in ${declarations[within].name}`}`),
  ].join('\n');
}

for (const language of LANGUAGES) {
  for (const { title, text, names, expected } of casesOf(language)) {
    test(`${language}: ${title}`, async () => assert.equal(shown(declarationsOf(await packOf(language), text, names)), expected));
  }

  test(`${language}: with a byte order mark and Windows line ends the same is found`, async () => {
    const pack = await packOf(language);
    const { text } = casesOf(language)[0];
    assert.equal(shown(declarationsOf(pack, `\ufeff${text.replaceAll('\n', '\r\n')}`)), shown(declarationsOf(pack, text)));
  });

  test(`${language}: no text is too much: cut anywhere, any characters, deep, on one line`, async () => {
    const pack = await packOf(language);
    // Two cases are text enough.
    const text = casesOf(language).slice(0, 2).map((one) => one.text).join('\n');
    const whole = shown(declarationsOf(pack, text));
    const random = randomOf(7);
    const texts = ['', '\0\x01\x02'.repeat(1_000), '\n'.repeat(10_000), text.replaceAll('\n', ' ').repeat(50)];
    for (let at = 0; at < 40; at += 1) texts.push(text.slice(0, random(text.length)), text.slice(random(text.length)));
    for (let at = 0; at < 40; at += 1) texts.push(Array.from({ length: 400 }, () => ALPHABET[random(ALPHABET.length)]).join(''));
    // So deep that the runtime itself or a scanner may give up, which costs the instance and no more.
    const deep = [];
    for (const open of ['(', '{', '[', '<', '((', '{[', 'a(', '"${', 'if(', '- ']) deep.push(open.repeat(20_000));
    for (const one of deep) {
      declarationsOf(pack, one);
      assert.equal(shown(declarationsOf(pack, text)), whole, one.slice(0, 10));
    }
    for (const one of texts) {
      const answer = declarationsOf(pack, one);
      assert.ok(answer, JSON.stringify(one.slice(0, 80)));
      const { lines, declarations } = answer;
      for (const { lead, from, to, head, name } of declarations) {
        assert.ok(1 <= lead && lead <= from && from <= to && to <= Math.max(lines, 1), JSON.stringify({ lead, from, to, lines, one: one.slice(0, 200) }));
        assert.ok(name !== '' && !/[\n\r]/.test(name + head) && [...head].length <= 201);
      }
    }
  });
}

const unknownIn = async (language) => (await packOf(language)).read('{"check":true}\n').unknown ?? [];

test('every node, word and field that a table names is in its grammar', async () => {
  for (const language of LANGUAGES.filter((one) => !SHARING.includes(one))) assert.deepEqual(await unknownIn(language), [], language);
  const [first, ...others] = await Promise.all(SHARING.map(unknownIn));
  assert.ok(first.includes('interface_declaration'), 'JavaScript has no interfaces, so the pack looks');
  assert.deepEqual(first.filter((one) => others.every((unknown) => unknown.includes(one))), [], String(SHARING));
});

/** Whole numbers below a limit, the same ones in every run. */
function randomOf(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}
