// What the client's failures say of the file system. Knows their wording, and nothing else.

/** True where the path leads nowhere, as opposed to one that cannot be looked at. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The system's code at the end of a failure's text, behind whatever the path says. */
export function codeOf(error: unknown): string {
  return /^.* failed: (E[A-Z0-9]+)/s.exec(String(error))?.[1] ?? 'EIO'
}
