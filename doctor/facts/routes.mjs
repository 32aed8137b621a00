// Which route would answer each action in a session that is started here, and why: the module, the command hooks, or nobody.
// A prediction from what can be read; starts nothing.

import { ACTIONS, BARE_VARIABLES, POLICY_MODULES } from '../data.mjs';

const ADMIN = 'ask who manages this machine';
const SEE_BELOW = { core: 'see what is said of the core', node: 'see what is said of node' };

/**
 * @param {import('../world.mjs').World} world
 * @returns {Promise<Route[]>} one for each action
 *
 * @typedef {{ code: string, text: string, next?: string }} Reason
 * @typedef {{ action: string, route: 'module' | 'hooks' | 'nobody' | 'unknown', reasons: Reason[] }} Route
 *   `reasons`: why nobody answers, or why not the module
 */
export async function findRoutes(world) {
  const client = await world.client();
  const registrations = await world.registrations();
  const stops = await stopsOf(world, client, registrations);
  const plugin = registrations.plugins.find(({ folder }) => folder !== null);
  const notModule = await reasonsAgainstModule(world, client, plugin);
  const notHooks = await reasonsAgainstHooks(world, plugin);

  return ACTIONS.map((action) => {
    const isHeld = plugin !== undefined || registrations.hooks.some(({ actions }) => actions.includes(action));
    const all = isHeld ? stops : [...stops, { code: 'not-registered', text: 'trimtab is not registered here', next: 'see what is said of install' }];
    if (all.length > 0) return { action, route: 'nobody', reasons: all };
    if (client.kind === null) return { action, route: 'unknown', reasons: [] };
    if (notModule.length === 0) return { action, route: 'module', reasons: [] };
    return notHooks.length > 0 ? { action, route: 'nobody', reasons: notHooks } : { action, route: 'hooks', reasons: notModule };
  });
}

/** What keeps both routes from running. */
async function stopsOf(world, client, { plugins }) {
  const settings = await world.settings();
  const variables = await world.variables();
  const stops = [];
  const hooks = variables.get('TRIMTAB_HOOKS');
  if (hooks?.value === 'off') stops.push({ code: 'hooks-off', text: `\`TRIMTAB_HOOKS\` is \`off\` in ${hooks.place}`, next: 'unset it there' });
  const disabled = settings.lastManaged('disableAllHooks');
  if (disabled?.value === true) stops.push(hooksDisabled(disabled, ADMIN));
  // Before 2.1.326, a client that starts bare leaves the organisation's plugins out as well (2.1.277, 2.1.287).
  const isHeld = ({ code }) => !plugins.some(({ isManaged }) => isManaged) || (code === 'client-bare' && client.kind !== 'wasm');
  return [...stops, ...(await limitsOf(world)).filter(isHeld)];
}

/** What leaves only the organisation's own on: hooks of a plugin that it enables, the module of one whose source it names as well. */
async function limitsOf(world) {
  const settings = await world.settings();
  const limits = [];
  for (const name of BARE_VARIABLES) {
    if (/^(1|true|yes|on)$/i.test(world.env[name] ?? ''))
      limits.push({ code: 'client-bare', text: `\`${name}\` is set in the environment`, next: 'unset it' });
  }
  const disabled = settings.last('disableAllHooks');
  if (disabled?.value === true && disabled.from !== 'managed') limits.push(hooksDisabled(disabled, 'take it out there'));
  const only = settings.lastManaged('allowManagedHooksOnly');
  if (only?.value === true) limits.push({ code: 'managed-hooks-only', text: `\`allowManagedHooksOnly\` is set in ${only.place}`, next: ADMIN });
  return limits;
}

function hooksDisabled({ place }, next) {
  return { code: 'hooks-disabled', text: `\`disableAllHooks\` is set in ${place}`, next };
}

async function reasonsAgainstModule(world, client, plugin) {
  if (plugin === undefined) return [{ code: 'no-plugin', text: 'only a hook in a settings file calls trimtab' }];
  const settings = await world.settings();
  const variables = await world.variables();
  const reasons = [];
  if (client.kind !== null && client.kind !== 'wasm')
    reasons.push({ code: 'client-without-wasm', text: `Claude Code ${client.version} has ${client.has}` });
  const noMod = variables.get('TRIMTAB_NO_MOD');
  if (noMod?.value === '1') reasons.push({ code: 'no-mod', text: `\`TRIMTAB_NO_MOD\` is \`1\` in ${noMod.place}` });
  if (!plugin.isSeated) {
    reasons.push(...(await limitsOf(world)));
    const policies = POLICY_MODULES.map((id) => settings.lastManaged('pluginConfigs', id, 'options', 'allowManagedModsOnly'));
    const policy = policies.find((found) => found !== undefined && found.value !== false);
    if (policy) reasons.push({ code: 'managed-modules-only', text: `managed settings (${policy.place}) allow only the organisation's modules` });
  }
  if (!(await world.core(plugin.folder)).servesModule)
    reasons.push({ code: 'core-broken', text: `the core in ${world.shown(plugin.folder)} does not serve the module` });
  return reasons;
}

async function reasonsAgainstHooks(world, plugin) {
  const reasons = [];
  if (!(await world.node()).isGood) reasons.push({ code: 'no-node', text: 'there is no Node for the command hooks', next: SEE_BELOW.node });
  const { servesHooks, folder } = await world.core(plugin?.folder ?? world.own);
  if (!servesHooks) reasons.push({ code: 'core-broken', text: `the core in ${world.shown(folder)} does not start`, next: SEE_BELOW.core });
  return reasons;
}
