import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openBrowser, type Browser } from './browser.ts'
import { complaintsIn, enter, openPage, seriousFaults } from './console.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'
import { watchPage, type Watch } from './watch-page.ts'

/** A user of the console: a service for the whole file, a new profile and page for each test. */
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
  let page: Page | undefined
  let watch: Watch | undefined
  beforeAll(async () => {
    service = await openService(typeof options === 'function' ? await options() : options)
  })
  afterAll(() => service?.close())
  beforeEach(async () => {
    browser = await openBrowser({ viewport: { width: 1440, height: 900 }, ...look })
    page = await browser.context.newPage()
    watch = watchPage(page)
  })
  afterEach(() => browser?.close())
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
      return there(browser).context
    },
    get page() {
      return there(page)
    },
    get watch() {
      return there(watch)
    },
    open,
    async sit(organisation_id, path) {
      await enter(there(browser).context, there(service), organisation_id)
      await open(path)
    },
    async calm() {
      expect(await seriousFaults(there(page))).toEqual([])
      expect(complaintsIn(there(watch))).toEqual([])
    },
  }
}
