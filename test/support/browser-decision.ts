/** The state of a machine, and the actions available on it. */
export type Machine = { find: () => string | undefined; install: () => void; ci: boolean }

/**
 * Whether the browser tests run: if there is a Chromium, or one can be installed. Locally they are skipped without one,
 * with a note at the end of the run; in CI that is an error.
 */
export function decideBrowser({ find, install, ci }: Machine): boolean {
  if (find() !== undefined) return true
  install()
  if (find() !== undefined) return true
  if (!ci) return false
  throw new Error('The browser tests need a Chromium and none could be installed. Name one in CHROMIUM_PATH.')
}
