import { afterAll, describe, expect } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { startHandsets, type Handsets } from '../../src/emulators/whatsapp/handsets.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { complaintsIn, enter, openPage, seriousFaults } from '../support/console.ts'
import { desk } from '../support/desk.ts'
import { APP_SECRET, startMetaServer, type MetaServer } from '../support/meta-server.ts'
import { person } from '../support/person.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

let smsc: Smsc
let meta: MetaServer
let handsets: Handsets | undefined
const at = desk(
  async () => {
    smsc = await startSmsc({ accounts: [{ system_id: 'gangan', password: 'secret' }] })
    meta = await startMetaServer()
    return {
      settings: {
        carriers: [
          smppCarrier(smsc.port),
          { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
          meta.settings(),
        ],
        routes: [
          { name: 'sms', channel: 'sms', carriers: ['mtn', 'simulator'] },
          { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
        ],
      },
    }
  },
  { viewport: { width: 1280, height: 800 } },
)
afterAll(async () => {
  await handsets?.quiet()
  await meta?.close()
  await smsc?.stop()
})

const dialog = () => at.page.getByRole('dialog')

describe('an operator', () => {
  test('shows on the overview that an unconfigured proxy is in front', async () => {
    const { context, page, service, calm } = at
    await enter(context, service, null)
    await openPage(page, service, 'overview')
    expect(await page.getByText('console.trusted_proxies').count()).toBe(0)
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' })
    await page.reload()
    await page.getByText('console.trusted_proxies').waitFor()
    await calm()
  })

  test('approves one sender and rejects another with a reason, which the organisation reads', async () => {
    const { context, page, service, calm } = at
    const other = await service.organisation()
    for (const [sender_id, note] of [
      ['Market', 'Our shops in Kano'],
      ['MyBank', 'A bank'],
    ]) {
      expect((await other.call('POST', '/senders', { sender_id, note })).status).toBe(200)
    }
    const sendAs = async (sender_id: string) =>
      (await other.call('POST', '/sms/send', { recipients: '08031112222', content: 'Hello', sender_id })).status
    expect(await sendAs('Market')).toBe(400)

    await enter(context, service, null)
    await openPage(page, service, 'senders')
    const waiting = page.getByRole('table', { name: 'Senders of all organisations' })
    const row = (name: string) => waiting.getByRole('row', { name: new RegExp(name) })
    await row('Market').getByText('Our shops in Kano').waitFor()
    await row('Market').getByRole('button', { name: 'Decide' }).click()
    await dialog().getByText('Our shops in Kano').waitFor()
    await calm()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await row('Market').waitFor({ state: 'detached' })

    await row('MyBank').getByRole('button', { name: 'Decide' }).click()
    expect(await dialog().getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
    await dialog().getByLabel('Reason').fill('You are no bank')
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No senders to review.').waitFor()
    await page.getByRole('button', { name: 'Rejected', exact: true }).click()
    await row('MyBank').getByText('You are no bank').waitFor()
    await calm()

    const { body } = await other.call<{ senders: object[] }>('GET', '/senders')
    expect(body.senders).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sender_id: 'Market', state: 'approved' }),
        expect.objectContaining({ sender_id: 'MyBank', state: 'rejected', reason: 'You are no bank' }),
      ]),
    )
    await expect.poll(() => sendAs('Market'), { timeout: 15_000 }).toBe(200)
    expect(await sendAs('MyBank')).toBe(400)
  })

  test('creates an organisation with credit, and opens it immediately', async () => {
    const { context, page, service } = at
    await enter(context, service, null)
    await openPage(page, service, 'start')
    await choose(page.getByLabel('Organisation').first(), 'New organisation…')
    await dialog()
      .getByLabel(/^Opening balance/)
      .fill('lots')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await dialog().locator('[aria-invalid="true"]').first().waitFor()
    for (const field of [/^Name/, /^Opening balance/]) {
      expect(await dialog().getByLabel(field).getAttribute('aria-invalid')).toBe('true')
    }
    expect(await seriousFaults(page)).toEqual([])
    await dialog().getByLabel('Name').fill('Suya & Sons')
    await dialog().getByLabel('Sender').fill('Suya')
    await choose(dialog().getByLabel('Country'), 'Ghana (+233)')
    await dialog()
      .getByLabel(/^Opening balance/)
      .fill('2,500')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await page.getByText('Who can log in to Suya & Sons.').waitFor()
    const chosen = () => page.getByLabel('Organisation').first().textContent()
    await expect.poll(chosen).toBe('Suya & Sons')

    await openPage(page, service, 'ledger')
    await page.getByText('₦2,500.00').first().waitFor()
    await openPage(page, service, 'senders')
    const own = page.getByRole('table', { name: 'Senders', exact: true })
    await own.getByRole('row', { name: /Suya/ }).getByText('approved').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'Senders of Suya & Sons' }).waitFor()
  })

  test('changes a role after a confirmation, resets a password, and gets the link', async () => {
    const { context, page, service, calm } = at
    const other = await service.organisation()
    const femi = await person(service, other.id, other.id, 'admin')
    await enter(context, service, null)
    await openPage(page, service, 'users')
    await page.getByLabel('Organisation').first().click()
    await page.locator(`.option[data-key="${other.id}"]`).click()
    const role = page.getByLabel(`Role of ${femi.email}`)
    expect(await role.textContent()).toBe('Admin')
    expect((await role.boundingBox())?.width).toBeGreaterThanOrEqual(100)
    const roles = async () => {
      const { body } = await femi.call<{ users: { email?: string; role: string }[] }>('GET', '/console/api/users')
      return body.users.find(({ email }) => email === femi.email)?.role
    }
    await choose(role, 'Marketer')
    await dialog()
      .getByRole('heading', { name: `Make ${femi.email} marketer?` })
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect([await role.textContent(), await roles()]).toEqual(['Admin', 'admin'])
    await choose(role, 'Marketer')
    await dialog().getByRole('button', { name: 'Change the role' }).click()
    await page.getByText(`${femi.email} is now marketer.`).waitFor()
    expect(await roles()).toBe('marketer')
    // Shown once the list of users is read again.
    await role.filter({ hasText: 'Marketer' }).waitFor()

    const row = page.getByRole('row', { name: new RegExp(femi.email) })
    await row.getByRole('button', { name: 'Disable' }).click()
    await dialog().getByRole('button', { name: 'Keep the user enabled' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect((await femi.call('GET', '/console/api/session')).status).toBe(200)
    await row.getByRole('button', { name: 'Disable' }).click()
    await dialog().getByRole('button', { name: 'Disable' }).click()
    await row.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('The user can log in again.').waitFor()

    await row.getByRole('button', { name: 'Reset' }).click()
    await calm()
    await dialog().getByRole('button', { name: 'Reset the login' }).click()
    const link = await page.getByRole('figure', { name: 'The one-time link' }).locator('code').textContent()
    expect(link).toContain(`${service.url}/console/#/welcome?token=`)
    expect((await femi.call('GET', '/console/api/session')).status).toBe(401)
    await calm()
  })

  test('finds a new organisation in the list of all', async () => {
    const { context, page, service, calm } = at
    await enter(context, service, null)
    await openPage(page, service, 'start')
    await choose(page.getByLabel('Organisation').first(), 'Another organisation…')
    await dialog().getByRole('button', { name: 'Create an organisation' }).click()
    await page.getByRole('dialog', { name: 'Create an organisation' }).getByLabel('Name').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    await calm()
  })
})

describe('status', () => {
  test('shows each check with what to do, and leads to its section of the runbook', async () => {
    const { context, page, service, calm } = at
    await enter(context, service, null)
    await openPage(page, service, 'status')
    await page.getByText(/\d critical finding/).waitFor()
    const row = page.getByRole('table', { name: 'Checks' }).getByRole('row', { name: /^Processes/ })
    await row.getByText('critical').waitFor()
    // The service of this test runs in the process of the test.
    await row.getByText('The service is not running: no process of it is connected to the database.').waitFor()
    expect(await page.getByRole('row', { name: /^Schema ok/ }).count()).toBe(1)
    await calm()
    const link = await row.getByRole('link', { name: 'Runbook: Processes' }).getAttribute('href')
    await page.goto(`${service.url}${link ?? ''}`)
    await page.getByRole('heading', { level: 3, name: 'GanganDown' }).waitFor()
    expect(await page.evaluate<boolean>('document.querySelector(":target")?.textContent === "GanganDown"')).toBe(true)
    expect(await seriousFaults(page)).toEqual([])
  })
})

describe('carriers', () => {
  test('show the state of each bind, its rejections, and its latest traffic', async () => {
    const { context, page, service, calm } = at
    smsc.change({ errors: { RINVDSTADR: 1 } })
    await service.call('POST', '/sms/send', { recipients: '2348031234567', content: 'a secret text' })
    await until('the rejection', () => smsc.counts.refused === 1)
    smsc.change({ errors: {} })
    await enter(context, service, null)
    await openPage(page, service, 'carriers')
    const bind = page.getByRole('table', { name: 'Binds' }).getByRole('row', { name: /mtn 1/ })
    await bind.getByText('bound', { exact: true }).waitFor()
    await bind.getByText('RINVDSTADR 1').waitFor()
    await bind.getByText('0 of 10').waitFor()
    await bind.getByText('≤').first().waitFor()
    const route = page.getByRole('table', { name: 'Routes' }).getByRole('row', { name: /^sms/ })
    await route.getByText('mtn, then simulator').waitFor()
    await page.getByText('Nothing is held.').waitFor()
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id)
      values ('route:gone', ${service.id}, ${service.id}, ${service.id})`
    const held = page.getByRole('table', { name: 'Held messages' }).getByRole('row', { name: /^gone/ })
    await held.getByText('no route', { exact: true }).waitFor()
    await held.getByText('the route and carrier are no longer configured').waitFor()
    await calm()

    await bind.getByRole('link').click()
    const pdus = dialog().getByRole('table', { name: 'Last PDUs' })
    await pdus
      .getByRole('row', { name: /out submit_sm .*to 23480\*\*\*567/ })
      .first()
      .waitFor()
    await pdus.getByRole('row', { name: /in submit_sm_resp .*RINVDSTADR/ }).waitFor()
    expect(await dialog().textContent()).not.toMatch(/secret text|2348031234567/)
    await calm()
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' }) // A colour in transition cannot be checked.
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.querySelector(".dialog-body").scrollWidth')).toBeLessThanOrEqual(390)
    await calm()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await calm()
    await page.setViewportSize({ width: 1280, height: 800 })

    await smsc.stop()
    await bind.getByText(/retry in/).waitFor()
    await calm()
  })
})

describe('what an operator stops', () => {
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })

  test('numbers and prefixes, until they are unblocked', async () => {
    const { sit, page, service } = at
    const send = async () =>
      (await service.call('POST', '/sms/send', { recipients: '2348090000001', content: 'Hello' })).status
    await sit(null, 'blocklist')
    await page.getByText('Nothing is blocked.').waitFor()
    await page.getByRole('button', { name: 'Block numbers' }).click()
    expect(await button('Block').isDisabled()).toBe(true)
    await dialog().getByLabel('Numbers and prefixes').fill('234809*, 12')
    await dialog().getByLabel('Reason').fill('Pumping')
    await button('Block').dblclick()
    await dialog().getByText(/^“12”/).waitFor()
    expect(await page.getByText('Nothing is blocked.').count()).toBe(1)
    // What was written is there again after a reload in the middle.
    await page.reload()
    await page.getByRole('button', { name: 'Block numbers' }).click()
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('Pumping')
    await dialog().getByLabel('Numbers and prefixes').fill('234809*')
    await button('Block').dblclick()
    const row = page.getByRole('row', { name: /^234809\* Pumping/ })
    await row.waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await until('the block', async () => (await send()) === 400)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('searchbox').fill('2345')
    await page.getByText('No blocked number begins with these digits.').waitFor()
    await page.getByRole('searchbox').fill('')
    await row.getByRole('button', { name: 'Unblock' }).click()
    expect(await seriousFaults(page)).toEqual([])
    await button('Unblock').dblclick()
    await page.getByText('Nothing is blocked.').waitFor()
    await until('the end of the block', async () => (await send()) === 200)
  })

  test('carriers and routes, with a reason; what another operator resumed first is said in the window', async () => {
    const { sit, page, service } = at
    await sit(null, 'carriers')
    const route = page.getByRole('table', { name: 'Routes' }).getByRole('row', { name: /^sms/ })
    const carrier = page.getByRole('table', { name: 'Carriers', exact: true }).getByRole('row', { name: /^simulator/ })
    for (const [row, mode] of [
      [route, 'Pause: submit nothing'],
      [carrier, 'Drain: submit no new messages, finish retries'],
    ] as const) {
      await row.getByRole('button', { name: 'Pause' }).click()
      expect(await dialog().getByRole('button', { name: 'Pause', exact: true }).isDisabled()).toBe(true)
      await choose(dialog().getByLabel('What to do'), mode)
      await dialog().getByLabel('Reason').fill('Maintenance')
      await dialog()
        .getByRole('button', { name: /^(Pause|Drain)$/ })
        .dblclick()
      await row.getByText('Maintenance').waitFor()
      await dialog().waitFor({ state: 'detached' })
    }
    expect(await seriousFaults(page)).toEqual([])
    await carrier.getByRole('button', { name: 'Resume' }).click()
    await service.db`delete from operator_pauses`
    await button('Resume').click()
    await dialog().getByRole('alert').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await button('Keep it paused').click()
    await route.getByText('active').waitFor()
  })

  test('limits of an organisation, in requests and recipients', async () => {
    const { sit, page, service } = at
    await sit(null, 'organisations')
    const { id } = await service.organisation()
    await service.db`update organisations set name = 'Busy shop' where id = ${id}`
    const row = page.getByRole('row', { name: /^Busy shop/ })
    await row.getByRole('button', { name: 'Limit' }).click()
    await dialog().getByLabel('API requests per second').fill('2,5')
    await button('Save').click()
    await dialog().locator('[aria-invalid="true"]').waitFor()
    await dialog().getByLabel('API requests per second').fill('')
    await dialog().getByLabel('Recipients per second').fill('1,500.5')
    await button('Save').dblclick()
    await row.getByText('1,500.5 recipients/s').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await row.getByRole('button', { name: 'Limit' }).click()
    await dialog().getByLabel('Recipients per second').fill('')
    await button('Save').click()
    await row.getByText('1,500.5 recipients/s').waitFor({ state: 'detached' })
  })
})

describe('templates at WhatsApp', () => {
  const preview = () => dialog().getByRole('figure', { name: 'Preview' })
  const submit = () => dialog().getByRole('button', { name: 'Submit for review' })

  test('are written with named parameters, reviewed, corrected and deleted', async () => {
    const { sit, page, service } = at
    handsets = startHandsets(meta, {
      webhook_url: `${service.url}/carriers/whatsapp/meta`,
      app_secret: APP_SECRET,
      fate: () => 'nothing',
      treat: () => 'take',
      review_ms: 100,
      transit_ms: 1,
    })
    await sit(service.id, 'templates/whatsapp/new')
    await dialog().getByLabel('Name', { exact: true }).fill('reject_shipped')
    await choose(dialog().getByLabel('Header'), 'Text')
    await dialog().getByLabel('Text of the header').fill('Order {{order}}')
    await dialog().getByLabel('Text', { exact: true }).fill('Hello {{name}}, your *order {{order}}* is on its way.')
    await submit().dblclick()
    await dialog().getByText('A sample for each parameter is required: name, order.').waitFor()
    await page.reload()
    expect(await dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('reject_shipped')
    await dialog().getByLabel('Sample for order in the header').fill('1042')
    await dialog().getByLabel('Sample for name').fill('Ada')
    await dialog().getByLabel('Sample for order', { exact: true }).fill('1042')
    await dialog().getByRole('button', { name: 'Add a button' }).click()
    await choose(dialog().getByLabel('What it does'), 'Opens a URL')
    await dialog().getByLabel('Label').fill('Track')
    await dialog().getByLabel('URL', { exact: true }).fill('https://shop.example/{{1}}')
    await dialog().getByLabel('Sample for 1').fill('https://shop.example/1042')
    expect(await preview().textContent()).toBe('Order 1042Hello Ada, your order 1042 is on its way.Track')
    expect(await seriousFaults(page)).toEqual([])
    await submit().dblclick()
    const row = page.getByRole('row', { name: /^reject_shipped/ })
    await row.getByText('The language or the category does not match the content.').waitFor()
    expect(await row.count()).toBe(1)
    expect(await seriousFaults(page)).toEqual([])

    // What was rejected gets another category and another text, and keeps the rest.
    await row.getByRole('link').click()
    await choose(dialog().getByLabel('Category'), 'Marketing')
    await dialog().getByLabel('Text', { exact: true }).fill('Hello {{name}}, order {{order}} is there.')
    await submit().click()
    await row.getByText('Marketing').waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete the template' }).dblclick()
    await row.waitFor({ state: 'detached' })
    expect(meta.templates.some(({ name }) => name === 'reject_shipped')).toBe(false)
  })

  test('for codes are created with the button that fills them in', async () => {
    const { sit, page, service } = at
    await sit(service.id, 'templates/whatsapp/new')
    await dialog().getByLabel('Name', { exact: true }).fill('sign_in')
    await choose(dialog().getByLabel('Category'), 'Authentication')
    await choose(dialog().getByLabel('The button'), 'Fills in the code without a tap')
    await dialog().getByLabel('Package name').fill('com.example.shop')
    await dialog().getByLabel('Signing key hash').fill('short')
    await submit().click()
    await dialog().getByText('A signature hash has 11 characters.').waitFor()
    await dialog().getByLabel('Signing key hash').fill('K8a/AINcGX7')
    await dialog().getByLabel('We accept').check()
    await dialog().getByLabel('The code expires after').fill('5')
    expect(await preview().textContent()).toContain('This code expires in 5 minutes.')
    expect(await seriousFaults(page)).toEqual([])
    await submit().click()
    const row = page.getByRole('row', { name: /^sign_in/ })
    await row.getByText('approved').waitFor()
    await row.getByRole('link').click()
    await dialog()
      .getByText(/^Authentication templates are changed through the API/)
      .waitFor()
    expect(await submit().count()).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
  })

  test('are values for a viewer', async () => {
    const { context, open, page, service } = at
    await enter(context, service, service.id, 'viewer')
    await open('templates')
    const row = page.getByRole('row', { name: /^order_update/ })
    await row.getByText('approved').waitFor()
    expect(await page.getByRole('link', { name: 'Create a WhatsApp template' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await row.getByRole('link').click()
    await preview().getByText('your order {{2}} is on its way.').waitFor()
    expect(await dialog().getByRole('textbox').count()).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
  })
})

describe('a user of an organisation', () => {
  test('cannot approve senders or create organisations', async () => {
    const { context, page, service, watch } = at
    await enter(context, service, service.id)
    await openPage(page, service, 'senders')
    await page.getByRole('table', { name: 'Senders', exact: true }).waitFor()
    expect(await page.getByText('Awaiting review').count()).toBe(0)
    await page.getByLabel('Organisation').first().click()
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option').allTextContents()).toEqual(['Tests', 'Tests (test)'])
    expect(complaintsIn(watch)).toEqual([])
  })

  test('finds the sign-out button within the sidebar, for any length of the address', async () => {
    const { page, service } = at
    const email = `${'a.colleague.with.a.long.name'.repeat(2)}@example.com`
    const { token } = await inviteUser(service, COMMAND_LINE, { email, organisation_id: service.id })
    await page.goto(`${service.url}/console/#/welcome?token=${token}`)
    await page.getByLabel('Password', { exact: true }).fill('a drum that talks')
    await page.getByRole('button', { name: 'Enter' }).click()
    const right = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.x ?? Infinity) + (box?.width ?? Infinity)
    }
    await page.locator('.sidebar').getByRole('button', { name: 'Log out' }).waitFor()
    expect(await right('.sidebar [aria-label="Log out"]')).toBeLessThanOrEqual(await right('.sidebar'))
  })
})
