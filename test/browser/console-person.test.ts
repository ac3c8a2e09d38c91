import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser, type Browser } from '../support/browser.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, enter, openPage, seriousFaults } from '../support/console.ts'
import { openService, type TestService } from '../support/service.ts'
import { watchPage } from '../support/watch-page.ts'

let service: TestService
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await openService()
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  await enter(browser.context, service, null)
  page = await browser.context.newPage()
  await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada', Mobile: '0803 123 4567' } })
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

test("a person's data is exported and erased on the page of contacts", async () => {
  const watch = watchPage(page)
  await openPage(page, service, '/contacts')
  await page.getByRole('button', { name: "A person's data" }).click()
  await page.getByLabel('Phone number').fill('08031234567')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export stored data' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('person.json')
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.getByText(/^erased-[0-9a-f]{8}…$/).waitFor()
  await expect.poll(async () => (await service.db`select 1 from contact_rows`).length).toBe(0)
  expect(complaintsIn(watch)).toEqual([])
  const [entry] = await service.db<{ after: object }[]>`select after from audit_entries where action like '%people%'`
  expect(entry?.after).toEqual({ phone: '…' })
})
