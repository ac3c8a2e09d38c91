import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { rightsOf } from '../../src/users/roles.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { enter, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { PASSWORD, person } from '../support/person.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const at = desk({ credit: 10_000 })

const dialog = () => at.page.getByRole('dialog')
const focused = () => at.page.evaluate<string>('document.activeElement.textContent')

async function send(body: object): Promise<string> {
  const sent = await at.service.call<{ id: string }>('POST', '/sms/send', { content: 'Hello', ...body })
  expect(sent.status).toBe(200)
  return sent.body.id
}

describe('a session that ends', () => {
  test('is announced, and signing in leads back to the same page with the draft', async () => {
    const { page, service, context } = at
    const by = await service.organisation()
    await at.sit(by.id, 'senders')
    await page.getByRole('button', { name: 'Register a sender' }).first().click()
    await page.getByRole('dialog').getByLabel('Note').fill('Of our shop in Kano')
    await at.open('send?from=mail')
    await page.getByLabel('Text', { exact: true }).fill('Half of a sentence')
    const [user] = await service.db<{ email: string }[]>`
      select email from users where organisation_id = ${by.id}`
    await service.db`delete from user_sessions`
    // Whichever request comes first notices it.
    const ended = page.getByText('Your session has ended.').waitFor()
    await Promise.race([
      ended,
      page
        .getByRole('button', { name: 'Send', exact: true })
        .click()
        .catch(() => {}),
    ])
    await ended
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('Email').fill(user?.email ?? '')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Send' }).waitFor()
    expect(page.url()).toMatch(/#\/send\?from=mail$/)
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half of a sentence')
    await page.getByText('What you wrote here before is restored').waitFor()
    await page.getByRole('button', { name: 'Discard it' }).click()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await at.open('senders')
    await page.getByRole('button', { name: 'Register a sender' }).first().click()
    expect(await page.getByRole('dialog').getByLabel('Note').inputValue()).toBe('Of our shop in Kano')

    await at.open('overview')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Log out' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    expect(await page.getByText('Your session has ended.').count()).toBe(0)
    expect(await page.evaluate<string[]>('Object.keys(localStorage)')).not.toContainEqual(
      expect.stringContaining('draft'),
    )
    await context.clearCookies()
  })
})

describe('settings', () => {
  test('have a list of countries: typing Nigeria selects Nigeria', async () => {
    const { page, service } = at
    const by = await service.organisation()
    await at.sit(by.id, 'settings')
    const country = page.getByLabel('Country')
    await choose(country, 'Ghana (+233)')
    await country.focus()
    await page.keyboard.type('Nigeria', { delay: 20 })
    await page.keyboard.press('Enter')
    await page.locator('.popover').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Settings saved.').waitFor()
    const settings = await by.call('GET', '/settings')
    expect(settings.body).toMatchObject({ default_country: 'NG' })
    await at.calm()
  })
})

describe('a dialog', () => {
  test('does not close with a key that is shown once, and restores the focus', async () => {
    const { page, service } = at
    await at.sit(service.id, 'keys')
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    await dialog().getByRole('button', { name: 'Create the key' }).click()
    const key = page.getByRole('figure', { name: 'The new key' }).locator('code')
    const shown = await key.textContent()
    await page.mouse.click(5, 5)
    await dialog().getByText('This is not shown again.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(await key.textContent()).toBe(shown)
    expect(await seriousFaults(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Go back' }).click()
    await dialog().getByRole('button', { name: 'I have copied it' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await focused()).toBe('Create a key')
    const colour = (button: string) => page.evaluate(`getComputedStyle(document.querySelector('${button}')).color`)
    expect(await colour('.button.remove')).not.toBe(await colour('.button.bare'))
  })

  test('asks before unsaved input is lost, and requires closed placeholders', async () => {
    const { page, service } = at
    await at.sit(service.id, 'templates/new')
    await dialog().getByLabel('Name').fill('Greeting')
    await dialog().getByLabel('Text').fill('Hello {{name')
    await page.mouse.click(5, 5)
    await dialog().getByText('Your changes are not saved.').waitFor()
    await dialog().getByRole('button', { name: 'Go back' }).click()
    await dialog().getByRole('button', { name: 'Save the template' }).click()
    const fault = dialog().getByText('A placeholder is not closed')
    await fault.waitFor()
    await dialog().getByLabel('Text').fill('Hello {{name}}')
    await fault.waitFor({ state: 'detached' })
    await dialog().getByRole('alert').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialog().getByRole('button', { name: 'Close anyway' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Create a template' }).first().waitFor()
  })
})

describe('an unreachable server', () => {
  test('is reported, figures are stale and carriers unknown, until it is back', async () => {
    const { page, context, service } = at
    const doomed = await openService({ beside: service, workers: false })
    await enter(context, service, null)
    await openPage(page, doomed, 'carriers')
    const state = page.getByRole('table', { name: 'Carriers' }).getByRole('row', { name: /simulator/ })
    await state.getByText('up', { exact: true }).waitFor()
    await doomed.close()
    const banner = page.getByText('The service is not responding.')
    await banner.waitFor()
    await state.getByText('unknown', { exact: true }).waitFor()
    expect(await seriousFaults(page)).toEqual([])

    await at.open('overview')
    await page.locator('.figure').first().waitFor()
    expect(await banner.count()).toBe(0)
    await context.setOffline(true)
    await banner.waitFor()
    await context.setOffline(false)
    await banner.waitFor({ state: 'detached' })
  })
})

describe('a message', () => {
  test('that is scheduled shows its time, and once it is canceled no charge', async () => {
    const { page, service } = at
    const send_at = new Date(Date.now() + 49 * 3_600_000)
    await send({ recipients: '08031110001', external_ref: 'wait-17', send_at: send_at.toISOString() })
    await at.sit(service.id, 'messages?q=AIT-1')
    const row = page.getByRole('table', { name: 'Messages' }).getByRole('row', { name: /wait-17/ })
    const day = new Intl.DateTimeFormat('en', { day: 'numeric', timeZone: 'Africa/Lagos' }).format(send_at)
    await row.getByText(new RegExp(`^${day} `)).waitFor()
    await row.getByRole('cell', { name: 'SMS', exact: true }).waitFor()
    await row.getByRole('link').click()
    await page.getByText('Scheduled for').waitFor()
    await page.locator('.timeline li', { hasText: 'Scheduled' }).waitFor()
    await page.getByRole('button', { name: 'Cancel the message' }).click()
    await dialog().getByRole('button', { name: 'Cancel the message' }).click()
    await page.locator('.data s', { hasText: '₦4.00' }).waitFor()
    await page.locator('.data', { hasText: '₦0.00' }).waitFor()
    await at.calm()
  })

  test('that failed for some is not green, and numbers are formatted by country', async () => {
    const { page, service } = at
    await send({ recipients: '2348031110002, 2348000000001', external_ref: 'partly' })
    const abroad = await send({ recipients: '+1 415 555 2671' })
    await at.sit(service.id, 'messages?q=partly')
    const badge = page.getByRole('row', { name: /partly/ }).locator('.badge', { hasText: 'partly delivered' })
    await badge.waitFor()
    expect(await badge.getAttribute('class')).toContain('warn')
    await page.setViewportSize({ width: 1280, height: 800 })
    const cut = `[...document.querySelectorAll('.table-wrap')].filter((wrap) => wrap.scrollWidth > wrap.clientWidth).length`
    expect(await page.evaluate(cut)).toBe(0)
    await at.open(`messages/${abroad}`)
    await page.getByRole('heading', { name: 'What happened at +1 415 555 2671' }).waitFor()
    await at.calm()
  })

  test('is rejected with messages that disappear once corrected, and its draft is kept', async () => {
    const { page, service } = at
    await service.call('POST', '/templates', { name: 'Shipped', content: 'Order {{order}} left' })
    await at.sit(service.id, 'send')
    await page.getByLabel('Recipients').fill('0803 111 0003, nonsense')
    await page.getByRole('button', { name: 'A template' }).click()
    await choose(page.getByLabel('Template', { exact: true }), 'Shipped')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('“nonsense”: ').waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/recipients\[|personalisation|substitutions/)
    await page.getByLabel('Recipients').fill('0803 111 0003')
    await page.getByText('“nonsense”: ').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const missing = page.locator('.faults', { hasText: '+234 803 111 0003: There is no value for {{order}}' })
    await missing.waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('order for everyone').fill('17')
    await missing.waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)

    await at.open('overview')
    await at.open('send')
    expect(await page.getByLabel('Recipients').inputValue()).toBe('0803 111 0003')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    await at.open('send')
    expect(await page.getByLabel('Recipients').inputValue()).toBe('')
  })
})

describe('a search', () => {
  test('finds numbers, phones and contacts among others', async () => {
    const { page, service } = at
    await at.sit(service.id, 'lookup')
    await page.getByLabel('Numbers', { exact: true }).fill('0803 123 4567\nnot a number')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('table', { name: 'Found' }).getByRole('row', { name: /MTN/ }).waitFor()
    await page.getByText('left out: not a number').waitFor()

    const recipients = Array.from({ length: 30 }, (_, n) => `23480311201${String(n).padStart(2, '0')}`)
    await send({ recipients: recipients.join(',') })
    await at.open('phones')
    const phone = (name: string) => page.getByRole('article', { name })
    await until('the list of phones', async () => (await page.getByRole('article').count()) === 24)
    await page.getByLabel('Search by number, sender or text').fill('1120 117')
    await until('one phone', async () => (await page.getByRole('article').count()) === 1)
    await phone('Phone +234 803 112 0117').waitFor()
    await at.calm()

    await at.open('contacts')
    await page.getByRole('button', { name: 'Add a contact' }).first().click()
    expect(await dialog().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog().getByLabel('Email').fill('ada@example.com')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
    await service.call('POST', '/lists/contact/rows', { columns: { Email: 'last@example.com' } })
    await page.reload()
    await page.getByRole('gridcell', { name: 'last@example.com', exact: true }).waitFor()
    await page.getByRole('gridcell', { name: 'last@example.com', exact: true }).click()
    await page.getByLabel('Email', { exact: true }).fill('no address')
    await page.keyboard.press('Enter')
    await page.locator('.sheet-fault').waitFor()
    const covered = `(() => {
      const fault = document.querySelector('.sheet-fault')
      const { left, bottom } = fault.getBoundingClientRect()
      return document.elementFromPoint(left + 5, bottom - 5) === fault
    })()`
    expect(await page.evaluate(covered)).toBe(true)
    await page.getByLabel('Email', { exact: true }).fill('last@example.org')
    await page.locator('.sheet-fault').waitFor({ state: 'detached' })
  })
})

describe('a role', () => {
  test('shows the pages it may read, and no button for what it may not change', async () => {
    const { page, context, service } = at
    await service.call('POST', '/templates', { name: 'Seen', content: 'by everybody' })
    const draft = await service.call<{ id: string }>('POST', '/campaigns', { name: 'Autumn', content: 'Hello' })
    const actions = ['Check recipients and cost', 'Discard', 'Send a test to yourself']
    const pages = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    await enter(context, service, service.id, 'viewer')
    await at.open('templates')
    await page.getByRole('row', { name: /Seen/ }).waitFor()
    expect(await pages()).toEqual(expect.arrayContaining(['Messages', 'Contacts', 'Ledger']))
    for (const hidden of ['Start', 'Send', 'Lookup', 'Keys', 'Audit', 'Carriers'])
      expect(await pages()).not.toContain(hidden)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Create a template' }).count()).toBe(0)
    await at.calm()
    await at.open(`campaigns/${draft.body.id}`)
    await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor()
    for (const name of actions) expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    await at.open('keys')
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()

    await enter(context, service, service.id, 'marketer')
    await page.goto('about:blank')
    await at.open('templates')
    await page.getByRole('row', { name: /Seen/ }).getByRole('button', { name: 'Delete' }).waitFor()
    expect(await pages()).toEqual(expect.arrayContaining(['Send', 'Contacts', 'Lookup']))
    for (const hidden of ['Airtime', 'Webhooks', 'Keys', 'Audit']) expect(await pages()).not.toContain(hidden)
    await at.open(`campaigns/${draft.body.id}`)
    for (const name of actions) await page.getByRole('button', { name }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    await at.open('overview')
    await page.locator('.figure').first().waitFor()
    await at.calm()
  })
})

/** The area of each page, as the console itself names it. */
const AREAS = new Map(
  readFileSync('console/src/pages.ts', 'utf8')
    .split(/page\(\s*'/)
    .slice(1)
    .map((page) => [page.split("'")[0] ?? '', /area: '(\w+)'/.exec(page)?.[1]] as const),
)

async function settingsAreValues(): Promise<void> {
  await at.open('settings')
  const settings = at.page.getByRole('group', { name: 'Settings of the organisation' })
  await settings.getByText('Nigeria').waitFor()
  await settings.getByText('Tests').waitFor()
  expect(await seriousFaults(at.page)).toEqual([])
}

describe('a role that may not change something', () => {
  test.each(['viewer', 'finance', 'marketer', 'developer'] as const)('%s sees values, not forms', async (role) => {
    const { page, service, context, watch } = at
    const by = await service.organisation()
    await by.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada Obi', Mobile: '08031110001' } })
    const row = await by.call<{ rows: { id: string }[] }>('GET', '/lists/contact/rows')
    const template = await by.call<{ id: string }>('POST', '/templates', { name: 'Seen', content: 'Hello' })
    await by.call('POST', '/otp/request_token', { recipient: '08031110001' })
    await by.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/reports' })
    await by.call('POST', '/optouts', { recipients: '08031110009' })
    await enter(context, service, by.id, role)
    await at.open('account')
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()
    const shown = await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.slice(2) ?? ''))
    const right = rightsOf(role)
    const only_read = shown.filter((path) => right[AREAS.get(path) ?? ''] === 'read')
    expect(only_read.length).toBeGreaterThan(2)
    const more = [
      ...(only_read.includes('contacts') ? [`contacts/${row.body.rows[0]?.id}`] : []),
      ...(only_read.includes('templates') ? [`templates/${template.body.id}`, 'templates?new=yes'] : []),
    ]
    for (const path of [...only_read, ...more]) {
      await at.open(path)
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      const forms = 'main form:not([role="search"]), dialog form'
      expect([path, await page.locator(forms).count()]).toEqual([path, 0])
      const changes = /^(Verify|Unblock|Import|Test|Change|Secret|Delete|Remove|Rename|Convert|Save|Buy airtime)$/
      expect([path, await page.getByRole('button', { name: changes }).allTextContents()]).toEqual([path, []])
    }
    if (only_read.includes('settings')) await settingsAreValues()
    expect(watch.complaints.filter((complaint) => complaint.endsWith(' 403'))).toEqual([])
  })
})

describe('the page', () => {
  test('is centred in a wide window, and its menu on a phone begins at the top', async () => {
    const { page, service } = at
    await page.setViewportSize({ width: 1920, height: 1000 })
    await at.sit(service.id, 'settings')
    const { x = 0, width = 0 } = (await page.locator('.page').boundingBox()) ?? {}
    const main = (await page.locator('main').boundingBox()) ?? { x: 0, width: 0 }
    expect(Math.abs(x - main.x - (main.x + main.width - x - width))).toBeLessThan(2)

    await page.setViewportSize({ width: 390, height: 600 })
    await page.getByRole('button', { name: 'More' }).click()
    const first = dialog().getByRole('link').first()
    await first.waitFor()
    expect((await first.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0)
    expect(await page.evaluate('document.querySelector("dialog").scrollTop')).toBe(0)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await focused()).toBe('More')
  })

  test('of the audit log distinguishes actions and previous values', async () => {
    const { page, service } = at
    const by = await service.organisation()
    const ada = await person(service, by.id)
    const hook = await ada.call<{ id: string }>('POST', '/webhooks', { url: 'http://127.0.0.1:9/reports' })
    await ada.call('POST', `/webhooks/${hook.body.id}/test`)
    const template = await ada.call<{ id: string }>('POST', '/templates', { name: 'a', content: 'Good morning' })
    await ada.call('PATCH', `/templates/${template.body.id}`, { content: 'Good evening' })
    await at.sit(by.id, 'audit')
    const row = (name: string | RegExp) =>
      page.getByRole('table', { name: 'Changes' }).getByRole('row', { name }).first()
    await row(/Sent a test to a webhook/).waitFor()
    await row(/Registered a webhook/).waitFor()
    await row(new RegExp(`${ada.email} Accepted an invitation`)).waitFor()
    const changed = row(/Changed a template/)
    await changed.locator('summary').click()
    await changed.locator('s', { hasText: 'Good morning' }).waitFor()
    await changed.getByText('Good evening').waitFor()
    await at.calm()

    await choose(page.getByLabel('Action', { exact: true }), 'Changed a template')
    await row(/Registered a webhook/).waitFor({ state: 'detached' })
    await row(/Changed a template/).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('PATCH /templates/:id')
    await choose(page.getByLabel('Action', { exact: true }), 'All actions')
    await page.getByRole('searchbox').fill('webhooks')
    await row(/Changed a template/).waitFor({ state: 'detached' })
    await row(/Registered a webhook/).waitFor()
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByText('No entries match.').waitFor()
    await at.calm()
  })
})

describe('the overview', () => {
  test('compares with the previous period, draws the course, and names what needs attention with a link to it', async () => {
    const { page, service } = at
    const by = await service.organisation({ credit: 8 })
    await by.call('POST', '/sms/send', { recipients: '08031110001, 08031110002', content: 'Hello' })
    await at.sit(by.id, 'overview')
    const messages = page.locator('.figure', { hasText: 'Messages' })
    await messages.getByText('2', { exact: true }).waitFor()
    await messages.locator('.sparkline path').waitFor()
    const attention = page.locator('.panel', { hasText: 'Needs attention' })
    await attention.getByText('The balance is used up. Sending is blocked until you top up.').waitFor()
    await attention.getByRole('link', { name: 'Ledger' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    await at.calm()
  })
})
