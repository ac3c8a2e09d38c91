import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser, type Browser } from '../support/browser.ts'
import { choose, digitsOf, pick } from '../support/browser-fields.ts'
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
  // What is shown is marked as read, which the next test's first page would cut off.
  await expect
    .poll(async () => (await service.call<{ conversations: unknown[] }>('GET', '/conversations')).body.conversations)
    .toMatchObject([{ unread: 0 }])
  expect(complaintsIn(watch)).toEqual([])
})

const BOLA = '2348057654321'

test('the inbox is searched, filtered, assigned, noted, answered with a canned reply and closed', async () => {
  const watch = watchPage(page)
  await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Bola Ade', Mobile: BOLA } })
  await service.call('POST', '/templates', { name: 'Hours', content: 'Hi {{name|there}}, we open at {{time}}.' })
  await service.call('POST', '/sandbox/reply', { from: BOLA, to: 'Gangan', text: 'When do you open?' })
  await openPage(page, service, 'overview')
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
  await page.reload()
  await pages.getByRole('link', { name: /^Conversations\s*1\s+unread$/ }).click()
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const bola = list.getByRole('link', { name: /Bola Ade/ })
  await bola.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('bola')
  await expect.poll(() => list.getByRole('link').count()).toBe(1)
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => list.getByRole('link').count()).toBe(2)
  // The list is one stop of the Tab key; the arrows move in it.
  await bola.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => list.locator('a:focus').textContent()).toMatch(/803/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const thread = page.getByRole('region', { name: 'Conversation with Bola Ade' })
  await thread.getByText('When do you open?').waitFor()
  const card = page.getByRole('complementary').filter({ has: page.getByRole('link', { name: 'Bola Ade' }) })
  await expect.poll(() => card.getByLabel('Name', { exact: true }).inputValue()).toBe('Bola Ade')

  const assignee = thread.getByLabel('Assigned to')
  await choose(assignee, /\(you\)$/)
  await choose(list.getByLabel('Show'), 'Assigned to me')
  await expect.poll(() => list.getByRole('link').count()).toBe(1)
  await choose(list.getByLabel('Show'), 'Open')

  await thread.getByRole('button', { name: 'Note', exact: true }).click()
  await thread.getByLabel('Your note').fill('A regular customer')
  await page.keyboard.press('Control+Enter')
  await thread.getByText(/^Note by /).waitFor()
  await thread.getByRole('button', { name: 'Reply', exact: true }).click()
  await thread.getByRole('button', { name: 'Canned replies' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Hours/ }).click()
  const answer = thread.getByLabel('Your answer')
  expect(await answer.inputValue()).toBe('Hi Bola Ade, we open at {{time}}.')
  await thread.getByText('Replace {{time}} before you send.').waitFor()
  expect(await thread.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  await answer.fill('Hi Bola Ade, we open at nine.')
  // The draft is kept while another conversation is read.
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('region', { name: /803/ }).waitFor()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => answer.inputValue()).toBe('Hi Bola Ade, we open at nine.')
  await answer.focus()
  await page.keyboard.press('Control+Enter')
  await thread.getByText('Hi Bola Ade, we open at nine.').waitFor()
  await thread.getByText('delivered').waitFor()
  expect(await seriousFaults(page)).toEqual([])

  await thread.getByRole('button', { name: 'Close', exact: true }).click()
  await thread.getByRole('button', { name: 'Reopen' }).waitFor()
  await expect.poll(() => bola.count()).toBe(0)
  await service.call('POST', '/sandbox/reply', { from: BOLA, to: 'Gangan', text: 'Thanks' })
  await bola.waitFor()
  await thread.getByRole('button', { name: 'Close', exact: true }).waitFor()
  expect(complaintsIn(watch)).toEqual([])
})

async function seesContactInWindow(thread: Locator): Promise<void> {
  await thread.getByRole('button', { name: 'Contact' }).click()
  const contact = page.getByRole('dialog', { name: 'Contact' })
  await expect.poll(() => contact.getByLabel('Name', { exact: true }).inputValue()).toBe('Bola Ade')
  expect(await seriousFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await contact.waitFor({ state: 'detached' })
}

test('a role that may not send reads a conversation and cannot answer, assign or close it', async () => {
  const profile = await browser.context.browser()?.newContext()
  const context = profile ?? browser.context
  await enter(context, service, service.id, 'viewer')
  const viewer = await context.newPage()
  await openPage(viewer, service, `conversations/${BOLA}`)
  const thread = viewer.getByRole('region', { name: 'Conversation with Bola Ade' })
  await thread.getByText('Hi Bola Ade, we open at nine.').waitFor()
  await thread.getByText(/^Assigned to /).waitFor()
  expect(await thread.getByRole('textbox').count()).toBe(0)
  expect(await thread.getByRole('button', { name: /^(Send|Close|Reopen|Note|Reply)$/ }).count()).toBe(0)
  expect(await seriousFaults(viewer)).toEqual([])
  await viewer.close()
})

test.each([
  { width: 1440, list: true, card: true },
  { width: 1024, list: true, card: false },
  { width: 390, list: false, card: false },
])('at $width px a text is found, read and answered', async ({ width, list: beside, card }) => {
  await page.setViewportSize({ width, height: 800 })
  await openPage(page, service, 'conversations')
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('link', { name: /Bola Ade/ }).click()
  const thread = page.getByRole('region', { name: 'Conversation with Bola Ade' })
  await thread.getByRole('log', { name: 'Texts' }).waitFor()
  expect(await list.isVisible()).toBe(beside)
  await thread.getByLabel('Your answer').fill(`An answer at ${width} px`)
  await thread.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = thread.locator('.talk', { hasText: `An answer at ${width} px` })
  await sent.getByText('delivered').waitFor()
  expect(await thread.getByRole('button', { name: 'Contact' }).isVisible()).toBe(!card)
  if (!card) await seesContactInWindow(thread)
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  if (!beside) {
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await list.waitFor()
  }
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
  await choose(page.getByLabel('Type'), 'Message')
  await lines.getByText('Opening balance').waitFor({ state: 'detached' })
  await pick(page, 'from', digitsOf(new Date(), 'UTC').slice(0, 8))
  await page.getByText('before this time').waitFor()
  await page.getByText('By message').click()
  await page.getByRole('searchbox').fill('may-1')
  await page.waitForURL(/may-1/) // the search begins a moment after the last key
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
