// The npm packages of package-lock.json, into node_modules of the repository.
// Never changes package.json or the lock file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from './prefix.mjs';
import { SetupError, stream } from './run.mjs';

function packagesIn(file) {
  if (!existsSync(file)) return null;
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(packages).filter(([path, one]) => path !== '' && !one.optional).map(([path, one]) => `${path}@${one.version}`);
}

export const modulesPart = {
  name: 'modules',
  title: 'the npm packages for building and testing',
  found() {
    // npm writes the inner lock file last, and it lists what is really there.
    const there = packagesIn(join(REPO, 'node_modules/.package-lock.json'));
    const isWhole = there && packagesIn(join(REPO, 'package-lock.json')).every((one) => there.includes(one));
    return isWhole ? join(REPO, 'node_modules') : null;
  },
  plan: () => ({ what: 'npm ci (binaryen, which has wasm-opt, and TypeScript: 135 MB on disk)', where: join(REPO, 'node_modules') }),
  async install() {
    const { status } = await stream('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: REPO, timeoutMs: 10 * 60_000 });
    if (status !== 0) throw new SetupError('npm ci failed', 'see the error above; `npm config get registry` names the registry that was asked');
  },
};
