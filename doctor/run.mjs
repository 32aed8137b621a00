// Runs every check and puts the findings in order: problems first. A check that fails itself is a finding too.

import { check as client } from './checks/client.mjs';
import { check as config } from './checks/config.mjs';
import { check as core } from './checks/core.mjs';
import { check as environment } from './checks/environment.mjs';
import { check as home } from './checks/home.mjs';
import { check as install } from './checks/install.mjs';
import { check as node } from './checks/node.mjs';
import { check as records } from './checks/records.mjs';
import { check as routes } from './checks/routes.mjs';
import { check as settings } from './checks/settings.mjs';
import { problem } from './finding.mjs';

/** In the order of the report. */
export const CHECKS = { client, routes, install, settings, environment, node, core, config, home, records };
const ORDER = ['problem', 'note', 'ok'];

/**
 * @param {import('./world.mjs').World} world
 * @returns {Promise<(import('./finding.mjs').Finding & { check: string })[]>}
 */
export async function runChecks(world, checks = CHECKS) {
  const findings = [];
  for (const [name, check] of Object.entries(checks)) {
    const found = await check(world).catch((error) => [
      problem('check-failed', `this check failed itself (\`${error?.code ?? error?.name}\`)`, 'report it, with the version of Node and the system'),
    ]);
    findings.push(...found.map((finding) => ({ check: name, ...finding })));
  }
  return findings.sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
}
