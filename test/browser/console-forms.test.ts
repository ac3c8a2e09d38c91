import type { Route } from 'playwright-core'
import { describe, expect } from 'vitest'
import { choose, digitsOf, pick } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import type { Campaign } from '../support/campaign.ts'
import { seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { PASSWORD, person } from '../support/person.ts'
import type { Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A browser far from every organisation. */
const at = desk({ credit: 10_000 }, { timezoneId: 'America/Los_Angeles' })

const dialog = () => at.page.getByRole('dialog')
const button = (name: string) => at.page.getByRole('button', { name, exact: true })

async function countMessages(by: Organisation): Promise<number> {
  const { body } = await by.call<{ messages?: unknown[] }>('GET', '/sms')
  return body.messages?.length ?? 0
}

async function write(recipients: string, text: string): Promise<void> {
  await at.page.getByLabel('Recipients').fill(recipients)
  await at.page.getByLabel('Text', { exact: true }).fill(text)
}

describe('times', () => {
  test('are shown and picked in the time zone of the organisation, which stands beside them', async () => {
    const { page, service } = at
    const by = await service.organisation()
    await by.call('PATCH', '/settings', { time_zone: 'Asia/Tokyo' })
    await at.sit(by.id, 'send')
    await page.getByText('Times in Tokyo, UTC+9').waitFor()
    const send_at = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 30 * 3_600_000)
    await write('0803 123 4567', 'Later')
    await pick(page, 'When', digitsOf(send_at, 'Asia/Tokyo'))
    await page.locator('.date', { hasText: 'Tokyo, UTC+9' }).waitFor()
    await button('Schedule').click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    const id = page.url().split('/').at(-1)
    const { body } = await by.call<{ send_at: string }>('GET', `/sms/${id}`)
    expect(new Date(body.send_at).toISOString()).toBe(send_at.toISOString())
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' })
    await page.locator('.data', { hasText: `${clock.format(send_at)} (Tokyo, UTC+9)` }).waitFor()

    const asked = page.waitForRequest(
      (request) => request.url().includes('/console/api/messages?') && request.url().includes('from='),
    )
    await at.open('messages?range=today')
    await page.locator('.date-zone', { hasText: 'Tokyo, UTC+9' }).waitFor()
    const from = new URL((await asked).url()).searchParams.get('from')
    // Midnight in Tokyo.
    expect(from).toMatch(/T15:00:00\.000Z$/)

    await at.open('settings')
    await choose(page.getByLabel('Time zone'), 'Pacific/Auckland')
    await button('Save').first().click()
    await page.getByText(/Times in Auckland, UTC\+1[23]/).waitFor()
    await at.calm()
  })
})

test('the second message of one-time passwords when the report is late is set with its longest delay', async () => {
  const { page, service } = at
  const by = await service.organisation()
  await at.sit(by.id, 'settings')
  const form = page.getByRole('form', { name: 'Settings of one-time passwords' })
  const late = form.getByRole('checkbox', { name: 'Next carrier as soon as the report is late' })
  const seconds = form.getByLabel('Next carrier after (seconds)')
  const save = async () => {
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved.').last().waitFor()
  }
  const resending = async () => {
    const { body } = await by.call('GET', '/otp/settings')
    return [body.resend_when_late, body.resend_after_s, body.resend_times]
  }
  await seconds.fill('45')
  await late.check()
  await choose(form.getByLabel('Further tokens at most'), '3')
  await at.calm()
  await save()
  await until('the settings', async () => String(await resending()) === 'true,45,3')
  await at.open('settings')
  await late.waitFor()
  expect(await late.isChecked()).toBe(true)
  await seconds.fill('')
  await late.waitFor({ state: 'detached' })
  await save()
  await until('no second message', async () => String(await resending()) === 'false,,1')
})

describe('a send whose answer is lost with the connection', () => {
  test('is not claimed to be unsent, is reported once the connection is back, and is sent once', async () => {
    const { page, context, service } = at
    const by = await service.organisation({ credit: 100 })
    await at.sit(by.id, 'send')
    let lost = 0
    // The service accepts it; its answer does not arrive.
    await context.route('**/sms/send', async (route: Route) => {
      if (lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      await context.setOffline(true)
      await route.abort('connectionreset')
    })
    await write('0803 123 4567', 'Once')
    await button('Send').click()
    const outcome = page.getByText('The connection was lost before the answer.')
    await outcome.waitFor()
    await page.getByText('The service is not responding.').waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/nothing (was|can be) sent/i)
    expect(await seriousFaults(page)).toEqual([])
    expect(await countMessages(by)).toBe(1)
    // Somewhere else in the console, and on the page of the message again: its draft is not sent a second time.
    await page.evaluate("location.hash = '#/send'")
    await context.setOffline(false)
    await page.getByText('The service has confirmed it. It was carried out once.').waitFor()
    expect(await countMessages(by)).toBe(1)
    expect(lost).toBe(1)
    await at.open('send')
    expect(await page.getByLabel('Recipients').inputValue()).toBe('')
    await button('Dismiss').click()
    await outcome.waitFor({ state: 'detached' })
    await context.unroute('**/sms/send')
  })

  test('is sent once if the page is loaded again, and the same text is sent by hand', async () => {
    const { page, context, service } = at
    const by = await service.organisation({ credit: 100 })
    await at.sit(by.id, 'send')
    let tried = 0
    await context.route('**/sms/send', async (route: Route) => {
      tried += 1
      if (tried === 1) await route.fetch()
      await route.abort('connectionreset')
    })
    await write('0803 123 4568', 'Again')
    await button('Send').click()
    await until('a repetition', () => tried > 1)
    await page.reload()
    await context.unroute('**/sms/send')
    await page.getByText('What you wrote here before is restored').waitFor()
    await button('Send').click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    expect(await countMessages(by)).toBe(1)
    // From now on, the same text is another message.
    await at.open('send')
    await write('0803 123 4568', 'Again')
    await button('Send').click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    expect(await countMessages(by)).toBe(2)
  })

  test('is reported as refused where the service refuses it', async () => {
    const { page, context, service } = at
    const by = await service.organisation({ credit: 1 })
    await at.sit(by.id, 'send')
    let lost = 0
    await context.route('**/sms/send', async (route: Route) => {
      lost += 1
      await (lost === 1 ? route.abort('connectionreset') : route.continue())
    })
    await write('0803 123 4569', 'Too dear')
    await button('Send').click()
    await page.getByText(/The service did not carry it out: .*balance/).waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Too dear')
    expect(await countMessages(by)).toBe(0)
    await context.unroute('**/sms/send')
  })
})

describe('the number of recipients above which a message is confirmed', () => {
  test('is a setting of the organisation', async () => {
    const { page, service } = at
    const by = await service.organisation({ credit: 100 })
    await at.sit(by.id, 'settings')
    await page.getByLabel('Confirm above, in recipients').fill('1,5')
    await button('Save').first().click()
    await page.locator('.faults').first().waitFor()
    await page.getByLabel('Confirm above, in recipients').fill('1')
    await button('Save').first().click()
    await page.getByText('Settings saved.').waitFor()
    await at.open('send')
    await write('0803 123 4567, 0803 123 4568', 'Both')
    await button('Send').click()
    await dialog().getByRole('button', { name: 'Send to 2 recipients' }).click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    await at.open('send')
    await write('0803 123 4567', 'One')
    await button('Send').click()
    await page.getByRole('heading', { level: 1, name: 'Message', exact: true }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })
})

describe('a draft', () => {
  test('and what was read do not reach another user who signs in on the same page', async () => {
    const { page, context, service } = at
    const by = await service.organisation()
    const ada = await person(service, by.id)
    const bola = await person(service, by.id, by.id, 'marketer')
    await by.call('POST', '/templates', { name: 'Of Ada', content: 'Hello' })
    const [name = '', value = ''] = ada.cookie.split('=')
    await context.addCookies([{ name, value, url: service.url }])
    await at.open('templates')
    await page.getByRole('row', { name: /Of Ada/ }).waitFor()
    await at.open('send')
    await page.getByLabel('Text', { exact: true }).fill('Of Ada, unsent')
    await service.db`delete from user_sessions`
    // Whichever request comes first notices it.
    const ended = page.getByText('Your session has ended.').waitFor()
    await Promise.race([
      ended,
      button('Send')
        .click()
        .catch(() => {}),
    ])
    await ended
    // Nothing that is shown to the next user was read for the one before.
    let asked = 0
    await context.route('**/templates?*', async (route: Route) => {
      asked += 1
      await route.fulfill({ json: { templates: [], meta: { pagination: { next_page: 'False' } } } })
    })
    await page.getByLabel('Email').fill(bola.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button('Log in').click()
    await page.getByRole('link', { name: 'Templates' }).first().waitFor()
    expect(page.url()).toMatch(/#\/$/)
    await page.evaluate("location.hash = '#/send'")
    await page.getByLabel('Text', { exact: true }).waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await page.evaluate("location.hash = '#/templates'")
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    expect(await page.getByText('Of Ada').count()).toBe(0)
    await until('the templates of the next user', () => asked > 0)
    await context.unroute('**/templates?*')
  })

  test('of a campaign that was changed elsewhere waits for a decision, and what is being typed is saved before logging out', async () => {
    const { page, service } = at
    const by = await service.organisation()
    const campaign = await by.call<Campaign>('POST', '/campaigns', {
      is_incomplete: true,
      name: 'Shared',
      content: 'One',
    })
    const { id } = campaign.body
    const stored = async () => (await by.call<Campaign>('GET', `/campaigns/${id}`)).body
    const saved = async (content: string) => until(content, async () => (await stored()).texts[0]?.content === content)
    await at.sit(by.id, `campaigns/${id}/edit`)
    const text = page.getByLabel('Text', { exact: true })
    // The service has it, the page does not know: then another user changes it.
    const path = `**/campaigns/${id}`
    await page.route(path, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await text.fill('Mine')
    await page.getByText('Not saved yet, kept in this browser').waitFor()
    await page.goto('about:blank')
    await page.unroute(path)
    await by.call('PATCH', `/campaigns/${id}`, { is_incomplete: true, content: 'Theirs' })
    await at.open(`campaigns/${id}/edit`)
    await page.getByText('The campaign was changed elsewhere since.').waitFor()
    expect(await text.inputValue()).toBe('Mine')
    expect((await stored()).texts[0]?.content).toBe('Theirs')
    await button('Use the saved campaign').click()
    expect(await text.inputValue()).toBe('Theirs')

    // Fields that were not touched here keep what others wrote.
    await by.call('PATCH', `/campaigns/${id}`, { is_incomplete: true, name: 'Renamed' })
    await text.fill('Mine again')
    await saved('Mine again')
    expect((await stored()).name).toBe('Renamed')

    await text.fill('Last words')
    await button('Log out').first().click()
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
    await saved('Last words')
    await page.goto('about:blank')
    await at.sit(by.id, `campaigns/${id}/edit`)
    expect(await text.inputValue()).toBe('Last words')
  })

  test('of numbers for a campaign does not come back once they were uploaded, even if the page was left', async () => {
    const { page, service } = at
    const by = await service.organisation()
    const campaign = await by.call<Campaign>('POST', '/campaigns', {
      is_incomplete: true,
      name: 'Numbers',
      content: 'One',
    })
    const { id } = campaign.body
    await at.sit(by.id, `campaigns/${id}/edit`)
    await button('A file or numbers').click()
    await page.getByLabel('Or numbers').fill('08031234567\n08051234567')
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(`**/campaigns/${id}/recipients`, async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await button('Use these numbers').click()
    await page.evaluate("location.hash = '#/campaigns'")
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    release()
    await until('the upload', async () => {
      const { body } = await by.call<Campaign & { uploaded: number }>('GET', `/campaigns/${id}`)
      return body.uploaded === 2
    })
    await at.open(`campaigns/${id}/edit`)
    await page.getByText('2 are uploaded.').waitFor()
    expect(await page.getByLabel('Or numbers').inputValue()).toBe('')
  })
})

describe('a form of more than two fields', () => {
  test('is restored after leaving it, and closing it discards it', async () => {
    const { page, service } = at
    const by = await service.organisation()
    const row = await by.call<{ row: { id: string } }>('POST', '/lists/contact/rows', {
      columns: { Name: 'Ada Obi', Mobile: '08031234567' },
    })
    await at.sit(by.id, 'templates/new')
    await dialog().getByLabel('Name').fill('Greeting')
    await dialog().getByLabel('Text').fill('Hello')
    await at.open('airtime?new=yes')
    await dialog().getByLabel('Phone number').fill('0803 123 4567')
    await dialog().getByLabel('Your reference').fill('R-1')
    await at.open('otp?new=yes')
    await dialog().getByLabel('Phone number').fill('0805 123 4567')
    await at.open(`contacts/${row.body.row.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Ada Obi-Eze')
    await at.open('lookup')
    await page.getByLabel('Numbers', { exact: true }).fill('0803 123 4567')
    await page.goto('about:blank')

    const restored = page.getByText('What you wrote here before is restored')
    await at.open('templates/new')
    await restored.waitFor()
    expect(await dialog().getByLabel('Text').inputValue()).toBe('Hello')
    await at.open('airtime?new=yes')
    expect(await dialog().getByLabel('Your reference').inputValue()).toBe('R-1')
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    await dialog().getByRole('button', { name: 'Close anyway' }).click()
    await dialog().waitFor({ state: 'detached' })
    await at.open('otp?new=yes')
    expect(await dialog().getByLabel('Phone number').inputValue()).toBe('0805 123 4567')
    await at.open('lookup')
    expect(await page.getByLabel('Numbers', { exact: true }).inputValue()).toBe('0803 123 4567')
    await at.open(`contacts/${row.body.row.id}`)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Obi-Eze')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The contact is saved.').waitFor()
    await at.open('airtime?new=yes')
    expect(await dialog().getByLabel('Your reference').inputValue()).toBe('')
    await at.open(`contacts/${row.body.row.id}`)
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await restored.count()).toBe(0)
    await at.calm()
  })
})

describe('a button', () => {
  test('that cannot be used says why, and one that keeps a thing does not say cancel', async () => {
    const { page, service } = at
    const by = await service.organisation()
    await at.sit(by.id, 'contacts')
    await button('Add a contact').first().click()
    const save = dialog().getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    expect(await save.getAttribute('aria-describedby')).not.toBeNull()
    await dialog().getByText('Fill in a field first.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await dialog().getByLabel('Email').fill('ada@example.com')
    expect(await save.isDisabled()).toBe(false)
    await save.click()
    await dialog().waitFor({ state: 'detached' })
    const send_at = new Date(Date.now() + 86_400_000).toISOString()
    const sent = await by.call<{ id: string }>('POST', '/sms/send', {
      recipients: '08031234567',
      content: 'x',
      send_at,
    })
    await at.open(`messages/${sent.body.id}`)
    await button('Cancel the message').click()
    await dialog().getByRole('button', { name: 'Keep the message' }).click()
    await dialog().waitFor({ state: 'detached' })
    await at.calm()
  })
})

describe('switching the organisation', () => {
  test('leads from a thing of one organisation to the list of the other', async () => {
    const { page, service } = at
    const by = await service.organisation()
    const campaign = await by.call<Campaign>('POST', '/campaigns', { is_incomplete: true, name: 'Here only' })
    await at.sit(by.id, `campaigns/${campaign.body.id}/edit`)
    await page.getByLabel('Text', { exact: true }).fill('Typed last')
    await choose(page.getByRole('complementary').getByLabel('Organisation', { exact: true }), /\(test\)$/)
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    expect(page.url()).toMatch(/#\/campaigns$/)
    expect(await page.getByText('Here only').count()).toBe(0)
    // What was typed last went to the organisation it was typed for.
    await until('the last words', async () => {
      const { body } = await by.call<Campaign>('GET', `/campaigns/${campaign.body.id}`)
      return body.texts[0]?.content === 'Typed last'
    })
    await at.calm()
  })
})
