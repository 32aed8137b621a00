// A language pack: a wasm of its own that reads the texts of one language, as every host loads it at the first such text.
// Names nothing that only one host has. Never throws for a text: what it cannot do is `null`, "could not tell".

/**
 * @typedef {{ initSync(init: { module: WebAssembly.Module }): unknown, script(text: string): string, __wbg_reset_state?(): void }} PackBindings
 * @typedef {ReturnType<typeof createPack>} Pack
 */

/**
 * @param {WebAssembly.Module} module the compiled pack
 * @param {PackBindings} bindings the glue that was built with it
 */
export function createPack(module, bindings) {
  bindings.initSync({ module });
  return {
    /**
     * The fact for a `script` ask.
     * @param {string} text
     * @returns {{ script: object } | null}
     */
    read(text) {
      try {
        return { script: JSON.parse(bindings.script(text)) };
      } catch {
        // A trap leaves the memory in the middle of something, so the instance is not called again.
        try {
          bindings.__wbg_reset_state();
        } catch {
          // Then every later text fails above.
        }
        return null;
      }
    },
  };
}
