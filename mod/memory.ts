// Keeps what the core wants to know again at the next call of a session, where whoever judges next finds it: a new instance in this realm,
// and, on the disk, a new worker, the next client that takes the session up, and the command hooks, whose files these are
// (node/sessions.mjs). What is not written there, the client holds until the session ends.
// Does not look into the text and never holds up a verdict: read once for a session and an instance, written beside the call.

import { isMissing } from './failure'
import type { Host } from './host'

/** Where a memory was put that is to outlive this realm: nowhere, if none of the others took it. */
export type Place = 'disk' | 'client' | 'nowhere'

const MAX_SESSIONS = 8
// The core keeps a memory under this; the client refuses to read more than 4 MiB at once.
const MAX_BYTES = 1_048_576

// As the Node host writes it, but without its lock: while the module judges, no command hook does. A session's first save clears away
// what is older than seven days.
const WRITE_STATE = [
  'umask 077',
  'folder=${1%/*}',
  'mkdir -p "$folder" || exit 1',
  `[ -e "$1" ] || find "$folder/." ! -name . -prune -type f -mtime +6 \\( -name '*.json' -o -name '*.tmp' -o -name '*.gone' \\) -exec rm -f {} + 2>/dev/null`,
  'cat >"$1.$$.tmp" && mv -f "$1.$$.tmp" "$1" && exit 0',
  'rm -f "$1.$$.tmp"',
  'exit 1',
].join('\n')

// Outside the wasm instance, so that one which replaces a trapped one remembers what the session was told.
const near = new Map<string, string>()
// Saves go one after the other, so that an older one never lands on a newer one.
let writing: Promise<unknown> = Promise.resolve()

/** The fact for a `state` ask: what was last saved, or nothing yet; null where that cannot be told. */
export async function recall(host: Host, session: string): Promise<{ state: string | null } | null> {
  // An empty text is what the disk has.
  const known = near.get(session) || (await host.held(session).catch(() => undefined))
  if (known) return { state: known }
  const path = pathOf(host, session)
  if (path === undefined) return { state: null }
  try {
    return { state: await host.read(path, 0, MAX_BYTES) }
  } catch (error) {
    return isMissing(error) ? { state: null } : null
  }
}

/** Keeps a text for the next `recall`, at once in this realm and in its turn beyond it. Never rejects. */
export function remember(host: Host, session: string, state: string): Promise<Place> {
  near.delete(session)
  near.set(session, state)
  for (const oldest of near.keys()) {
    if (near.size <= MAX_SESSIONS) break
    near.delete(oldest)
  }
  const place = writing.then(() => keep(host, session, state))
  writing = place
  return place
}

async function keep(host: Host, session: string, state: string): Promise<Place> {
  // Both at once: a worker may die while the file is being written.
  const isHeld = succeeds(host.hold(session, state))
  if (!(await isWritten(host, session, state))) return (await isHeld) ? 'client' : 'nowhere'
  await isHeld
  await succeeds(host.hold(session, ''))
  return 'disk'
}

async function isWritten(host: Host, session: string, state: string): Promise<boolean> {
  const path = pathOf(host, session)
  if (path === undefined) return false
  try {
    return (await host.run(['sh', '-c', WRITE_STATE, 'sh', path], state)).exitCode === 0
  } catch {
    // No `sh` here, or no process may be started. The client writes in place, and creates for the person alone (0700, 0600; 2.1.332).
    return succeeds(host.write(path, state))
  }
}

function succeeds(done: Promise<unknown>): Promise<boolean> {
  return done.then(
    () => true,
    () => false,
  )
}

/** The file that the command hooks keep for the same session. They give an id that is no plain one a name of another kind; no client has such. */
function pathOf(host: Host, session: string): string | undefined {
  return host.home !== undefined && /^[0-9a-z-]{8,64}$/.test(session) ? `${host.home}/.trimtab/sessions/${session}.json` : undefined
}
