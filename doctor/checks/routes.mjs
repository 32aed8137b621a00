// Which route answers what, and why; a problem where nobody does.

import { listed, note, ok, problem } from '../finding.mjs';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const findings = [];
  for (const { route, reasons, actions } of grouped(await world.routes())) {
    const what = listed(actions.map((action) => `\`${action}\``));
    const why = listed(reasons.map(({ text }) => text));
    if (route === 'module') findings.push(ok('route-module', `the module answers ${what}`));
    else if (route === 'hooks') findings.push(ok('route-hooks', `the command hooks answer ${what}: ${why}`));
    else if (route === 'unknown') findings.push(note('route-unknown', `who answers ${what} cannot be told without a client`));
    else for (const { code, text, next } of reasons) findings.push(problem(code, `nobody answers ${what}: ${text}`, next));
  }
  return findings;
}

/** Actions that go the same way for the same reasons are told together. */
function grouped(routes) {
  const groups = new Map();
  for (const { action, route, reasons } of routes) {
    const key = [route, ...reasons.map(({ code }) => code)].join();
    if (!groups.has(key)) groups.set(key, { route, reasons, actions: [] });
    groups.get(key).actions.push(action);
  }
  return groups.values();
}
