import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { decideBrowser } from './browser-decision.ts'
import { findChromium } from './browser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether tests that need a browser can be run. */
    has_browser: boolean
  }
}

/** Installs a Chromium if necessary, once and before any test, so that no test times out during the download. */
export default function setup(project: TestProject): void {
  project.provide('has_browser', decideBrowser({ find: findChromium, install, ci: process.env.CI === 'true' }))
}

function install(): void {
  const as_package = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (as_package) run('apt-get', ['update']) // A new image has no package lists; a failure shows in the next line.
  const done =
    as_package && ['chromium-headless-shell', 'chromium'].some((name) => run('apt-get', ['install', '-y', name]))
  if (!done || findChromium() === undefined) {
    const with_libraries = as_package ? ['--with-deps'] : []
    run('npx', ['playwright-core', 'install', ...with_libraries, 'chromium'])
  }
}

function run(command: string, args: readonly string[]): boolean {
  process.stderr.write(`No Chromium found for the browser tests: running ${command} ${args.join(' ')}\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0
}
