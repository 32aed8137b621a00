// Where the person's own files are, as the variables tell it. Creates nothing.

/**
 * The home folder; undefined where no variable tells it, or where it would land in the project. The command hooks ask the system as well
 * (node/home.mjs), which the module cannot.
 */
export function homeOf({ HOME, USERPROFILE }: { HOME: string | undefined; USERPROFILE: string | undefined }): string | undefined {
  const home = HOME || USERPROFILE || ''
  return /^([\\/]|[A-Za-z]:)/.test(home) ? home : undefined
}
