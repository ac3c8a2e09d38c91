import { describe, expect } from 'vitest'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { findOverflow } from '../support/watch-page.ts'

const at = desk({ credit: 10_000 })

const heading = (name: string) => at.page.getByRole('heading', { level: 1, name, exact: true })
const field = () => at.page.getByRole('combobox', { name: /^Search pages/ })
const chosen = () => at.page.getByRole('listbox', { name: 'Found' }).getByRole('option', { selected: true })

describe('the global search', () => {
  test('is used by keyboard alone for pages, actions, messages and contacts', async () => {
    const { page, service } = at
    const reference = { recipients: '2348031110001', content: 'Your order is here', external_ref: 'order-4711' }
    const { body } = await service.call<{ id: string }>('POST', '/sms/send', reference)
    await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Zainab Bello', Mobile: '08031110001' } })
    await service.call('POST', '/templates', { name: 'Invoice reminder', content: 'Please pay' })
    await at.sit(service.id, 'overview')

    await page.keyboard.press('Control+k')
    await field().waitFor()
    await at.calm()
    await page.keyboard.type('webh')
    await expect.poll(() => chosen().textContent()).toContain('Webhooks')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen().textContent()).toContain('Register a webhook')
    expect(await field().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Register a webhook' }).waitFor()
    await page.keyboard.press('Control+k') // Not over a dialog with unsaved input.
    expect(await field().count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    for (const text of ['4711', '0803 111 0001', body.id]) {
      await page.keyboard.press('Control+k')
      await field().fill(text)
      await page.getByRole('group', { name: 'Messages' }).getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await heading('Message').waitFor()
      expect(page.url()).toContain(body.id)
    }

    await page.keyboard.press('Control+k')
    await field().fill('invoice')
    await page
      .getByRole('group', { name: 'By name' })
      .getByRole('option', { name: /Invoice reminder/ })
      .waitFor()
    await field().fill('dark mode')
    await expect.poll(() => chosen().textContent()).toContain('Dark mode')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recent' }).getByRole('option').first().waitFor()
    await field().fill('zainab')
    await page.getByRole('group', { name: 'Contacts' }).getByText('Zainab Bello').waitFor()
    await page.keyboard.press('Enter')
    await heading('Zainab Bello').waitFor()
    await page.getByText('Your order is here').waitFor()
    await at.calm()
  })

  test('finds campaigns, templates, smartlists, senders and organisations by name, and actions by what they do', async () => {
    const { page, service } = at
    await service.call('POST', '/campaigns', { name: 'Harvest campaign', content: 'Hello' })
    await service.call('POST', '/templates', { name: 'Harvest template', content: 'Hello' })
    await service.call('POST', '/lists/contact/smartlists', { name: 'Harvest smartlist', filters: [] })
    await service.call('POST', '/senders', { sender_id: 'Harvest' })
    await at.sit(null, 'overview')
    await page.keyboard.press('Control+k')
    await field().fill('harvest')
    const named = page.getByRole('group', { name: 'By name' })
    for (const name of ['Harvest campaign', 'Harvest template', 'Harvest smartlist', 'Harvest']) {
      await named.getByText(name, { exact: true }).waitFor()
    }
    await field().fill('tests')
    await page.getByRole('group', { name: 'Organisations' }).getByRole('option').first().waitFor()
    for (const [words, action] of [
      ['credit', 'Top up a balance'],
      ['bulk', 'New campaign'],
      ['night', 'Dark mode'],
    ] as const) {
      await field().fill(words)
      await page.getByRole('group', { name: 'Actions' }).getByText(action, { exact: true }).waitFor()
    }
    // A number is written as its country does, not with a plus in front of a national one.
    await service.call('POST', '/lists/contact/rows', { columns: { Mobile: '08061099989' } })
    await field().fill('08061099989')
    await page.getByRole('group', { name: 'Contacts' }).getByText('+234 806 109 9989').first().waitFor()
    await at.calm()
  })

  test('offers only what the role may see and do, and fits on a phone', async () => {
    const { context, page, service } = at
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(context, service, service.id, 'viewer')
    await openPage(page, service, 'overview')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('option', { name: /^Messages/ }).waitFor()
    expect(await page.getByRole('option', { name: /^Send a message|New key|^Keys|Organisations/ }).count()).toBe(0)
    expect(await findOverflow(page)).toEqual([])
    await field().fill('no such thing at all')
    await page.getByText('No results.').waitFor()
    await at.calm()
    await page.getByRole('button', { name: /^Esc/ }).click()
    await field().waitFor({ state: 'detached' })
  })
})

describe('the page of messages', () => {
  test('saves its filters as a view, which is available in another browser, and deletes it', async () => {
    const { context, page, service } = at
    await service.call('POST', '/sms/send', { recipients: '2348000000001', content: 'Unopened message' })
    await at.sit(service.id, 'messages')
    await choose(page.getByLabel('Time', { exact: true }), 'Last 7 days')
    await choose(page.getByLabel('Status', { exact: true }), 'undelivered')
    await page.getByRole('row', { name: /Unopened message/ }).waitFor()
    await choose(page.getByLabel('Time', { exact: true }), 'Yesterday')
    await page.getByText('Nothing matches.').waitFor()
    await choose(page.getByLabel('Time', { exact: true }), 'Last 7 days')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Lost this week')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const view = page.getByRole('link', { name: 'Lost this week' })
    await expect.poll(() => view.getAttribute('aria-current')).toBe('true')
    await at.calm()

    const cookies = await context.cookies()
    const elsewhere = await context.browser()?.newContext()
    await elsewhere?.addCookies(cookies)
    const other = await elsewhere?.newPage()
    if (!other) throw new Error('there is no other browser')
    await openPage(other, service, 'messages')
    await other.getByRole('link', { name: 'Lost this week' }).click()
    await other.getByRole('row', { name: /Unopened message/ }).waitFor()
    expect(other.url()).toContain('status=undelivered')
    await elsewhere?.close()

    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('row', { name: /Unopened message/ }).waitFor()
    await view.click()
    await page.getByRole('button', { name: 'Delete this view' }).click()
    await view.waitFor({ state: 'detached' })
  })
})

describe('details', () => {
  test('a password can be shown; the first steps are dismissed permanently', async () => {
    const { context, page, service } = at
    await openPage(page, service, 'start')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('a drum that talks')
    expect(await password.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Show what is typed' }).click()
    expect(await password.getAttribute('type')).toBe('text')
    expect(await seriousFaults(page)).toEqual([])

    await enter(context, service, service.id)
    await openPage(page, service, 'start')
    await page.reload()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: '1. Create a key' }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })
})
