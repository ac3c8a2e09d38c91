import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser as Chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core'

/**
 * `--no-sandbox` because tests often run as root; the other options keep the browser from making requests of its own.
 */
export const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
/** The first is the same engine without a user interface: the browser tests take two fifths less processor time with it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

export type Browser = { context: BrowserContext; close(): Promise<void> }

let launched: Promise<Chromium> | undefined

/**
 * A new profile, for `browserTest`s. The files of a worker share one Chromium, because starting another takes a second of
 * processor time; it ends with the process.
 */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<Browser> {
  launched ??= launch()
  const context = await (await launched).newContext({ reducedMotion: 'reduce', ...options })
  return { context, close: () => context.close() }
}

function launch(): Promise<Chromium> {
  const path = findChromium()
  if (path === undefined) throw new Error('There is no Chromium. Install one, or name it in CHROMIUM_PATH.')
  return chromium.launch({ executablePath: path, args: FLAGS })
}

/** The one named in CHROMIUM_PATH, one on the PATH, or the one Playwright has fetched. */
export function findChromium(env = process.env, fetched = chromium.executablePath()): string | undefined {
  const named = env.CHROMIUM_PATH
  if (named) return named
  const folders = (env.PATH ?? '').split(delimiter)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, fetched].find((path) => existsSync(path) && runs(path))
}

/** On some systems the command exists, but only prints how to install the browser. */
function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
