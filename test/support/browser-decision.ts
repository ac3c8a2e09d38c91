/** What can be found out about a machine, and done about it. */
export type Machine = { find: () => string | undefined; install: () => void; ci: boolean }

/**
 * Whether the browser tests run: where there is a Chromium, or one can be installed. A person without one still gets
 * everything else, and is told what was left out; a machine that decides about a change must not leave anything out.
 */
export function decideBrowser({ find, install, ci }: Machine): boolean {
  if (find() !== undefined) return true
  install()
  if (find() !== undefined) return true
  if (!ci) return false
  throw new Error('The browser tests need a Chromium and none could be installed. Name one in CHROMIUM_PATH.')
}
