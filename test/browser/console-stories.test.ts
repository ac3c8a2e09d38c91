import { describe, expect } from 'vitest'
import { qrCode, type Modules } from '../../console/src/qr/qr.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, enter, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { PASSWORD } from '../support/person.ts'
import { bind } from '../support/smpp-client.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const options = { credit: 10_000, settings: { smpp_server: { port: 0 } } }
const at = desk(options, { permissions: ['clipboard-read'] })

const QUIET = 4

/** Column and row of every dark module, of a code and of its drawing. */
const darkOf = (modules: Modules) => modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x} ${y}`] : [])))
const darkIn = (path: string) =>
  [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].flatMap(([, x, y, run]) =>
    Array.from({ length: Number(run) }, (_, step) => `${Number(x) + step - QUIET} ${Number(y) - QUIET}`),
  )

const heading = (name: string) => at.page.getByRole('heading', { level: 1, name, exact: true })

describe('a new user', () => {
  test('follows the one-time link, chooses a password, and finds the way back in', async () => {
    const { page, service } = at
    const { token } = await inviteUser(service, COMMAND_LINE, { email: 'ada@example.com', organisation_id: service.id })
    await page.goto(`${service.url}/console/#/welcome?token=${token}`)
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Enter' }).click()
    const password = page.getByLabel('Password', { exact: true })
    await page.locator('.faults').waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.faults').textContent()).toContain('12')
    await password.fill('a drum that talks')
    await page.getByRole('button', { name: 'Enter' }).click()
    await heading('Start').waitFor()

    await page.getByRole('button', { name: 'Log out' }).click()
    await heading('Log in').waitFor()
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a drum that sings')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('a drum that talks')
    await page.getByRole('button', { name: 'Log in' }).click()
    await heading('Start').waitFor()

    await page.goto(`${service.url}/console/#/welcome?token=${token}`)
    await heading('This link does not work any more').waitFor()
  })

  test('adds a second step with the app of a phone, pointed at the code', async () => {
    const { context, page, service, watch } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'account')
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Enable it' }).click()
    const code = page.getByRole('img', { name: 'The secret as a QR code' })
    const drawn = await code.locator('path').getAttribute('d')
    const address = (await page.getByRole('link', { name: 'open it there' }).getAttribute('href')) ?? ''
    expect(darkIn(drawn ?? '')).toEqual(darkOf(qrCode(address) ?? []))
    expect(await seriousFaults(page)).toEqual([])

    const secret = new URL(address).searchParams.get('secret') ?? ''
    const digits = secret.split('').map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('')
    const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2))
    await page.getByLabel('Code', { exact: true }).fill(totpCode(bytes, Math.floor(Date.now() / 30_000)))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('figure', { name: 'Recovery codes' }).waitFor()
    expect(complaintsIn(watch)).toEqual([])
  })

  test('makes a key, and the example with it works as it stands', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'start')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.getByRole('figure', { name: 'The new key' }).locator('code').textContent()
    expect(key).toMatch(/^gg_live_/)
    const curl = await page.getByRole('figure', { name: 'curl example' }).locator('code').textContent()
    const [, url = '', body = ''] = /curl '([^']+)'.*-d '([^']+)'/s.exec(curl ?? '') ?? []
    expect(curl).toContain(`Authorization: ${key}`)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: key ?? '', 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(200)
    await page.locator('.ticked', { hasText: 'See it arrive' }).waitFor()
  })
})

describe('a message', () => {
  test('is written, arrives on a virtual phone while one looks, and turns delivered', async () => {
    const { context, page, service, watch } = at
    await enter(context, service, service.id)
    const phones = await context.newPage()
    await openPage(phones, service, 'phones')
    await openPage(page, service, 'send')
    await page.getByLabel('Recipients').fill('0803 111 0001')
    await page.getByLabel('Text', { exact: true }).fill('Bring ₦500 and see https://example.com/market')
    await page.locator('.send-foreign', { hasText: '₦' }).waitFor()
    await page.getByRole('button', { name: 'Use plain characters' }).click()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toContain('NGN 500')
    await page.getByRole('button', { name: 'Send', exact: true }).click()

    await heading('Message').waitFor()
    await page.locator('.timeline', { hasText: 'Submitted to the carrier' }).waitFor()
    await page.locator('.data .badge', { hasText: 'delivered' }).waitFor()

    const handset = phones.getByRole('article', { name: 'Phone +234 803 111 0001' })
    await handset.getByText('Bring NGN 500').waitFor()
    expect(await handset.getByRole('link').getAttribute('href')).toBe('https://example.com/market')

    await openPage(page, service, 'messages')
    await page.getByLabel('Search by number or reference').fill('08031110001')
    const row = page.getByRole('row', { name: /803 ?111/ }).first()
    await row.getByText('delivered').waitFor()
    expect(complaintsIn(watch)).toEqual([])
  })

  test('shows in its timeline which link was opened', async () => {
    const { context, page, service, watch } = at
    const { body } = await service.call<{ id: string }>('POST', '/sms/send', {
      recipients: '2348031110007, 2348031110008',
      content: 'See https://example.com/market',
      is_trackable: true,
    })
    type Told = { deliveries: { links: { short_url: string }[] }[] }
    const told = await service.call<Told>('GET', `/sms/${body.id}`)
    const short_url = told.body.deliveries[0]?.links[0]?.short_url ?? ''
    await enter(context, service, service.id)
    await openPage(page, service, `messages/${body.id}`)
    const links = page.getByRole('region', { name: 'Tracked links' })
    await links.getByText('not opened yet').waitFor()
    await fetch(service.url + new URL(short_url).pathname, {
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36',
      },
    })
    const step = page.locator('.timeline li', { hasText: 'Opened a link' })
    await step.getByText('https://example.com/market · once').waitFor()
    await links.getByText('once').waitFor()
    const row = page.getByRole('table', { name: 'Recipients' }).getByRole('row', { name: /803 ?111 ?0007/ })
    await until('the click beside the number', async () => (await row.getByRole('cell').nth(2).textContent()) === '1')
    await page.setViewportSize({ width: 1280, height: 800 })
    const cut = `[...document.querySelectorAll('.table-wrap')].filter((wrap) => wrap.scrollWidth > wrap.clientWidth).length`
    expect(await page.evaluate(cut)).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
    expect(complaintsIn(watch)).toEqual([])
  })

  test('is sent over plain http, too, where browsers give pages less', async () => {
    const { context, page, service, watch } = at
    await page.addInitScript('delete Crypto.prototype.randomUUID')
    await enter(context, service, service.id)
    await openPage(page, service, 'send')
    expect(await page.evaluate('crypto.randomUUID')).toBeUndefined()
    await page.getByLabel('Recipients').fill('0803 111 0009')
    await page.getByLabel('Text', { exact: true }).fill('Hello')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await heading('Message').waitFor()
    expect(complaintsIn(watch)).toEqual([])
  })

  test('is refused beside the field that is wrong', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'send')
    await page.getByLabel('Recipients').fill('0803 111 0002, not a number')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page
      .locator('.field', { has: page.getByLabel('Recipients') })
      .locator('.faults')
      .waitFor()
    expect(await page.getByLabel('Recipients').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a one-time password', () => {
  test('is requested, read on the phone, and verified', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    const phones = await context.newPage()
    await openPage(phones, service, 'phones')
    await openPage(page, service, 'otp')
    await page.getByRole('button', { name: 'Request a token' }).first().click()
    await page.getByLabel('Phone number').fill('+234 803 222 0001')
    await page.getByRole('button', { name: 'Send the token' }).click()

    const handset = phones.getByRole('article', { name: 'Phone +234 803 222 0001' })
    const copy = handset.getByRole('button', { name: /^Copy \d{6}$/ })
    const label = await copy.textContent()
    const token = label?.replace(/\D/g, '') ?? ''
    await phones.bringToFront()
    const said = handset.getByText('Copied').waitFor() // shown for a moment only
    await copy.click()
    await said
    expect(await phones.evaluate<string>('navigator.clipboard.readText()')).toBe(token)

    const wrong = token === '000000' ? '111111' : '000000'
    await page.getByLabel('Token', { exact: true }).fill(wrong)
    await page.getByRole('button', { name: 'Verify', exact: true }).last().click()
    await page.locator('dialog .faults').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.getByRole('button', { name: 'Verify', exact: true }).last().click()
    await page.getByText('The token is verified').waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Close' }).last().click()
    const row = page.getByRole('row', { name: /803 ?222/ }).first()
    await row.getByText('verified').waitFor()
  })
})

describe('a callback that failed', () => {
  test('is shown with what was answered, and sent again', async () => {
    const { context, page, service } = at
    const receiver = await startReceiver()
    receiver.answer = () => 500
    const recipients = '2348033330001'
    const { body } = await service.call<{ id: string }>('POST', '/sms/send', {
      recipients,
      content: 'Will they know?',
      callback: receiver.url,
    })
    await receiver.wait(1)
    await enter(context, service, service.id)
    await openPage(page, service, `messages/${body.id}`)
    const story = page.locator('.callback')
    await story.getByText('answered 500').first().waitFor()
    await story.getByText('Payload').click()
    expect(await story.locator('.data').textContent()).toContain('text.delivered')

    receiver.answer = () => 200
    const before = receiver.received.length
    await story.getByRole('button', { name: 'Send again' }).click()
    await until('the callback again', () => receiver.received.length > before)
    // Twice, where the retry of its own accord came meanwhile.
    await story.getByText('answered 200').first().waitFor()
    await story.locator('.badge', { hasText: 'delivered' }).waitFor()
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(1)
    await receiver.close()
  })
})

describe('settings', () => {
  test('with a new name show it at once wherever the organisation is named', async () => {
    const { context, page, service } = at
    const other = await service.organisation()
    await enter(context, service, other.id)
    await openPage(page, service, 'settings')
    await page.getByLabel('Name', { exact: true }).fill('Suya Spot')
    await page.getByRole('button', { name: 'Save' }).first().click()
    const chosen = page.getByLabel('Organisation', { exact: true }).first().locator('option:checked')
    await expect.poll(() => chosen.textContent(), { timeout: 15_000 }).toBe('Suya Spot')
    await page.reload()
    await expect.poll(() => chosen.textContent(), { timeout: 15_000 }).toBe('Suya Spot')
    await openPage(page, service, '%E0%A4%A')
    await heading('There is no such page').waitFor()
  })
})

describe('a key', () => {
  test('is made with few rights, works, and is refused once it is revoked', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'keys')
    await page.getByRole('button', { name: 'Create a key' }).first().click()
    await page.getByLabel('Name').fill('A shop')
    for (const scope of ['Airtime', 'Lookup', 'Contacts', 'Settings', 'Callbacks', 'Balance']) {
      await page.getByRole('checkbox', { name: new RegExp(`^${scope}`) }).uncheck()
    }
    await page.getByRole('button', { name: 'Create the key' }).click()
    const secret = await page.getByRole('figure', { name: 'The new key' }).locator('code').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const status = async (path: string) =>
      (await fetch(service.url + path, { headers: { authorization: secret ?? '' } })).status
    expect(await status('/sms')).toBe(200)
    expect(await status('/airtime')).toBe(403)
    expect(await status('/settings')).toBe(403)

    const row = page.getByRole('row', { name: /A shop/ })
    await row.getByText('messages, one-time passwords').waitFor()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('revoked').waitFor()
    await until('the key refused', async () => (await status('/sms')) === 401)
  })
})

describe('a hook', () => {
  test('is made on the page of keys, and sends what an identity server asks for until it is deleted', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'keys')
    await page.getByRole('figure', { name: 'For Twilio’s libraries' }).getByText('client.api.baseUrl').waitFor()
    await page.getByRole('button', { name: 'Create a hook' }).click()
    await page.getByLabel('For', { exact: true }).selectOption('logto')
    await page.getByRole('button', { name: 'Create the hook' }).click()
    const shown = await page.getByRole('figure', { name: 'The new hook' }).locator('code').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const [address = '', secret = ''] = (shown ?? '').split('\n')
    const body = JSON.stringify({ to: '+2348031234567', type: 'SignIn', payload: { code: '561166' } })
    const headers = { authorization: secret, 'content-type': 'application/json' }
    const post = async () => (await fetch(address, { method: 'POST', headers, body })).status
    expect(await post()).toBe(200)
    const row = page.getByRole('row', { name: /Logto/ })
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the hook' }).click()
    await page.getByText('There is no hook yet.').waitFor()
    expect(await post()).toBe(404)
  })
})

describe('an SMPP account', () => {
  test('is made on the page of keys, and binds until it is deleted', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'keys')
    await page.getByRole('button', { name: 'Create an SMPP account' }).click()
    await page.getByLabel('system_id').fill('shop')
    await page.getByLabel('Networks').fill('127.0.0.1/32')
    await page.getByRole('button', { name: 'Create the account' }).click()
    const shown = await page.getByRole('figure', { name: 'The new SMPP account' }).locator('code').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const [, password = ''] = /^system_id = shop\npassword = (\w{8})$/.exec(shown ?? '') ?? []
    const client = await bind(service.smpp_port, { system_id: 'shop', password })
    const sent = await client.submit({ destination_addr: '2348031234567', short_message: 'Hello' })
    expect(sent.command_status).toBe(0)
    const row = page.getByRole('row', { name: /shop/ })
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the account' }).click()
    await page.getByText('There is no SMPP account yet.').waitFor()
    await until('the bind to end', () => client.is_closed)
  })
})

describe('ten thousand contacts', () => {
  test('are imported after a trial, filtered, kept as a smartlist, and sent to', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'contacts')
    await page.getByRole('button', { name: 'Import' }).first().click()
    const lines = Array.from({ length: 10_000 }, (_, index) => {
      const mobile = `080${String(50_000_000 + index)}`
      return `Person ${index},person${index}@example.com,${index === 7 ? 'nonsense' : mobile},${index % 1_000 === 0 ? 'Kano' : 'Lagos'}`
    })
    const csv = ['Name,Email,Mobile,City', ...lines].join('\n')
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('It would be 9,999 new, 0 changed, 1 refused').waitFor()
    await page.getByRole('row', { name: /9 Mobile/ }).waitFor()
    await page.getByRole('button', { name: 'Import 9,999 contacts' }).click()
    await page.getByText('Imported: 9,999 new').waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('9,999 contacts').waitFor()

    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').selectOption({ label: 'City' })
    await page.getByLabel('Value').fill('kano')
    await page.getByText('10 contacts').waitFor()
    await page.getByRole('button', { name: 'Save as a smartlist' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Kano')
    await page.locator('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Send to it' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Good morning {{Name}}')
    await page.getByRole('button', { name: 'Check recipients and cost' }).click()
    await page.getByRole('button', { name: 'Send…' }).click()
    await page.getByRole('heading', { name: 'Send to 10 people for ₦40.00?' }).waitFor()
    await page.getByRole('button', { name: 'Send it' }).click()
    await page.locator('.figure', { hasText: 'Sent' }).getByText('10', { exact: true }).waitFor()
    await page.locator('.badge', { hasText: 'finished' }).waitFor()
    const text = await until('the message on a phone', async () => {
      const { body } = await service.call<{ messages: { text: string }[] }>(
        'GET',
        '/sandbox/messages?recipient=08050001000',
      )
      return body.messages[0]?.text
    })
    expect(text).toBe('Good morning Person 1000')
  })

  test('are changed in place, and a bad value is refused in its cell', async () => {
    const { context, page, service } = at
    await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Zainab', Email: 'zainab@example.com' } })
    await enter(context, service, service.id)
    await openPage(page, service, 'contacts')
    const row = page.getByRole('row', { name: /Zainab/ })
    await row.getByRole('gridcell', { name: 'zainab@example.com' }).click()
    await page.getByLabel('Email', { exact: true }).fill('no address')
    await page.keyboard.press('Enter')
    await page.locator('.sheet-fault').waitFor()
    await page.getByLabel('Email', { exact: true }).fill('zainab@example.org')
    await page.keyboard.press('Enter')
    await row.getByRole('gridcell', { name: 'zainab@example.org' }).waitFor()
    const keptRows = async () => {
      const { body } = await service.call<{ rows: unknown[] }>('POST', '/lists/contact/rows/query', {
        filters: [{ name: 'Email', operator: 'equal', value: 'zainab@example.org' }],
      })
      return body.rows.length
    }
    await expect.poll(keptRows, { timeout: 15_000 }).toBe(1)
  })
})
