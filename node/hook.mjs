// A command hook from its standard input to its standard output, for hooks/hook.mjs and `trimtab hook` alike.
// Takes the process over and always ends it with 0: prints the core's answer or nothing, and what goes wrong becomes a record.

import { printable } from './answers.mjs';
import { loadCore } from './core.mjs';
import { stepsAside } from './handshake.mjs';
import { trimtabHome } from './home.mjs';
import { createHost } from './host.mjs';

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
// Half of the time that hooks.json gives: the end is ours, with a record, and not the client's.
const MAX_MS = 5000;

// How often a hook of the event goes on reading, up to 5 MiB each time: a person waits for the first, nobody for the second.
const WEIGHT_CALLS = { UserPromptSubmit: 4, Stop: 20, PreCompact: 20, SessionStart: 4, SessionEnd: 1 };

/**
 * @param {{ event: string, client?: string, maxMs?: number }} hook
 * @returns {Promise<never>}
 */
export async function serveHook({ event, client = 'claude', maxMs = MAX_MS }) {
  const host = createHost({ route: 'hook', event });
  const giveUp = (code, detail) => {
    host.record(code, detail);
    process.exit(0);
  };
  process.on('uncaughtException', (error) => giveUp('crash', error?.name));
  setTimeout(giveUp, maxMs, 'timeout').unref();
  try {
    const answer = await answerOf({ event, client, host });
    if (answer !== null) await print(`${answer}\n`);
  } catch (error) {
    giveUp(error.code ?? 'crash', error.name);
  }
  process.exit(0);
}

async function answerOf({ event, client, host }) {
  if (process.env.TRIMTAB_HOOKS === 'off') return null;
  const payload = await readPayload(process.stdin);
  if (stepsAside(process.env, event, payload, trimtabHome())) return null;

  if (event in WEIGHT_CALLS) return weightAnswer({ event, payload, host });

  const { core, drive, fault } = await loadCore({ isOnce: true });
  if (fault) host.record(fault.code);
  const outcome = await drive(core, { do: 'hook', client, payload }, host.answer);
  const isSaved = host.carryOut(outcome.effects);
  if (outcome.answer === undefined) return null;
  // An economy rule speaks once and gives way when the call comes again. What cannot be remembered would be refused for ever.
  if (!isSaved && outcome.done.kind === 'economy') {
    host.record('state-not-saved', outcome.done.rule);
    return null;
  }
  const answer = printable(outcome.answer, event);
  if (answer === null) host.record('answer-not-printable', outcome.done.rule);
  return answer;
}

/** The events of a session as a whole are the weight pack's. */
async function weightAnswer({ event, payload, host }) {
  const { createWeight } = await import('./weight.mjs');
  const { cwd } = JSON.parse(payload);
  const place = async () => (await host.answer({ ask: 'place' }))?.root;
  const weight = createWeight({ home: trimtabHome(), root: place, cwd: cwd ?? null, env: process.env, record: host.record });
  const { answer } = await weight.ask({ do: 'hook', payload, now: Date.now() }, { calls: WEIGHT_CALLS[event] });
  return answer === undefined ? null : printable(answer, event);
}

async function readPayload(stream) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MAX_PAYLOAD_BYTES) throw Object.assign(new Error('payload too large'), { code: 'payload-too-large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

// A reader that has gone is no fault of ours. The callback may never come then, and the watchdog ends the wait.
function print(text) {
  return new Promise((resolve) => {
    process.stdout.on('error', resolve);
    process.stdout.write(text, resolve);
  });
}
