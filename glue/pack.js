// A pack: a wasm of its own that answers bytes with bytes (packs/abi), as every host loads it when it is first needed.
// Names nothing that only one host has. Never throws for a request: what the pack cannot do is `null`, "could not tell".

// What one large file took is given back with the instance: the memory of a wasm only ever grows.
const MAX_IDLE_BYTES = 64 * 1024 * 1024;
// These would lose what they are in the middle of; the others know nothing of a request once it is answered.
const HOLD_STATE = ['answers', 'weight'];
const NOTHING = new Uint8Array();

/** @typedef {ReturnType<typeof createPack>} Pack */

/** Where a pack lies below `pkg/`, packed as zlib data. Throws for what is no name, which may come from a file's ending. */
export function packPath(name) {
  if (!/^[a-z]+$/.test(name)) throw new Error(`no pack is named \`${name}\``);
  return `packs/${name}.wasm.zlib`;
}

/**
 * Starts a pack.
 * @param {WebAssembly.Module} module the compiled pack
 * @param {string} [name] of the pack
 */
export function createPack(module, name) {
  let exports = new WebAssembly.Instance(module).exports;

  /**
   * One request, one answer; `null` where the pack trapped.
   * @param {Uint8Array} request
   * @param {Uint8Array} [behind] what stands directly behind it
   * @returns {Uint8Array | null}
   */
  function run(request, behind = NOTHING) {
    try {
      exports ??= new WebAssembly.Instance(module).exports;
      const length = request.length + behind.length;
      const address = exports.take(length) >>> 0;
      const place = new Uint8Array(exports.memory.buffer, address, length);
      place.set(request);
      place.set(behind, request.length);
      const answer = exports.run() >>> 0;
      const { buffer } = exports.memory;
      const bytes = new Uint8Array(buffer, answer, new DataView(buffer).getUint32(answer - 4, true)).slice();
      if (buffer.byteLength > MAX_IDLE_BYTES && !HOLD_STATE.includes(name)) exports = null;
      return bytes;
    } catch {
      // A trap leaves the memory in the middle of something, so the instance is not called again.
      exports = null;
      return null;
    }
  }

  return {
    run,

    /**
     * The answer to a text, which is JSON; `null` where there is none.
     * @param {string} text
     * @param {Uint8Array} [behind] more of it, as UTF-8
     * @returns {any}
     */
    read(text, behind) {
      try {
        return JSON.parse(new TextDecoder().decode(run(new TextEncoder().encode(text), behind)));
      } catch {
        return null;
      }
    },
  };
}

/**
 * The fact for a `script` ask.
 * @param {Pack} pack
 * @param {string} text
 * @returns {{ script: object } | null}
 */
export function scriptOf(pack, text) {
  const script = pack.read(text);
  return script && { script };
}

/**
 * The declarations of a source text, and where `names` occur in it; `null` where it cannot be told.
 * @param {Pack} pack of the text's language
 * @param {string} text
 * @param {string[]} [names]
 * @returns {any}
 */
export function declarationsOf(pack, text, names = []) {
  return pack.read(`${JSON.stringify({ names })}\n${text}`);
}
