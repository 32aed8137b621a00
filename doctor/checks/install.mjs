// Whether trimtab is registered with the client, from where and in which version, and whether more than once.

import { ownVersion } from '../../node/version.mjs';
import { listed, note, ok, problem } from '../finding.mjs';

const INSTALL =
  '`claude plugin install trimtab@trimtab` (after `claude plugin marketplace add`); a session with `--plugin-dir` cannot be seen from here';

/** @type {import('../finding.mjs').Check} */
export async function check(world) {
  const { plugins, idle, hooks } = await world.registrations();
  const here = plugins.filter(({ folder }) => folder !== null);
  const findings = [];
  for (const { id, place } of plugins.filter(({ folder }) => folder === null)) {
    findings.push(
      problem('plugin-missing', `\`${id}\` is enabled in ${place} and is not there`, `install it again: \`claude plugin install ${id}\``),
    );
  }
  const places = [...here.map((plugin) => described(world, plugin)), ...hooks.map(({ place, event }) => `a hook for ${event} in ${place}`)];
  if (places.length > 1 && (here.length !== 0 || new Set(hooks.map(({ place }) => place)).size > 1)) {
    const which = here.length > 1 ? ' (the client runs only one plugin of a name)' : '';
    findings.push(problem('registered-twice', `trimtab is registered ${places.length} times${which}: ${listed(places)}`, remedy(here, hooks)));
  } else if (places.length > 0) {
    findings.push(ok('registered', `trimtab is registered as ${listed(places)}`));
  } else if (idle.length > 0) {
    for (const { id, place } of idle) {
      findings.push(
        problem('plugin-disabled', `\`${id}\` is installed and not enabled${place ? ` (${place})` : ''}`, `\`claude plugin enable ${id}\``),
      );
    }
  } else if (findings.length === 0) {
    findings.push(problem('not-installed', 'trimtab is no plugin and no hook of this client', INSTALL));
  }
  for (const { id, version } of here) {
    if (version !== ownVersion())
      findings.push(
        note('other-version', `this doctor is of ${ownVersion()}, \`${id}\` of ${version ?? 'an unknown version'}`, `\`claude plugin update ${id}\``),
      );
  }
  return findings;
}

function described(world, { id, version, folder, place }) {
  return `\`${id}\` ${version ?? 'of an unknown version'} from ${world.shown(folder)} (enabled in ${place})`;
}

/** The plugin is what stays, because it brings the module. */
function remedy(plugins, hooks) {
  const [kept, ...others] = plugins;
  const ids = [...new Set(others.map(({ id }) => id))].filter((id) => id !== kept.id);
  const steps = [
    ...ids.map((id) => `\`claude plugin disable ${id}\``),
    ...(others.some(({ id }) => id === kept?.id) ? [`\`claude plugin uninstall ${kept.id}\` in the scope that is not wanted`] : []),
    ...(hooks.length > 0 ? [`take the hooks out of ${listed([...new Set((kept ? hooks : hooks.slice(1)).map(({ place }) => place))])}`] : []),
  ];
  return `keep one: ${listed(steps)}`;
}
