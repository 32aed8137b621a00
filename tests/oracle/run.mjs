// `npm run oracle`: the declarations of the packs beside those that universal-ctags finds, and beside labels that were written by hand.
// Fetches ctags and the sources when it is run (fetch.mjs); nothing of them is kept here but figures. Judges nothing: it prints what does not hold.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../../cli/lib/options.mjs';
import { UserError } from '../../cli/lib/user-error.mjs';
import { declarationsOf } from '../../glue/pack.js';
import { packOf } from '../../node/packs.mjs';
import { REPO } from '../../scripts/lib/prefix.mjs';
import { sha256 } from '../../scripts/lib/sources.mjs';
import { compared } from './compare.mjs';
import { COMPARED, CORPORA, HAND_LABELLED, pick } from './corpora.mjs';
import { tagsOf } from './ctags.mjs';
import { ctags, sourcesOf } from './fetch.mjs';
import { LABELS, LANGUAGES, leftOut } from './kinds.mjs';
import { labelsOf } from './labels.mjs';

const HERE = join(REPO, 'tests/oracle');
const RESULTS = join(HERE, 'results.json');

const OPTIONS = [
  { name: 'only', value: 'LANGUAGES', summary: 'some of them, with commas; nothing is kept then' },
  { name: 'misses', summary: 'print each finding that the outline lacks' },
  { name: 'extra', summary: 'print each declaration that ctags or the labels lack' },
  { name: 'help', summary: 'this' },
];

const USAGE = `npm run oracle -- [options]
${OPTIONS.map(({ name, value, summary }) => `  ${`--${name}${value ? `=${value}` : ''}`.padEnd(18)} ${summary}`).join('\n')}
`;

async function main(args) {
  const { values, rest } = parseOptions(OPTIONS, args);
  if (rest.length > 0) throw new UserError(`\`npm run oracle\` takes no \`${rest[0]}\`; \`--help\` lists the options`);
  if (values.help) return void process.stdout.write(USAGE);
  const all = [...Object.keys(CORPORA), ...Object.keys(HAND_LABELLED)];
  const chosen = values.only ? values.only.split(',') : all;
  const unknown = chosen.find((language) => !all.includes(language));
  if (unknown) throw new UserError(`no language \`${unknown}\`; there are ${all.join(', ')}`);

  const tool = await ctags();
  const results = { ctags: tool.version, languages: {} };
  console.log(`universal-ctags ${tool.version}\n`);
  console.log('language      files  found    of   rate   kind  line  extra  left out');
  for (const language of chosen) {
    const result = await measure(language, tool.program, values);
    results.languages[language] = result;
    print(language, result);
  }
  if (!values.only) writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
}

async function measure(language, program, { misses, extra }) {
  const files = HAND_LABELLED[language] ? labelledFiles(language) : ctagsFiles(language, program);
  const pack = await packOf(language).catch(() => null);
  if (!pack) throw new UserError(`there is no pack for ${language}; build with \`npm run build\``);
  const exceptions = readExceptions(language);
  const result = { files: 0, sources: {}, expected: 0, found: 0, otherKind: 0, otherLine: 0, missing: 0, extra: 0, broken: 0, excepted: 0, leftOut: {} };
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
      if (misses) console.log(`  ${why.padEnd(9)} ${language} ${path}:${one.line} ${one.kind} ${one.name}${got ? `  (${got.from} ${got.kind})` : ''}`);
    }
    result.extra += more.length;
    if (extra) for (const one of more) console.log(`  extra     ${language} ${path}:${one.from} ${one.kind} ${one.name}`);
  }
  return result;
}

function print(language, result) {
  const { files, found, expected, otherKind, otherLine, extra, excepted } = result;
  const skipped = Object.values(result.leftOut).reduce((sum, count) => sum + count, 0);
  const rate = `${((100 * found) / expected).toFixed(2)} %`;
  console.log(`${language.padEnd(12)} ${String(files).padStart(6)} ${String(found).padStart(6)} ${String(expected).padStart(5)} ${rate.padStart(8)} ${String(otherKind).padStart(4)} ${String(otherLine).padStart(5)} ${String(extra).padStart(6)} ${String(skipped).padStart(6)}${excepted ? ` and ${excepted} excepted` : ''}`);
}

function* ctagsFiles(language, program) {
  const { suffixes, parts } = CORPORA[language];
  for (const part of parts) {
    const root = sourcesOf(part.source);
    const paths = pick(root, part, suffixes, COMPARED);
    for (const [path, tags] of tagsOf(program, language, root, paths)) {
      const text = readFileSync(join(root, path), 'utf8');
      const lines = text.split('\n');
      const skipped = [];
      const expected = tags.filter((tag) => {
        const reason = leftOut(language, tag, lines[tag.line - 1] ?? '');
        if (reason) skipped.push(reason);
        return !reason;
      }).map((tag) => ({ ...tag, kinds: LANGUAGES[language].same[tag.kind] ?? [] }));
      yield { source: part.source, path, text, expected, skipped };
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

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof UserError) && error.name !== 'SetupError') throw error;
  console.error(`oracle: ${error.message}`);
  process.exitCode = 2;
});
