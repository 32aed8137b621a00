// The real clients that the session tests run: one of each kind, side by side in the prefix.
// Never touches a client that the person uses, and runs no install script: the program lies in the package as it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureClient, platformName } from '../../lab/client.mjs';
import { prefix } from './prefix.mjs';
import { SetupError } from './run.mjs';

// With mods and wasm (from 2.1.326 on), with mods but without wasm (from 2.1.287 on), and without mods.
export const CLIENT_VERSIONS = ['2.1.332', '2.1.287', '2.1.277'];
// What npm fetched for the three on linux-x64.
const PACKED_BYTES = [186_000_000, 109_000_000, 104_000_000];

const folder = (version) => join(prefix(), 'clients', version);

/** Where the program of a version is or would be. */
export function clientProgram(version) {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return join(folder(version), 'node_modules/@anthropic-ai', `claude-code-${platformName()}`, name);
}

function isMissing(version) {
  try {
    return !existsSync(clientProgram(version));
  } catch {
    // There is no client for this platform; installing says so.
    return true;
  }
}

export const clientsPart = {
  name: 'clients',
  title: `Claude Code ${CLIENT_VERSIONS.join(', ')} for the session tests`,
  found: () => (CLIENT_VERSIONS.some(isMissing) ? null : join(prefix(), 'clients')),
  plan() {
    const bytes = CLIENT_VERSIONS.reduce((sum, version, i) => sum + (isMissing(version) ? PACKED_BYTES[i] : 0), 0);
    return { what: `npm install of the official packages of ${CLIENT_VERSIONS.filter(isMissing).join(', ')}`, bytes, where: join(prefix(), 'clients') };
  },
  async install() {
    try {
      for (const version of CLIENT_VERSIONS) await ensureClient(version, { cache: prefix(), log: (line) => console.log(`  ${line}`) });
    } catch (error) {
      throw new SetupError(error.message, 'or leave these tests out: `npm test -- --quick js`');
    }
  },
};
