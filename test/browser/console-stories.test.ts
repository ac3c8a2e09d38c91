import { describe, expect } from 'vitest'
import { qrCode, type Modules } from '../../console/src/qr/qr.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, enter, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { PASSWORD, person } from '../support/person.ts'
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
  test('follows the one-time link, chooses a password, and signs in again', async () => {
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
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a drum that sings')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('a drum that talks')
    await page.getByRole('button', { name: 'Log in' }).click()
    await heading('Start').waitFor()

    await page.goto(`${service.url}/console/#/welcome?token=${token}`)
    await heading('This link does not work any more').waitFor()
  })

  test('adds a second factor with an authenticator app, from the QR code, and logs in with it in a step of its own', async () => {
    const { context, page, service, watch } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'account')
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Enable it' }).click()
    const code = page.getByRole('img', { name: 'The secret as a QR code' })
    const drawn = await code.locator('path').getAttribute('d')
    const address = (await page.getByRole('link', { name: 'open it in the app' }).getAttribute('href')) ?? ''
    expect(darkIn(drawn ?? '')).toEqual(darkOf(qrCode(address) ?? []))
    expect(await seriousFaults(page)).toEqual([])

    const secret = new URL(address).searchParams.get('secret') ?? ''
    const digits = secret.split('').map((character) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character))
    const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('')
    const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2))
    await page.getByLabel('Code', { exact: true }).fill(totpCode(bytes, Math.floor(Date.now() / 30_000)))
    await page.getByRole('button', { name: 'Confirm' }).click()
    const recovery = await page.getByRole('figure', { name: 'Recovery codes' }).locator('code').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(complaintsIn(watch)).toEqual([])

    const email = (await page.locator('.account-user').first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Log out' }).click()
    const logIn = async () => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await heading('One more step').waitFor()
    }
    await logIn()
    // The step starts without an error, and with the focus in the field that authenticator apps fill.
    expect(await page.locator('.refused, .faults').count()).toBe(0)
    const field = page.getByLabel('Code', { exact: true })
    await page.locator('input[name=code]:focus').waitFor()
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong or has already been used.').first().waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await logIn()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery?.split('\n')[0] ?? '')
    await page.keyboard.press('Enter')
    await heading('Start').waitFor()
  })

  test('sends itself a message in a few clicks, and finds it on the virtual phone', async () => {
    const { page, service } = at
    await at.sit(service.id, 'start')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('It arrived at +234 803 123 4567.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'See the phone' }).click()
    await page
      .getByRole('article', { name: 'Phone +234 803 123 4567' })
      .getByText(/^Hello from /)
      .waitFor()
  })

  test('adds a passkey, and logs in with it alone and after the password', async () => {
    const { context, page, service } = at
    const { email } = await person(service, service.id)
    // Passkeys belong to a host name; an IP address has none.
    const local = service.url.replace('127.0.0.1', 'localhost')
    const browser = await context.newCDPSession(page)
    await browser.send('WebAuthn.enable')
    await browser.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const logIn = async () => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
    }
    await page.goto(`${local}/console/#/account`)
    await logIn()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Laptop')
    await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Add the passkey' }).click()
    await page.getByRole('figure', { name: 'Recovery codes' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: /Laptop/ }).waitFor()

    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await heading('Start').waitFor()

    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn()
    await heading('One more step').waitFor()
    await page.locator('button:focus', { hasText: 'Use a passkey' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await heading('Start').waitFor()

    await page.goto(`${local}/console/#/account`)
    await page
      .getByRole('row', { name: /Laptop/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Remove the passkey' }).click()
    await page.getByText('You have no passkey yet.').waitFor()
  })

  test('creates a key, and the example with it works unchanged', async () => {
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

test('airtime is bought on the network of the number, after a confirmation with the price and the balance', async () => {
  const { page, service } = at
  await at.sit(service.id, 'airtime')
  await page.getByRole('button', { name: 'Buy airtime' }).first().click()
  await page.getByLabel('Phone number').fill('0805 123 4567')
  await page.getByText('Detected from the number.').waitFor()
  await page.getByLabel('Amount in NGN').fill('500')
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the purchase' })
  await dialog.getByText('Glo', { exact: true }).waitFor()
  await dialog.getByText('₦500.00', { exact: true }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '2348051234567' }).getByText('Success').waitFor()
})

describe('a message', () => {
  test('is written, arrives on a virtual phone live, and becomes delivered', async () => {
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
    type Sent = { deliveries: { links: { short_url: string }[] }[] }
    const message = await service.call<Sent>('GET', `/sms/${body.id}`)
    const short_url = message.body.deliveries[0]?.links[0]?.short_url ?? ''
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

  test('is sent over plain http, too, where browsers restrict pages', async () => {
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

  test('with counted links is shown, counted and charged with the short ones', async () => {
    const { page, service } = at
    await at.sit(service.id, 'send')
    await page.getByLabel('Recipients').fill('0803 111 0005')
    const link = `https://example.com/${'market/'.repeat(22)}`
    await page.getByLabel('Text', { exact: true }).fill(`See ${link}`)
    await page.getByText(/^1\d\d characters, 2 pages/).waitFor()
    await page.getByText('Reference, callback, links').click()
    await page.getByLabel('Count clicks on links').check()
    await page.getByText('Counted with short links.').waitFor()
    const counter = page.getByText(/^\d+ characters, 1 page, \d+ left on it\.$/)
    await counter.waitFor()
    const length = Number.parseInt((await counter.textContent()) ?? '', 10)
    const bubble = page.locator('.send-bubble', { hasText: '/l/' })
    await bubble.waitFor()
    expect([await bubble.textContent(), (await bubble.textContent())?.length]).toEqual([
      expect.not.stringContaining('example.com'),
      length,
    ])
    await page.getByText('₦4.00').first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })

  test('to a pasted list is checked while typing, leaves out wrong numbers, and is confirmed if it is large', async () => {
    const { context, page, service, watch } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'send')
    const field = page.getByLabel('Recipients')
    const wrong = page.getByRole('group', { name: 'Not valid phone numbers' })
    await field.fill('nonsense 0805 222 1000')
    await wrong.getByText('nonsense', { exact: true }).waitFor()
    await wrong.getByRole('button', { name: 'Leave these out', exact: true }).click()
    await expect.poll(() => field.inputValue()).toBe('0805 222 1000')
    expect(await wrong.count()).toBe(0)

    const many = Array.from({ length: 100 }, (_, i) => `0803 222 ${1000 + i}`)
    await field.fill(`0805 222 1000, 080312345 +2348052221000\n${many.join(' ')}`)
    await page.getByText('101 valid numbers, 1 given twice and sent once.').waitFor()
    await wrong.getByText('080312345', { exact: true }).waitFor()
    await page.getByLabel('Text', { exact: true }).fill('The market opens at nine.')
    expect(await seriousFaults(page)).toEqual([])
    await wrong.getByRole('button', { name: 'Leave these out and send to the other 101' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm the message' })
    await dialog.getByText('₦404.00').waitFor()
    expect(await wrong.count()).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send to 101 recipients' }).click()
    await heading('Message').waitFor()
    expect(complaintsIn(watch)).toEqual([])
  })

  test('is rejected beside the invalid field', async () => {
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
    const said = handset.getByText('Copied').waitFor() // Shown for a moment only.
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

describe('the explanation of a message', () => {
  const said = async () => (await at.page.locator('.explanation li').allTextContents()).join(' ')

  async function explainTo(organisation_id: string | null): Promise<string> {
    const { context, page, service } = at
    const body = { recipients: '2348033330002', content: 'Pay ₦500' }
    const sent = await service.call<{ id: string }>('POST', '/sms/send', body)
    await enter(context, service, organisation_id, 'viewer')
    await openPage(page, service, `messages/${sent.body.id}`)
    await page.getByRole('heading', { level: 2, name: 'Explanation' }).waitFor()
    await expect.poll(said, { timeout: 15_000 }).toMatch(/took the message at .* delivered at /)
    expect(await seriousFaults(page)).toEqual([])
    return said()
  }

  test('says to a customer what forced UCS-2, which price rule applied, and no name of a carrier', async () => {
    const text = await explainTo(at.service.id)
    expect(text).toContain('The character ₦ (U+20A6) is not in the GSM alphabet, so the text is sent in UCS-2.')
    expect(text).toMatch(/The charge is 4, at 4 per page\..*: the most specific one that matches\./)
    expect(text).toContain('Carrier 1 of 1: took the message at ')
    expect(text).not.toContain('simulator')
  })

  test('names the carrier to an operator', async () => {
    expect(await explainTo(null)).toContain('Carrier 1 of 1, simulator: took the message at ')
  })
})

describe('a callback that failed', () => {
  test('is shown with its response, and sent again', async () => {
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
    await story.getByText('responded with 500').first().waitFor()
    await story.getByText('Payload').click()
    expect(await story.locator('.data').textContent()).toContain('text.delivered')

    receiver.answer = () => 200
    const before = receiver.received.length
    await story.getByRole('button', { name: 'Send again' }).click()
    await until('the callback again', () => receiver.received.length > before)
    // Twice, if the automatic retry was made meanwhile.
    await story.getByText('responded with 200').first().waitFor()
    await story.locator('.badge', { hasText: 'delivered' }).waitFor()
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(1)
    await receiver.close()
  })
})

describe('settings', () => {
  test('with a new name show it immediately wherever the organisation is named', async () => {
    const { context, page, service } = at
    const other = await service.organisation()
    await enter(context, service, other.id)
    await openPage(page, service, 'settings')
    await page.getByLabel('Name', { exact: true }).fill('Suya Spot')
    await page.getByRole('button', { name: 'Save' }).first().click()
    const chosen = page.getByLabel('Organisation', { exact: true }).first()
    await expect.poll(() => chosen.textContent(), { timeout: 15_000 }).toBe('Suya Spot')
    await page.reload()
    await expect.poll(() => chosen.textContent(), { timeout: 15_000 }).toBe('Suya Spot')
    await openPage(page, service, '%E0%A4%A')
    await heading('There is no such page').waitFor()
  })
})

describe('a key', () => {
  test('is created with few scopes, works, and is rejected once it is revoked', async () => {
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
    await until('the key to be rejected', async () => (await status('/sms')) === 401)
  })
})

describe('a hook', () => {
  test('is created on the page of keys, and sends the codes of an identity server until it is deleted', async () => {
    const { context, page, service } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'keys')
    await page.getByRole('figure', { name: 'For Twilio’s libraries' }).getByText('client.api.baseUrl').waitFor()
    await page.getByRole('button', { name: 'Create a hook' }).click()
    await choose(page.getByLabel('For', { exact: true }), 'Logto')
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
  test('is created on the page of keys, and binds until it is deleted', async () => {
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
  test('are imported after a dry run, filtered, saved as a smartlist, and sent to', async () => {
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
    await choose(page.getByLabel('Column'), 'City')
    await page.getByLabel('Value').fill('kano')
    await page.getByText('10 contacts').waitFor()
    await page.getByRole('button', { name: 'Save as a smartlist' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Kano')
    await page.locator('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Send to it' }).click()
    await page.getByLabel('Name of the campaign').fill('Morning in Kano')
    await page.getByRole('button', { name: 'Continue' }).click()
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

  test('are changed in place, and an invalid value is rejected in its cell', async () => {
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
