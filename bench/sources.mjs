// Sources of about one size for each pack of a language: files of the published packages that `npm run oracle` compares outlines on, put
// one behind the other (fetched if they are not there), and generated texts for what the oracle does not have.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPORA, pick } from '../tests/oracle/corpora.mjs';
import { sourcesOf } from '../tests/oracle/fetch.mjs';
import { LABELS } from '../tests/oracle/kinds.mjs';
import { labelsOf } from '../tests/oracle/labels.mjs';

const SUFFIXES = { scala: '.scala', swift: '.swift', tsx: '.tsx' };

// What may stand in the first of several files only, where one follows the other in one text.
const HEADS = { kotlin: /^(package|import|@file:).*$/gm, php: /^(<\?php|declare\(|namespace|use ).*$/gm };

const GENERATED = {
  markdown: { suffix: '.md', part: (at) => `## Part ${at}\n\nWhat it is for, with \`code_${at}\` and [a link](#part-${at}).\n\n- one\n- two, longer than one\n\n\`\`\`sh\nrun --part ${at}\n\`\`\`\n` },
  json: { suffix: '.json', start: '{', part: (at) => `${at === 0 ? '' : ','}\n  "part-${at}": { "name": "part ${at}", "values": [1, 2.5, true, null], "in": { "a": "b", "path": "src\\\\part.rs" } }`, end: '\n}\n' },
  yaml: { suffix: '.yaml', part: (at) => `part-${at}:\n  name: "part ${at}"\n  on: [push, pull_request]\n  steps:\n    - uses: checkout\n      with: { depth: ${at} }\n    - run: |\n        make\n        make test\n` },
  toml: { suffix: '.toml', part: (at) => `[part.p${at}]\nname = "part ${at}"\nversion = "1.${at}.0"\nfeatures = ["std", "derive"]\nsource = { path = "../part", optional = true }\n\n` },
  sql: { suffix: '.sql', part: (at) => `CREATE TABLE part_${at} (\n  id integer PRIMARY KEY,\n  name text NOT NULL DEFAULT 'none',\n  other integer REFERENCES part_0 (id)\n);\nCREATE INDEX part_${at}_name ON part_${at} (name);\n\n` },
};

export const LANGUAGES = [...Object.keys(CORPORA), ...Object.keys(LABELS), ...Object.keys(GENERATED)];

/** @returns {{ path: string, text: string }} whole files, up to the first that goes past the wanted size */
export function sourceOf(language, bytes) {
  const [suffix, parts] = language in GENERATED ? generated(GENERATED[language], bytes) : filesOf(language);
  let text = '';
  for (const part of parts) {
    text += text !== '' && language in HEADS ? part.replace(HEADS[language], '') : part;
    if (text.length >= bytes) break;
  }
  return { path: `/repo/source${suffix}`, text: text + (GENERATED[language]?.end ?? '') };
}

function generated({ suffix, start = '', part }, bytes) {
  return [suffix, [start, ...Array.from({ length: bytes / 50 }, (_, at) => part(at))]];
}

function filesOf(language) {
  if (LABELS[language]) return [SUFFIXES[language], read([...labelsOf(language)].map(({ source, path }) => ({ source, path })))];
  const { suffixes, parts } = CORPORA[language];
  return [suffixes[0], read(parts.flatMap((part) => pick(sourcesOf(part.source), part, suffixes).map((path) => ({ source: part.source, path }))))];
}

function* read(files) {
  for (const { source, path } of files) yield `${readFileSync(join(sourcesOf(source), path), 'utf8')}\n`;
}
