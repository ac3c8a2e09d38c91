import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { findChromium, FLAGS } from './browser.ts'
import { complaintsIn, enter, openPage, seriousFaults } from './console.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'
import { watchPage, type Watch } from './watch-page.ts'

/** A user of the console: a service and a browser for the whole file, a new profile and page for each test. */
export type Desk = {
  readonly service: TestService
  readonly context: BrowserContext
  readonly page: Page
  readonly watch: Watch
  /** Signs in as a user of this organisation (null: an operator) and opens a page. */
  sit: (organisation_id: string | null, path: string) => Promise<void>
  open: (path: string) => Promise<void>
  /** No serious accessibility violation, and no errors in the browser's console. */
  calm: () => Promise<void>
}

export function desk(
  options: TestServiceOptions | (() => Promise<TestServiceOptions>) = {},
  look: BrowserContextOptions = {},
): Desk {
  let service: TestService | undefined
  let browser: Browser | undefined
  let context: BrowserContext | undefined
  let page: Page | undefined
  let watch: Watch | undefined
  beforeAll(async () => {
    service = await openService(typeof options === 'function' ? await options() : options)
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })
  beforeEach(async () => {
    context = await browser?.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...look,
    })
    page = await context?.newPage()
    watch = page && watchPage(page)
  })
  afterEach(() => context?.close())
  const there = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('The test has not begun, or there is no browser.')
    return thing
  }
  const open = (path: string) => openPage(there(page), there(service), path)
  return {
    get service() {
      return there(service)
    },
    get context() {
      return there(context)
    },
    get page() {
      return there(page)
    },
    get watch() {
      return there(watch)
    },
    open,
    async sit(organisation_id, path) {
      await enter(there(context), there(service), organisation_id)
      await open(path)
    },
    async calm() {
      expect(await seriousFaults(there(page))).toEqual([])
      expect(complaintsIn(there(watch))).toEqual([])
    },
  }
}

/** Undefined without a browser: then the tests that need it are skipped, and the end of the run says so. */
async function openChromium(): Promise<Browser | undefined> {
  const path = findChromium()
  return path === undefined ? undefined : chromium.launch({ executablePath: path, args: FLAGS })
}
