// The version of this copy of trimtab, for `--version` and for the records. Never fails: an unreadable manifest is `unknown`.

import { readFileSync } from 'node:fs';

export function ownVersion() {
  for (const manifest of ['../package.json', '../.claude-plugin/plugin.json']) {
    try {
      const { version } = JSON.parse(readFileSync(new URL(manifest, import.meta.url), 'utf8'));
      if (typeof version === 'string') return version;
    } catch {
      // The other manifest may still say it.
    }
  }
  return 'unknown';
}
