// What the outlines of one language have of what is expected: of ctags's findings, or of labels.
// Prints nothing and keeps nothing; each difference goes to `say`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../cli/lib/user-error.mjs';
import { declarationsOf } from '../../glue/pack.js';
import { REPO } from '../../scripts/lib/prefix.mjs';
import { sha256 } from '../../scripts/lib/sources.mjs';
import { compared } from './compare.mjs';
import { CORPORA, pick } from './corpora.mjs';
import { tagsOf } from './ctags.mjs';
import { sourcesOf } from './fetch.mjs';
import { LABELS, LANGUAGES, leftOut } from './kinds.mjs';
import { labelsOf } from './labels.mjs';
import { isLarge, median, shareOf } from './sizes.mjs';

const HERE = join(REPO, 'tests/oracle');

/**
 * @param {string} language
 * @param {{ program: string, pack: object, answers: object | null, others?: boolean, say?: (kind: string, where: string) => void }} means ctags, the language's pack,
 *   the pack that renders outlines
 */
export function measure(language, { program, pack, answers, others = false, say = () => {} }) {
  const files = LABELS[language] ? labelledFiles(language) : ctagsFiles(language, program, others);
  const exceptions = readExceptions(language);
  const result = { files: 0, sources: {}, expected: 0, found: 0, otherKind: 0, otherLine: 0, missing: 0, extra: 0, broken: 0, excepted: 0, leftOut: {} };
  const shares = [];
  for (const { source, path, text, expected, skipped } of files) {
    const answer = declarationsOf(pack, text);
    if (!answer) throw new UserError(`the pack for ${language} has no answer to ${path}`);
    result.files += 1;
    result.broken += answer.broken ? 1 : 0;
    (result.sources[`${source.from} ${source.name} ${source.version}`] ??= []).push(`${sha256(Buffer.from(text)).slice(0, 12)} ${path}`);
    for (const reason of skipped) result.leftOut[reason] = (result.leftOut[reason] ?? 0) + 1;
    const wanted = expected.filter((one) => !exceptions.has(`${path}:${one.line} ${one.name}`));
    result.excepted += expected.length - wanted.length;
    const { found, failed, more } = compared(wanted, answer.declarations);
    result.expected += wanted.length;
    result.found += found;
    for (const { wanted: one, why, got } of failed) {
      result[why] += 1;
      say(why, `${path}:${one.line} ${one.kind} ${one.name}${got ? `  (${got.from} ${got.kind})` : ''}`);
    }
    result.extra += more.length;
    for (const one of more) say('extra', `${path}:${one.from} ${one.kind} ${one.name}`);
    if (answers) shares.push({ share: shareOf(answers, path, text, answer), isLarge: isLarge(text) });
  }
  return { ...result, ...(answers && { outline: sizes(shares) }) };
}

/** Of the files that a whole read of is answered with an outline, and of all. */
function sizes(shares) {
  const summary = (some) => {
    const given = some.map(({ share }) => share).filter((share) => share !== null);
    const middle = median(given);
    return { files: some.length, given: given.length, medianPercent: middle === null ? null : Math.round(middle * 10) / 10 };
  };
  return { large: summary(shares.filter((one) => one.isLarge)), all: summary(shares) };
}

function* ctagsFiles(language, program, others) {
  const { suffixes, parts } = CORPORA[language];
  for (const part of parts) {
    const root = sourcesOf(part.source);
    const paths = pick(root, part, suffixes, others);
    for (const [path, tags] of tagsOf(program, language, root, paths)) {
      const text = readFileSync(join(root, path), 'utf8');
      const lines = text.split('\n');
      const skipped = [];
      const expected = new Map();
      for (const tag of tags) {
        const same = expected.get(`${tag.line} ${tag.name}`);
        const reason = leftOut(language, tag, lines[tag.line - 1] ?? '') ?? (same && 'found a second time, as another kind');
        const kinds = LANGUAGES[language].same[tag.kind] ?? [];
        if (reason) skipped.push(reason);
        else expected.set(`${tag.line} ${tag.name}`, { ...tag, name: LANGUAGES[language].plain?.(tag, lines[tag.line - 1] ?? '') ?? tag.name, kinds });
        if (same) same.kinds = [...same.kinds, ...kinds];
      }
      yield { source: part.source, path, text, expected: [...expected.values()], skipped };
    }
  }
}

function* labelledFiles(language) {
  for (const { source, path, hash, labels } of labelsOf(language)) {
    const text = readFileSync(join(sourcesOf(source), path), 'utf8');
    if (!sha256(Buffer.from(text)).startsWith(hash)) throw new UserError(`${path} is not the file that was labelled`);
    yield { source, path, text, expected: labels.map((label) => ({ ...label, kinds: LABELS[language][label.kind] })), skipped: [] };
  }
}

/** Findings where ctags is wrong: `path:line name` of each in exceptions.txt. */
function readExceptions(language) {
  const file = join(HERE, 'exceptions.txt');
  if (!existsSync(file)) return new Set();
  const rows = readFileSync(file, 'utf8').split('\n').filter((row) => row.startsWith(`${language} `));
  return new Set(rows.map((row) => row.slice(language.length + 1).split('  ')[0]));
}
