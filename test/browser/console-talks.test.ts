import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser, type Browser } from '../support/browser.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, enter, openPage, seriousFaults } from '../support/console.ts'
import { openService, type TestService } from '../support/service.ts'
import { watchPage } from '../support/watch-page.ts'

const ADA = '2348031234567'

let service: TestService
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await openService()
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  await enter(browser.context, service, service.id)
  page = await browser.context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const write = (text: string, more: object = {}) =>
  service.call('POST', '/sandbox/reply', { from: ADA, to: 'Gangan', text, ...more })

test('a conversation is read, answered and followed live', async () => {
  const watch = watchPage(page)
  await write('Is my order on its way?')
  await openPage(page, service, 'conversations')
  const link = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /803 ?123 ?4567/ })
  await link.getByText('1 unread').waitFor()
  await link.click()
  const thread = page.getByRole('log', { name: 'Texts' })
  await thread.getByText('Is my order on its way?').waitFor()
  await link.getByText('1 unread').waitFor({ state: 'detached' })
  await page.getByLabel('Your answer').fill('It left this morning.')
  await page.getByText(/By SMS from Gangan\. 1 page, ₦4\.00\./).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await thread.getByText('It left this morning.').waitFor()
  await thread.getByText('delivered').waitFor()
  await write('Thank you!')
  await thread.getByText('Thank you!').waitFor()
  await write('STOP')
  await page.getByText('This number has opted out.').waitFor()
  expect(await page.getByLabel('Your answer').count()).toBe(0)
  expect(complaintsIn(watch)).toEqual([])
})

test('on a phone it is the list, or the thread', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await openPage(page, service, 'conversations')
  await page.getByRole('link', { name: /803 ?123 ?4567/ }).click()
  await page.getByRole('log', { name: 'Texts' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Conversations' }).isVisible()).toBe(false)
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a call is found by its request id, with what was sent and no secret', async () => {
  const watch = watchPage(page)
  const body = { id: '0199a1e2-f1ef-7a74-91a6-4e737e4e132d', token: '739182' }
  await service.call('POST', '/otp/verify', body, { 'x-request-id': 'order-77' })
  await openPage(page, service, 'requests?status=4xx')
  await page.getByRole('link', { name: 'POST /otp/verify' }).waitFor()
  await page.getByRole('searchbox').fill('order-77')
  await page.getByRole('link', { name: 'POST /otp/verify' }).click()
  await page.getByText(body.id).first().waitFor()
  await page.getByText('•••').waitFor()
  expect(await page.content()).not.toContain('739182')
  expect(await seriousFaults(page)).toEqual([])
  expect(complaintsIn(watch)).toEqual([])
})

test('the ledger is narrowed, grouped by message and downloaded', async () => {
  const watch = watchPage(page)
  await service.call('POST', '/sms/send', { recipients: `${ADA},2348000000003`, content: 'Hi', external_ref: 'may-1' })
  await openPage(page, service, 'ledger')
  const lines = page.getByRole('table', { name: 'Lines' })
  await lines.getByText('Opening balance').waitFor()
  await page.getByLabel('Kind').selectOption('message')
  await lines.getByText('Opening balance').waitFor({ state: 'detached' })
  await page.getByLabel('from').fill(new Date().toISOString().slice(0, 10))
  await page.getByText('before this time').waitFor()
  await page.getByText('By message').click()
  await page.getByRole('searchbox').fill('may-1')
  const costs = page.getByRole('table', { name: 'Messages' })
  await costs.getByText('may-1').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('message-costs.csv')
  expect(complaintsIn(watch)).toEqual([])
})
