import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import { startPhoneEmulator, type PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import type { PlanList } from '../../src/probes/schema.ts'
import { choose } from '../support/browser-fields.ts'
import { browserTest as test } from '../support/browser-test.ts'
import { seriousFaults } from '../support/console.ts'
import { desk, type Desk } from '../support/desk.ts'
import { person, type Person } from '../support/person.ts'
import { untilPresent } from '../support/phone.ts'
import { tokenOf } from '../support/phone-api.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { findCutTables, findTooWide } from '../support/watch-page.ts'

const NUMBER = '2348031234567'
const PATH = '/console/api/probes'

/** Light, dark and on a phone, where nothing may be cut off. */
async function looksRight({ page }: Desk): Promise<void> {
  expect(await seriousFaults(page)).toEqual([])
  expect(await findCutTables(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1024, height: 768 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await findCutTables(page)).toEqual([])
  expect(await findTooWide(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await seriousFaults(page)).toEqual([])
  expect(await findTooWide(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('without a phone that receives probes', () => {
  const at = desk()

  test('an operator sees what is needed, and the guide', async () => {
    const { page, service } = at
    await at.sit(null, 'probes?new=yes')
    await page.getByText('No phone receives probes.').waitFor()
    await page.getByText('probe: true').waitFor()
    expect(await page.getByRole('button', { name: 'New plan' }).isDisabled()).toBe(true)
    await page.getByText('It needs a phone that receives probes.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByText('No probes yet.').waitFor()
    await looksRight(at)
    const guide = page.getByRole('link', { name: 'From nothing to the first probe' })
    expect(await guide.getAttribute('href')).toBe('/docs/probes')
    await page.goto(`${service.url}/docs/probes`)
    await page.getByRole('heading', { name: 'From nothing to the first probe' }).waitFor()
    await page
      .getByRole('table')
      .getByRole('row', { name: /displayed_sender/ })
      .waitFor()
    await looksRight(at)
    await at.calm()
  })

  test('a user of an organisation has no such page', async () => {
    await at.sit(at.service.id, 'overview')
    const pages = at.page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Messages' }).waitFor()
    expect(await pages.getByRole('link', { name: 'Probes' }).count()).toBe(0)
  })
})

describe('with a phone that receives probes', () => {
  let honest: Smsc
  /** It reports everything as delivered; what its handsets get is passed on to no phone. */
  let faker: Smsc
  let phone: PhoneEmulator
  let operator: Person
  /** What the phone displays. */
  let display: (sent: { from: string; text: string }) => { from: string; text: string }

  afterAll(async () => {
    await honest.stop()
    await faker.stop()
  })
  const at = desk(async () => {
    honest = await startSmsc()
    faker = await startSmsc({ reports: { early_share: 1 } })
    return {
      settings: {
        carriers: [
          smppCarrier(honest.port, { name: 'honest' }),
          smppCarrier(faker.port, { name: 'faker' }),
          { kind: 'phone', name: 'drawer', probe: true, numbers: [{ number: NUMBER }] },
        ],
        routes: [{ name: 'sms', channel: 'sms', carrier: 'honest' }],
      },
    }
  })
  beforeAll(async () => {
    operator = await person(at.service, null)
    phone = startPhoneEmulator({
      url: at.service.url + PHONE_PATH,
      token: tokenOf('drawer'),
      name: 'drawer',
      sims: 1,
      send: async function* () {},
    })
    honest.handsets.watch(({ to, ...sent }) => phone.receive({ ...display(sent), recipient: `+${to}` }))
    await untilPresent(at.service, 'drawer')
    await until('the webhooks of the phone', () => phone.memory.webhooks.length > 0)
    await setCosts()
  })
  afterAll(() => phone.kill())
  beforeEach(async () => {
    display = (sent) => sent
    await at.service.db`delete from probe_plans`
    await at.service.db`delete from probes`
  })

  /** What the honest carrier charges. */
  async function setCosts(): Promise<void> {
    await operator.call('POST', '/console/api/price-lists', { name: 'costs', kind: 'cost' })
    const rule = { version: 0, channel: 'sms', prefix: '234', price: 2.5 }
    await operator.call('POST', '/console/api/price-lists/costs/rules', rule)
    await operator.call('POST', '/console/api/cost-assignments/honest', { cost_list: 'costs', billed_on: 'submitted' })
    await create('priced', 'honest')
    await until('the cost list', async () => {
      return (await operator.call<PlanList>('GET', PATH)).body.plans[0]?.expected_cost
    })
  }

  async function create(name: string, carrier: string): Promise<void> {
    const plan = { name, carrier, operator: 'MTN', sender_id: 'MyBank', wordings: ['Your code is {{code}}'] }
    expect((await operator.call('POST', PATH, plan)).status).toBe(200)
  }

  const dialog = () => at.page.getByRole('dialog')
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  const plan = (name: string) => at.page.getByRole('table', { name: 'Plans' }).getByRole('row', { name })
  const results = () => at.page.getByRole('table', { name: 'Results' })
  const act = (name: string, action: string) => plan(name).getByRole('button', { name: action, exact: true }).click()

  test('an operator creates a plan, which keeps its draft, and sees its cost before it is switched on', async () => {
    const { page } = at
    await at.sit(null, 'probes')
    await page.getByText('No plans yet.').waitFor()
    await page.getByRole('button', { name: 'New plan' }).first().click()
    await dialog().getByLabel('Name').fill('Codes')
    await dialog().getByLabel('Sender').fill('MyBank')
    await dialog().getByLabel('Text 1').fill('Your code is 123456')
    await button('Create the plan').click()
    for (const fault of ['It needs exactly one placeholder, {{code}} or {{word}}.', 'This must not be empty.']) {
      await dialog().getByText(fault).first().waitFor()
    }
    await page.reload()
    await dialog().getByText('What you wrote here before is restored; it is not saved yet.').waitFor()
    await dialog().getByLabel('Name').fill('codes')
    await choose(dialog().getByLabel('Carrier'), 'honest')
    // The only operator is chosen already.
    await dialog().getByText('MTN, Nigeria (1 number)').waitFor()
    await dialog().getByLabel('Text 1').fill('Your code is {{code}}')
    await button('Another text').click()
    await button('Another text').click()
    await dialog().getByLabel('Text 3').fill('Hello {{word}},\nwelcome back')
    await button('Remove text 2').click()
    expect(await dialog().getByLabel('Text 2').inputValue()).toBe('Hello {{word}},\nwelcome back')
    await dialog().getByLabel('Probes a day').fill('10')
    await dialog().getByLabel('Probes with the text of each campaign').fill('3')
    await choose(dialog().getByLabel('From', { exact: true }), '00:00')
    await choose(dialog().getByLabel('Until', { exact: true }), '24:00')
    await looksRight(at)
    await button('Create the plan').click()

    await page.getByRole('dialog', { name: 'Switch on codes?' }).waitFor()
    await dialog().getByText('At most 10 probes in 24 hours, from 00:00 to 24:00, through honest').waitFor()
    await dialog().getByText('Of these, up to 3 have the text of each campaign that goes there.').waitFor()
    for (const cost of ['₦2.50', '₦25.00', '₦750.00']) await dialog().getByText(cost).waitFor()
    await looksRight(at)
    await button('Close').last().click()
    await plan('codes').getByText('off', { exact: true }).waitFor()
    await plan('codes').getByText('₦25.00 a day').waitFor()
    await plan('codes').getByText('2 texts').waitFor()
    await plan('codes').getByText('3 of each campaign').waitFor()

    await act('codes', 'Switch on')
    await button('Switch on').click()
    await plan('codes').getByText('on', { exact: true }).waitFor()
    await plan('codes')
      .getByText(/^next: /)
      .waitFor()
    await act('codes', 'Edit')
    await dialog().getByText('The plan is on: the next probe follows what you save.').waitFor()
    await dialog().getByLabel('Probes a day').fill('20')
    await dialog().getByText('Expected cost: ₦50.00 a day, ₦2.50 a probe.').waitFor()
    await choose(dialog().getByLabel('Carrier'), 'faker')
    await dialog().getByText('The expected cost is known once the plan is saved.').waitFor()
    await choose(dialog().getByLabel('Carrier'), 'honest')
    await button('Save').click()
    await plan('codes').getByText('₦50.00 a day').waitFor()
    await looksRight(at)
    await act('codes', 'Switch off')
    await plan('codes').getByText('off', { exact: true }).waitFor()
    const { body } = await operator.call<PlanList>('GET', PATH)
    expect(body.plans).toMatchObject([
      {
        name: 'codes',
        carrier: 'honest',
        operator: 'MTN',
        sender_id: 'MyBank',
        wordings: ['Your code is {{code}}', 'Hello {{word}},\nwelcome back'],
        per_day: 20,
        per_campaign: 3,
        from_hour: 0,
        to_hour: 24,
        enabled: false,
      },
    ])
  })

  test('an operator sees that the cost of a plan is not known', async () => {
    await create('unpriced', 'faker')
    await at.sit(null, 'probes')
    await plan('unpriced').getByText('not known').waitFor()
    await act('unpriced', 'Switch on')
    await dialog().getByText('The expected cost is not known').waitFor()
    await dialog().getByRole('link', { name: 'Cost lists' }).waitFor()
    await at.calm()
  })

  test('an operator runs probes and sees what arrived and what was reported, by carrier and as a file', async () => {
    const { page } = at
    await create('codes', 'honest')
    await create('faked', 'faker')
    await at.sit(null, 'probes')
    await page.getByText('Run a plan, or switch one on.').waitFor()
    const row = (name: RegExp) => results().getByRole('row', { name })

    await act('codes', 'Run now')
    await page.getByText('Probe of codes: accepted by the carrier.').waitFor()
    await row(/codes honest MTN, Nigeria .* MyBank Your code is \d{6} arrived after .* delivered after /).waitFor()

    display = ({ text }) => ({ from: 'InfoSMS', text: `${text} (advertisement)` })
    await act('codes', 'Run now')
    await row(
      /MyBank displayed: InfoSMS Your code is \d{6} changed Your code is \d{6} \(advertisement\) arrived/,
    ).waitFor()

    await act('faked', 'Run now')
    await row(/faked faker .* open delivered after /).waitFor()
    await at.service.db`
      update probes set submitted_datetime = now() - interval '61 minutes', reported_datetime = now() - interval '60 minutes'
      where carrier = 'faker'`
    await row(/faked faker .* not arrived delivered after /).waitFor()
    await looksRight(at)
    await at.calm()

    await choose(page.getByLabel('Carrier'), 'faker')
    await expect.poll(() => results().getByRole('row').count()).toBe(2)
    expect(page.url()).toContain('probes?carrier=faker')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Dispute file' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('probes-faker.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/,faker,.*,NG,MTN,[\da-f]{32},MyBank,Your code is \d{6},accepted,,delivered,.*,no,/)
    expect(lines.join()).not.toContain(NUMBER)

    await act('codes', 'Delete')
    await dialog().getByText('It sends no more probes. Its results stay.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await button('Delete the plan').click()
    await plan('codes').waitFor({ state: 'detached' })
    await choose(page.getByLabel('Carrier'), 'honest')
    await expect.poll(() => results().getByRole('row').count()).toBe(3)
    await at.calm()
  })

  test('an operator sees why probes were not sent, and which were not accepted', async () => {
    const { page, service } = at
    await create('codes', 'honest')
    honest.change({ errors: { RINVSRCADR: 1 } })
    try {
      await at.sit(null, 'probes')
      await act('codes', 'Run now')
      await page.getByText(/^Probe of codes: rejected by the carrier\. .*RINVSRCADR/).waitFor()
      await results()
        .getByRole('row', { name: /not accepted rejected by the carrier .*RINVSRCADR.* none/ })
        .waitFor()
    } finally {
      honest.change({ errors: {} })
    }
    await service.db`
      update probe_plans set problem = 'No phone with a number of MTN is present.',
        next_datetime = now() + interval '1 day'`
    await page.reload()
    await plan('codes').getByText('The last one was not sent: No phone with a number of MTN is present.').waitFor()
    await looksRight(at)
    await page.evaluate(`localStorage.setItem('gangan.spoken', 'fr')`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Sondes' }).waitFor()
    await page
      .getByText(/^La dernière n’a pas été envoyée.: Aucun téléphone avec un numéro de MTN n’est présent/)
      .waitFor()
    await looksRight(at)
    await at.calm()
  })

  test('an operator compares reports with arrivals by carrier and operator', async () => {
    const { page, service } = at
    await at.sit(null, 'probes')
    await page.getByText('Nothing to compare yet.').waitFor()
    const insert = (carrier: string, hours_ago: number, arrived: boolean) => service.db`
      insert into probes (id, plan, carrier, country, operator, sender_id, phone_carrier, recipient, text, mark,
        submitted_datetime, outcome, report, arrived_datetime, displayed)
      select first_id_at(at), 'plan', ${carrier}, 'NG', 'MTN', 'MyBank', 'drawer', ${NUMBER}, 'text',
        gen_random_uuid()::text, at, 'accepted', 'delivered', case when ${arrived} then at end,
        case when ${arrived} then 'equal' end
      from (select now() - ${hours_ago} * interval '1 hour' as at) moment`
    await insert('honest', 10, true)
    for (const hours_ago of [9, 8, 7]) await insert('faker', hours_ago, hours_ago === 8)
    await insert('honest', 6, true)
    await insert('honest', 5, true)
    const counts = page.getByRole('table', { name: 'Reports and arrivals' })
    await counts.getByRole('row', { name: 'faker MTN, Nigeria 3 1 33.3%' }).waitFor()
    await counts.getByRole('row', { name: 'honest MTN, Nigeria 1 1 100%' }).waitFor()
    await looksRight(at)
    await at.calm()
  })

  test('the global search finds the page and opens a new plan', async () => {
    const { page } = at
    await at.sit(null, 'overview')
    await page.keyboard.press('Control+k')
    const found = page.getByRole('listbox', { name: 'Found' })
    await page.getByRole('combobox', { name: /^Search pages/ }).fill('probes')
    await found.getByRole('option', { name: /^Probes/ }).waitFor()
    await found.getByRole('option', { name: /^New plan of probes/ }).click()
    await page.getByRole('dialog', { name: 'New plan' }).waitFor()
    await at.calm()
  })
})
