// `npm run oracle`: the declarations of the packs beside those that universal-ctags finds, and beside labels that were written by hand.
// Fetches ctags and the sources when it is run (fetch.mjs); nothing of them is kept here but figures. Judges nothing: it prints what does not hold.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../../cli/lib/options.mjs';
import { UserError } from '../../cli/lib/user-error.mjs';
import { packOf } from '../../node/packs.mjs';
import { REPO } from '../../scripts/lib/prefix.mjs';
import { CORPORA } from './corpora.mjs';
import { ctags } from './fetch.mjs';
import { LABELS } from './kinds.mjs';
import { measure } from './measure.mjs';

const RESULTS = join(REPO, 'tests/oracle/results.json');

const OPTIONS = [
  { name: 'only', value: 'LANGUAGES', summary: 'some of them, with commas; nothing is kept then' },
  { name: 'misses', summary: 'print each finding that the outline lacks' },
  { name: 'extra', summary: 'print each declaration that ctags or the labels lack' },
  { name: 'others', summary: 'other files of the same packages, which nothing was mended for; nothing is kept then' },
  { name: 'help', summary: 'this' },
];

const USAGE = `npm run oracle -- [options]
${OPTIONS.map(({ name, value, summary }) => `  ${`--${name}${value ? `=${value}` : ''}`.padEnd(18)} ${summary}`).join('\n')}
`;

async function main(args) {
  const { values, rest } = parseOptions(OPTIONS, args);
  if (rest.length > 0) throw new UserError(`\`npm run oracle\` takes no \`${rest[0]}\`; \`--help\` lists the options`);
  if (values.help) return void process.stdout.write(USAGE);
  const all = [...Object.keys(CORPORA), ...(values.others ? [] : Object.keys(LABELS))];
  const chosen = values.only ? values.only.split(',') : all;
  const unknown = chosen.find((language) => !all.includes(language));
  if (unknown) throw new UserError(`no language \`${unknown}\`; there are ${all.join(', ')}`);

  const tool = await ctags();
  const answers = await packOf('answers').catch(() => null);
  const results = { ctags: tool.version, languages: {} };
  console.log(`universal-ctags ${tool.version}\n`);
  console.log('language      files  found    of   rate   kind  line  extra  left out  outline, of large files and of all');
  for (const language of chosen) {
    const pack = await packOf(language).catch(() => null);
    if (!pack) throw new UserError(`there is no pack for ${language}; build with \`npm run build\``);
    const say = (kind, where) => (kind === 'extra' ? values.extra : values.misses) && console.log(`  ${kind.padEnd(9)} ${language} ${where}`);
    const result = measure(language, { program: tool.program, pack, answers, others: values.others, say });
    results.languages[language] = result;
    print(language, result);
  }
  if (!values.only && !values.others) writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
}

function print(language, result) {
  const { files, found, expected, otherKind, otherLine, extra, excepted, outline } = result;
  const skipped = Object.values(result.leftOut).reduce((sum, count) => sum + count, 0);
  const rate = `${((100 * found) / expected).toFixed(2)} %`;
  console.log(`${language.padEnd(12)} ${String(files).padStart(6)} ${String(found).padStart(6)} ${String(expected).padStart(5)} ${rate.padStart(8)} ${String(otherKind).padStart(4)} ${String(otherLine).padStart(5)} ${String(extra).padStart(6)} ${String(skipped).padStart(6)}${excepted ? ` and ${excepted} excepted` : ''}${outline ? `  ${outline.large.medianPercent} % of ${outline.large.given}, ${outline.all.medianPercent} % of ${outline.all.given}` : ''}`);
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof UserError) && error.name !== 'SetupError') throw error;
  console.error(`oracle: ${error.message}`);
  process.exitCode = 2;
});
