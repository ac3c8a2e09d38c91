import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { scale } from '../faults/scale.ts'
import { openBrowser, type Browser } from '../support/browser.ts'
import { choose, digitsOf, pick } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { campaignOf, estimated, reached, type Campaign } from '../support/campaign.ts'
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
  // Slow enough to be paused.
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
  await page.getByText('Enter a name first.').waitFor()
  await page.getByLabel('Name of the campaign').fill('Morning')
  await button('Continue').click()
  await page.getByText('Choose a smartlist first.').waitFor()
  expect(await button('Check recipients and cost').isDisabled()).toBe(true)
  await button('A file or numbers').click()
  const lines = Array.from({ length: PEOPLE }, (_, n) => `0803${String(n).padStart(7, '0')},Ada ${n}`)
  const csv = ['Mobile,Name', ...lines, 'nonsense,Unreachable', `${lines[0]}`].join('\n')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText(`${(PEOPLE + 2).toLocaleString('en')} rows. Numbers from the column “Mobile”.`).waitFor()
  await page.getByText('Values: Name.').waitFor()
  await page.getByText(`Line ${PEOPLE + 2}: nonsense is not a phone number`).waitFor()
  await page.getByText(`${(PEOPLE + 2).toLocaleString('en')} recipients before the check`).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Good morning ')
  await button('{{name}}').click()
  await page.locator('.send-bubble').getByText('Good morning Ada 0', { exact: true }).waitFor()
  await page.getByLabel('Recipients per hour').fill(PEOPLE_PER_HOUR)
  await button('Check recipients and cost').click()
  await status('estimated')
  const cost = PRICE * PEOPLE
  await figure('People').getByText(PEOPLE.toLocaleString('en'), { exact: true }).waitFor()
  await page.getByText('Not a phone number').waitFor()
  await page.getByText('Same number twice').waitFor()
  await page.getByText('Good morning Ada 0', { exact: true }).waitFor()
  await page.getByText('Show excluded recipients').click()
  await page.getByRole('row', { name: /nonsense.*Not a phone number/ }).waitFor()
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
  await button('Stop campaign').click()
  await page.locator('dialog').getByRole('button', { name: 'Keep sending' }).waitFor()
  await page.locator('dialog').getByRole('button', { name: 'Stop campaign' }).click()
  await status('canceled')

  const over = await until(
    'all deliveries to end',
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

test.each([1440, 1024, 390])('at %i px a campaign is written, checked and confirmed', async (width) => {
  const by = await service.organisation()
  await enter(browser.context, service, by.id)
  await page.setViewportSize({ width, height: 900 })
  const sound = async () => {
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await openPage(page, service, 'campaigns/new')
  await page.getByLabel('Name of the campaign').fill('On any screen')
  await button('Continue').click()
  await button('A file or numbers').click()
  await page.getByLabel('Or numbers').fill('0803 111 0001\n0803 111 0002\n0803')
  await button('Use these numbers').click()
  await page.getByText('1 row is left out:').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Hello from Kano')
  await page.locator('.send-bubble').getByText('Hello from Kano', { exact: true }).waitFor()
  await page.getByText('All changes saved').waitFor()
  await sound()
  await button('Check recipients and cost').click()
  await status('estimated')
  await figure('People').getByText('2', { exact: true }).waitFor()
  await sound()
  await button('Send…').click()
  await page.getByRole('heading', { name: 'Send to 2 people for ₦8.00?' }).waitFor()
  await sound()
  await button('Send it').click()
  await page.getByRole('listitem').filter({ hasText: 'Delivered' }).getByText('2').first().waitFor()
  await sound()
})

test('the filters beside a smartlist are kept, and a scheduled campaign is shown and canceled', async () => {
  const by = await service.organisation()
  await enter(browser.context, service, by.id)
  const rows = Array.from({ length: 30 }, (_, n) => ({
    columns: { Name: n < 6 ? 'Kano' : 'Lagos', Mobile: `0805${String(n).padStart(7, '0')}` },
  }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows })
  await by.call('POST', '/lists/contact/smartlists', { name: 'Everyone', filters: [] })
  await openPage(page, service, 'contacts')
  await choose(page.getByLabel('Smartlist'), 'Everyone')
  await page.getByRole('button', { name: 'Filter' }).click()
  await choose(page.getByLabel('Column'), 'Name')
  await page.getByLabel('Value').fill('kano')
  await page.getByText('6 contacts').waitFor()
  await page.getByRole('link', { name: 'Send to it' }).click()
  await page.getByLabel('Name of the campaign').fill('Kano')
  await button('Continue').click()
  await page.getByText('Only those where Name contains “kano”.').waitFor()
  // Some names would make the text UCS-2: the estimate shows what is charged.
  await page.getByLabel('Text', { exact: true }).fill('Ẹ káàárọ̀ {{Name}}')
  const tomorrow = new Date(Date.now() + 24 * 3_600_000)
  await pick(page, 'Start time optional', digitsOf(tomorrow, 'Africa/Lagos'))
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
    .getByRole('row', { name: /Kano.*scheduled/ })
    .getByRole('link')
    .click()
  await button('Stop campaign').click()
  await page.locator('dialog').getByRole('button', { name: 'Keep sending' }).waitFor()
  await page.locator('dialog').getByRole('button', { name: 'Stop campaign' }).click()
  await status('canceled')
  expect((await reached(by, id, 'canceled')).progress).toMatchObject({ accepted: 0, charge: 0 })
  const { body } = await by.call<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(1_000)
})

test('a half-written campaign is restored after a reload, after another page, and after the session has ended', async () => {
  const by = await service.organisation()
  await enter(browser.context, service, by.id)
  await openPage(page, service, 'campaigns/new')
  await page.getByLabel('Name of the campaign').fill('Half')
  await button('Continue').click()
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('First')
  await page.getByText('All changes saved').waitFor()
  const { body } = await by.call<{ campaigns: Campaign[] }>('GET', '/campaigns')
  expect(body.campaigns).toMatchObject([{ name: 'Half', is_incomplete: true, texts: [{ content: 'First' }] }])
  const editor = page.url()
  await page.reload()
  await text.waitFor()
  expect(await text.inputValue()).toBe('First')

  // Left before the typing pauses: what is not on the server yet is in the browser.
  await text.fill('Second')
  await openPage(page, service, 'campaigns')
  await page.getByRole('link', { name: 'Half' }).click()
  await text.waitFor()
  expect(await text.inputValue()).toBe('Second')

  // The session ends while the person writes, and the same person signs in again.
  await service.db`update user_sessions set expires_datetime = expires_datetime - interval '1 year'`
  await text.fill('Third')
  await page.getByLabel('Password').waitFor()
  await service.db`update user_sessions set expires_datetime = expires_datetime + interval '1 year'`
  await page.goto(editor)
  await page.reload()
  await text.waitFor()
  expect(await text.inputValue()).toBe('Third')
  await page.getByText('All changes saved').waitFor()
  const saved = await by.call<{ campaigns: Campaign[] }>('GET', '/campaigns')
  expect(saved.body.campaigns[0]?.texts[0]?.content).toBe('Third')
})

test('a finished campaign shows its funnel and failures, is one row among messages and in the ledger, and is resent', async () => {
  const by = await service.organisation({ credit: 10_000 })
  await enter(browser.context, service, by.id)
  const people = [...Array.from({ length: 300 }, (_, n) => `0803${String(n).padStart(7, '0')}`), '2348000000002']
  const id = await campaignOf(
    by,
    { content: 'Hello', name: 'Reported' },
    people.map((to) => ({ to })),
  )
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  await reached(by, id, 'finished', 60_000)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await openPage(page, service, `campaigns/${id}`)
    await page.getByRole('listitem').filter({ hasText: 'Delivered' }).getByText('300').waitFor()
    await page.getByText('Show recipients not reached').click()
    await page
      .getByRole('row', { name: /absent subscriber/ })
      .last()
      .waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openPage(page, service, 'messages')
  await page.getByRole('link', { name: 'Reported', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Reported', exact: true }).count()).toBe(1)
  await button('2 messages of Reported').click()
  const parts = page.getByRole('table', { name: 'Messages of the campaign' })
  await parts.getByText('256 recipients').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await openPage(page, service, 'ledger')
  await button('2 messages of Reported').click()
  await page.getByRole('table', { name: 'Entries of the campaign' }).getByRole('row').nth(2).waitFor()
  expect(await page.getByRole('link', { name: 'Reported' }).count()).toBe(1)
  expect(await seriousFaults(page)).toEqual([])

  await openPage(page, service, `campaigns/${id}`)
  await button('Resend to failed').click()
  await page.getByText('For the failed recipients of this campaign').waitFor()
  expect(idOnPage()).not.toBe(id)
  await button('Check recipients and cost').click()
  await status('estimated')
})
