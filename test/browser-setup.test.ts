import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { decideBrowser } from './support/browser-decision.ts'
import { findChromium } from './support/browser.ts'
import { temporaryFolder } from './support/folder.ts'
import { leftOutText } from './support/left-out.ts'

/** A machine whose commands are those of one folder, which has none. */
async function bare() {
  const folder = await temporaryFolder()
  const env = { PATH: folder.path }
  return { find: () => findChromium(env, join(folder.path, 'never-fetched')), folder }
}

test('without a Chromium, and without the means to install one, the browser tests are left out', async () => {
  const { find, folder } = await bare()
  const install = vi.fn()
  expect(find()).toBeUndefined()
  expect(decideBrowser({ find, install, ci: false })).toBe(false)
  expect(install).toHaveBeenCalledTimes(1)
  await folder.remove()
})

test('a machine that decides about changes fails instead', async () => {
  const { find, folder } = await bare()
  expect(() => decideBrowser({ find, install: () => {}, ci: true })).toThrow('CHROMIUM_PATH')
  await folder.remove()
})

test('with a Chromium they run, and nothing is installed', () => {
  const install = vi.fn()
  const find = () => findChromium({ CHROMIUM_PATH: '/somewhere/chromium' })
  expect(decideBrowser({ find, install, ci: true })).toBe(true)
  expect(install).not.toHaveBeenCalled()
})

test('one that can be installed is used', () => {
  let installed: string | undefined
  const machine = { find: () => installed, install: () => void (installed = '/usr/bin/chromium'), ci: false }
  expect(decideBrowser(machine)).toBe(true)
})

test('skipped tests are listed with their number', () => {
  expect(leftOutText([])).toBeUndefined()
  const text = leftOutText([
    { file: 'test/browser/a.test.ts', tests: 3 },
    { file: 'test/browser/b.test.ts', tests: 4 },
  ])
  expect(text).toContain('7 tests in 2 files were skipped')
  expect(text).toContain('test/browser/a.test.ts (3 tests)')
})

test('every test that opens a browser can be left out', () => {
  const files = readdirSync(new URL('browser/', import.meta.url))
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const text = readFileSync(new URL(`browser/${file}`, import.meta.url), 'utf8')
    expect([file, /import \{[^}]*\btest\b[^}]*\} from 'vitest'/.test(text)]).toEqual([file, false])
  }
})
