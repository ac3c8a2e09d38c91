import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium } from './browser.ts'

/** Sees to it that there is a Chromium, once and before any test, so that no test's time runs out over a download. */
export default function setup(): void {
  if (findChromium() !== undefined) return
  const as_package = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (as_package) run('apt-get', ['update']) // a fresh image has no package lists; a failure shows in the next line
  const done = as_package && run('apt-get', ['install', '-y', 'chromium'])
  if (!done || findChromium() === undefined) {
    const with_libraries = as_package ? ['--with-deps'] : []
    run('npx', ['playwright-core', 'install', ...with_libraries, 'chromium'])
  }
  if (findChromium() === undefined) {
    throw new Error('The browser tests need a Chromium and none could be installed. Name one in CHROMIUM_PATH.')
  }
}

function run(command: string, args: readonly string[]): boolean {
  process.stderr.write(`No Chromium found for the browser tests: running ${command} ${args.join(' ')}\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0
}
