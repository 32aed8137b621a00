// What universal-ctags finds in a file, as `{name, kind, line, scope, scopeKind}`.
// Judges nothing: which of it counts is written in kinds.mjs.
import { SetupError, capture } from '../../scripts/lib/run.mjs';
import { LANGUAGES } from './kinds.mjs';

/** One run over all files of a language: `Map(path -> tags)`. */
export function tagsOf(program, language, root, paths) {
  const found = new Map(paths.map((path) => [path, []]));
  if (paths.length === 0) return found;
  const { ctags, kinds = [] } = LANGUAGES[language];
  const args = [
    // No configuration of the person's own, no file of macros, and the language told: `.h` is C++ to ctags.
    '--options=NONE', '--output-format=json', '--fields=+neKSl', '--sort=no', `--language-force=${ctags}`,
    ...kinds.map((letter) => `--kinds-${ctags}=+${letter}`),
    '-f', '-', ...paths,
  ];
  const done = capture(program, args, { cwd: root, timeoutMs: 120_000 });
  if (done.status !== 0) throw new SetupError(`ctags failed for ${language}: ${done.stderr.slice(0, 300)}`);
  for (const row of done.stdout.split('\n')) {
    if (!row.startsWith('{')) continue;
    const { _type, path, name, kind, line, scope, scopeKind, extras } = JSON.parse(row);
    if (_type === 'tag') found.get(path).push({ name, kind, line, scope, scopeKind, extras });
  }
  return found;
}
