// Answers what the core asks about a past call from what the transcript recorded (docs/wire.md names the asks).
// Never looks at the disk: the files of today are not those of then. What the record does not tell is null, "could not tell".

import { posix } from 'node:path';
import { declarationsOf, scriptOf } from '../glue/pack.js';
import { packOf } from '../node/packs.mjs';
import { standsAlone } from './alone.mjs';
import { isShell } from './recorded.mjs';

/** Files that one session is remembered to have seen. */
const MAX_FILES = 5_000;

/**
 * @typedef {{ tool: string, input: object, cwd: string | null, recorded: import('./recorded.mjs').Recorded }} PastCall
 */

/** What one transcript tells of files, so far. */
export function createFacts() {
  /** Size by path, only where the whole file was seen. */
  const files = new Map();

  return {
    /**
     * @param {PastCall} call
     * @param {{ root: string, memory: string | null, intents: () => object[] }} world `memory`: of the session; `intents`: what the core reads in the command
     * @returns {(ask: object) => object | null}
     */
    answerer(call, { root, memory, intents }) {
      const cwd = call.cwd ?? root;
      const ownFile = (path) => {
        const { recorded } = call;
        if (call.tool === 'Read') return isSame(path, call.input.file_path, cwd) ? recorded.file : null;
        return recorded.output && standsAlone(call.input.command) ? printedFile(recorded.output, intents(), path, cwd) : null;
      };
      // A command that printed less than the file was before has changed it, or another one had.
      const isOutdated = (path, size) => {
        const { output } = call.recorded;
        const isPrinted = ({ kind, path: read, whole, piped, writes }) => kind === 'read' && whole && !piped && !writes && isSame(path, read, cwd);
        return isShell(call.tool) && output?.isWhole && output.bytes < size.bytes - 1 && intents().some(isPrinted);
      };
      const contentOf = (path) => (call.tool === 'Read' && isSame(placed(path, cwd), call.input.file_path, cwd) ? call.recorded.content : null);
      const sizeOf = (path) => {
        const known = ownFile(path) ?? files.get(path) ?? null;
        return known && isOutdated(path, known) ? null : known;
      };

      const answers = {
        __proto__: null,
        place: () => ({ cwd: slashed(cwd), root: slashed(root) }),
        config: () => ({ layers: [] }),
        state: () => ({ state: memory }),
        stat: (ask) => {
          const path = placed(ask.path, cwd);
          const size = sizeOf(path);
          if (size) return { kind: 'file', bytes: size.bytes, real: path };
          return isFolder(path, cwd, root, call.recorded.head) ? { kind: 'dir', bytes: 0, real: path } : null;
        },
        lines: (ask) => {
          const size = sizeOf(placed(ask.path, cwd));
          return size && { lines: size.lines };
        },
        declarations: async ({ path, text, language, names }) => {
          const content = text ?? contentOf(path);
          const declarations = content !== null && declarationsOf(await packOf(language), content, names);
          return declarations ? { bytes: Buffer.byteLength(content), mtime: 0, declarations } : null;
        },
        // Named as a session would, and written nowhere.
        keep: ({ name }) => ({ path: `/tmp/trimtab-results/${name}` }),
        script: async (ask) => scriptOf(await packOf(ask.language), ask.text),
        measure: (ask) => {
          const { output } = call.recorded;
          if (!output || !standsAlone(call.input.command) || intents().length !== 1) return null;
          const isComplete = output.isWhole && output.characters < ask.chars;
          return { chars: Math.min(output.characters, ask.chars), lines: output.lines, complete: isComplete, exit: 0 };
        },
      };
      return (ask) => answers[ask.ask]?.(ask) ?? null;
    },

    /**
     * Remembers what a call's result tells of its file, for the calls after it.
     * @param {PastCall} call
     * @param {unknown} extra the copy for the person's screen
     */
    learn({ tool, input, cwd, recorded }, extra) {
      if (recorded.isError || typeof input.file_path !== 'string') return;
      const path = placed(input.file_path, cwd ?? '/');
      if (tool === 'Read' && recorded.file?.isWhole) remember(path, recorded.file);
      else if (tool === 'Write' && typeof input.content === 'string') remember(path, sizeOfText(input.content));
      else if (tool === 'Edit') {
        const after = edited(extra?.originalFile, input);
        if (after === null) files.delete(path);
        else remember(path, sizeOfText(after));
      } else if (tool !== 'Read') files.delete(path);
    },
  };

  function remember(path, size) {
    files.delete(path);
    files.set(path, size);
    if (files.size > MAX_FILES) files.delete(files.keys().next().value);
  }

  /** Whether something tells that a path is a folder: it holds the session, a file that was seen, or a file named in the output. */
  function isFolder(path, cwd, root, head) {
    const below = path === '/' ? '/' : `${path}/`;
    if ([cwd, root].some((place) => slashed(place) === path || slashed(place).startsWith(below))) return true;
    for (const file of files.keys()) if (file.startsWith(below)) return true;
    // The output names files as the command named the folder, which is the path or an end of it.
    const lines = head.split('\n');
    for (let end = below; end !== ''; end = end.slice(end.indexOf('/') + 1)) {
      if (end !== '/' && lines.some((line) => line.startsWith(end) || line.startsWith(`./${end}`))) return true;
    }
    return false;
  }
}

/** The size of the file at `path`, where all that the command printed is that file. */
function printedFile(output, intents, path, cwd) {
  const [intent] = intents;
  if (intents.length !== 1 || intent.kind !== 'read' || intent.piped || intent.writes || !isSame(path, intent.path, cwd)) return null;
  if (intent.whole) return output;
  // A bound that was not reached bounded nothing.
  const isAll = output.isWhole && intent.from === 1 && intent.to !== null && output.lines < intent.to;
  return isAll ? output : null;
}

function edited(before, { old_string: old, new_string: now, replace_all: isEverywhere }) {
  if (typeof before !== 'string' || typeof old !== 'string' || typeof now !== 'string' || old === '') return null;
  return isEverywhere === true ? before.split(old).join(now) : before.replace(old, () => now);
}

function sizeOfText(text) {
  return { bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1, isWhole: true };
}

function isSame(path, written, cwd) {
  return typeof written === 'string' && placed(written, cwd) === path;
}

function placed(path, cwd) {
  const slashes = slashed(path);
  const isAbsolute = slashes.startsWith('/') || slashes.startsWith('~') || /^[a-z]:\//i.test(slashes);
  const whole = posix.normalize(isAbsolute ? slashes : `${slashed(cwd)}/${slashes}`);
  return whole.length > 1 ? whole.replace(/\/$/, '') : whole;
}

function slashed(path) {
  return path.replaceAll('\\', '/');
}
