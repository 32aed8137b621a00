// The TRIMTAB_* variables as a session would have them: those of this shell, and over them those that settings files set.

import { isObject } from './settings.mjs';

/**
 * @param {import('../world.mjs').World} world
 * @returns {Promise<Map<string, { value: string, place: string, isInherited: boolean }>>} by name; an empty value is none
 */
export async function findVariables(world) {
  const { every } = await world.settings();
  const found = new Map();
  const set = (name, value, place, isInherited) => {
    if (!/^TRIMTAB_[A-Z_]+$/.test(name) || value === undefined) return;
    if (value === '') found.delete(name);
    else found.set(name, { value: String(value), place, isInherited });
  };
  for (const [name, value] of Object.entries(world.env)) set(name, value, 'the environment', true);
  // The client lays them over what it was started with (2.1.332).
  for (const { value, place } of every('env')) if (isObject(value)) for (const [name, text] of Object.entries(value)) set(name, text, place, false);
  return found;
}
