import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { scale } from '../faults/scale.ts'
import { openBrowser, type Browser } from '../support/browser.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { reached, type Campaign } from '../support/campaign.ts'
import { enter, openPage, seriousFaults } from '../support/console.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PEOPLE = scale(2_000, 10_000)
/** A few slices, so that there are always some left when it is paused. */
const PEOPLE_PER_HOUR = '180000'
const CREDIT = 100_000
const PRICE = 4

let service: TestService
let browser: Browser
let page: Page

beforeAll(async () => {
  // Slow enough that somebody can pause it.
  const routes = [{ name: 'all', channel: 'sms', prefix: '', carrier: 'simulator', rate_per_s: scale(30, 500) }]
  service = await openService({ credit: CREDIT, settings: { routes, ...CARRIERS } })
})
afterAll(() => service?.close())
beforeEach(async () => {
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  page = await browser.context.newPage()
  await enter(browser.context, service, service.id)
})
afterEach(() => browser?.close())

const CARRIERS = { carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }] }
const button = (name: string) => page.getByRole('button', { name, exact: true })
const status = (name: string) => page.locator('.lead .badge', { hasText: name }).waitFor()
const idOnPage = () => page.url().split('/').at(-1) ?? ''
const figure = (name: string) => page.locator('.figure', { hasText: name })

test('a file is uploaded, checked, confirmed, paused, resumed and canceled, and the ledger is exact', async () => {
  await openPage(page, service, 'campaigns')
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  await button('A file or numbers').click()
  const lines = Array.from({ length: PEOPLE }, (_, n) => `0803${String(n).padStart(7, '0')},Ada ${n}`)
  const csv = ['Mobile,Name', ...lines, 'nonsense,Nobody', `${lines[0]}`].join('\n')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByLabel('Text', { exact: true }).fill('Good morning {{Name}}')
  await page.getByLabel('Name of the campaign').fill('Morning')
  await page.getByLabel('People an hour').fill(PEOPLE_PER_HOUR)
  await button('Check recipients and cost').click()
  await status('estimated')
  const cost = PRICE * PEOPLE
  await figure('People').getByText(PEOPLE.toLocaleString('en'), { exact: true }).waitFor()
  await page.getByText('Not a phone number').waitFor()
  await page.getByText('Same number twice').waitFor()
  await page.getByText('Good morning Ada 0', { exact: true }).waitFor()
  expect(await seriousFaults(page)).toEqual([])

  await button('Send…').click()
  const money = cost.toLocaleString('en-GB', { minimumFractionDigits: 2 })
  const question = `Send to ${PEOPLE.toLocaleString('en')} people for ₦${money}?`
  await page.getByRole('heading', { name: question }).waitFor()
  await button('Send it').click()
  await status('running')
  const id = idOnPage()
  await button('Pause').click()
  await status('paused')
  const paused = await service.call<Campaign>('GET', `/campaigns/${id}`)
  await button('Resume').click()
  await until('more to be sent', async () => {
    const { body } = await service.call<Campaign>('GET', `/campaigns/${id}`)
    return body.progress.accepted > paused.body.progress.accepted
  })
  await button('Cancel the campaign').click()
  await page.locator('dialog').getByRole('button', { name: 'Cancel the campaign' }).click()
  await status('canceled')

  const over = await until(
    'everything to come to its end',
    async () => {
      const { body } = await service.call<Campaign>('GET', `/campaigns/${id}`)
      const { canceled = 0, delivered = 0 } = body.outcomes ?? {}
      return canceled === body.progress.taken_back && canceled + delivered === body.progress.accepted && body
    },
    60_000,
  )
  const { accepted, taken_back } = over.progress
  expect(taken_back).toBeGreaterThan(0)
  expect(over.progress).toMatchObject({ charge: PRICE * accepted, given_back: PRICE * taken_back })
  const { body } = await service.call<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(CREDIT - PRICE * (accepted - taken_back))
  expect(await auditMoney(service.db)).toEqual([])
  await figure('Canceled').getByText(taken_back.toLocaleString('en'), { exact: true }).waitFor()
  const waiting = page.waitForEvent('download')
  await button('Export all recipients as CSV').click()
  expect((await waiting).suggestedFilename()).toBe('campaign.csv')
  expect(await seriousFaults(page)).toEqual([])
})

test('the filters beside a smartlist go along, and a scheduled campaign is seen and taken back', async () => {
  const by = await service.organisation()
  await enter(browser.context, service, by.id)
  const rows = Array.from({ length: 30 }, (_, n) => ({
    columns: { Name: n < 6 ? 'Kano' : 'Lagos', Mobile: `0805${String(n).padStart(7, '0')}` },
  }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows })
  await by.call('POST', '/lists/contact/smartlists', { name: 'Everyone', filters: [] })
  await openPage(page, service, 'contacts')
  await page.getByLabel('Smartlist').selectOption({ label: 'Everyone' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Column').selectOption({ label: 'Name' })
  await page.getByLabel('Value').fill('kano')
  await page.getByText('6 contacts').waitFor()
  await page.getByRole('link', { name: 'Send to it' }).click()
  await page.getByText('Only those where Name contains “kano”.').waitFor()
  // Some names would make the text UCS-2: what is shown is what is charged.
  await page.getByLabel('Text', { exact: true }).fill('Ẹ káàárọ̀ {{Name}}')
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 16)
  await page.getByLabel('Begins').fill(tomorrow)
  await button('Check recipients and cost').click()
  await status('estimated')
  await page.getByText('UCS-2, 1 page', { exact: true }).waitFor()
  await button('Schedule…').click()
  await page.getByRole('heading', { name: 'Send to 6 people for ₦24.00?' }).waitFor()
  await button('Schedule it').click()
  await status('scheduled')
  const id = idOnPage()

  await openPage(page, service, 'campaigns')
  await page
    .getByRole('row', { name: /Everyone.*scheduled/ })
    .getByRole('link')
    .click()
  await button('Cancel the campaign').click()
  await page.locator('dialog').getByRole('button', { name: 'Cancel the campaign' }).click()
  await status('canceled')
  expect((await reached(by, id, 'canceled')).progress).toMatchObject({ accepted: 0, charge: 0 })
  const { body } = await by.call<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(1_000)
})
