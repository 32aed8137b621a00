// The labels that were written by hand, from `labels/<language>.txt`.
// A file begins with `# <registry> <package> <version> <path> <sha256>`; then one declaration a line, indented by its depth, which nothing here compares: line of the name, kind, name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from '../../scripts/lib/prefix.mjs';

export function labelsOf(language) {
  const files = [];
  for (const row of readFileSync(join(REPO, 'tests/oracle/labels', `${language}.txt`), 'utf8').split('\n')) {
    if (row.startsWith('# ')) {
      const [from, name, version, path, hash] = row.slice(2).split(' ');
      files.push({ source: { from, name, version }, path, hash, labels: [] });
    } else if (row) {
      const [, line, kind, name] = row.match(/^(\d+) +(\S+) (\S+)$/);
      files.at(-1).labels.push({ line: Number(line), kind, name });
    }
  }
  return files;
}
