import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { ImportResult, PriceChange, PriceList, PriceRule } from '../../src/prices/schema.ts'
import { campaignOf, estimated } from '../support/campaign.ts'
import { person, type Person } from '../support/person.ts'
import { caller, openService, type Organisation as TestOrganisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Refused = { status: number; errors?: { field: string; type: string; message: string }[] }
type Lists = { price_lists: PriceList[] }

const PATH = '/console/api/price-lists'
const MTN = '2348031234567'
const GLO = '2348051234567'
const KENYA = '254722123456'

let service: TestService
/** Another process of the installation. */
let beside: TestService
let operator: Person

beforeAll(async () => {
  service = await openService({
    credit: 100_000,
    settings: {
      prices: [
        { channel: 'sms', prefix: '234', price: 4 },
        { channel: 'sms', prefix: '', price: 35 },
      ],
    },
  })
  beside = await openService({ beside: service })
  operator = await person(service, null)
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

const post = <T = Refused>(path: string, body: object = {}) => operator.call<T>('POST', path, body)
const lists = async () => (await operator.call<Lists>('GET', PATH)).body.price_lists
const listed = async (name: string) => (await lists()).find((one) => one.name === name)
const versionOf = async (name: string) => (await listed(name))?.version ?? 0

async function create(name: string, prices: object[] = []): Promise<string> {
  expect((await post(PATH, { name })).status).toBe(200)
  for (const price of prices) await set(name, price)
  return name
}

async function set(name: string, rule: object) {
  const { status, body } = await post<{ version: number; changed: boolean }>(`${PATH}/${name}/rules`, {
    version: await versionOf(name),
    channel: 'sms',
    ...rule,
  })
  expect([status, body]).toMatchObject([200, {}])
  return body
}

const assign = (id: string, price_list: string | null) =>
  post(`/console/api/organisations/${id}/price-list`, { price_list })

type Caller = Pick<TestOrganisation, 'call'>
async function costOf(by: Caller, recipient: string, body: object = {}): Promise<number | undefined> {
  const answer = await by.call<{ meta?: { estimate: { charge: number } } }>('POST', '/sms/estimate', {
    recipients: [recipient],
    content: 'Hello',
    ...body,
  })
  return answer.body.meta?.estimate.charge
}

const costs = (by: Caller, recipient: string, price: number) =>
  until(`${recipient} to cost ${price}`, async () => (await costOf(by, recipient)) === price, 10_000)

const importCsv = (name: string, csv: string, query = '') =>
  operator.call<ImportResult & Refused>('POST', `${PATH}/${name}/imports?${query}`, { csv })

const rulesOf = async (name: string, search = '') =>
  (await operator.call<{ rules: PriceRule[] }>('GET', `${PATH}/${name}/rules?search=${encodeURIComponent(search)}`))
    .body.rules

describe('the prices of the configuration file', () => {
  test('are the list `file`, read-only, and the default until another is chosen', async () => {
    expect(await lists()).toMatchObject([{ name: 'file', managed_by: 'file', is_default: true, rules: 2 }])
    expect(await rulesOf('file')).toMatchObject([
      { prefix: '234', price: 4 },
      { prefix: '', price: 35 },
    ])
    expect(await rulesOf('file', '2348')).toEqual([])
    expect([await costOf(service, MTN), await costOf(service, KENYA)]).toEqual([4, 35])
    const rule = { version: 0, channel: 'sms', price: 1 }
    const refusals = [
      await post(`${PATH}/file/rules`, rule),
      await importCsv('file', 'prefix,price\n234,1'),
      await post(`${PATH}/file/undo`, { version: 0 }),
      await operator.call('DELETE', `${PATH}/file`),
      await post(PATH, { name: 'file' }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
  })
})

test('a list with too long a name is refused, also with a rate sheet', async () => {
  const { status, body } = await importCsv('a'.repeat(61), 'prefix,price\n234,1')
  expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['name']])
})

describe('two organisations with different lists', () => {
  test('pay different prices in every process, for messages, OTPs and estimates, also with their test keys', async () => {
    const [dear, cheap, other] = await Promise.all([
      service.organisation({ credit: 1_000 }),
      service.organisation({ credit: 1_000 }),
      service.organisation({ credit: 1_000 }),
    ])
    await create('dear', [{ price: 9 }, { prefix: '234', operator: 'MTN', price: 7 }])
    await create('cheap', [{ country: 'NG', price: 2.5 }])
    expect((await assign(dear.id, 'dear')).status).toBe(200)
    expect((await assign(cheap.id, 'cheap')).status).toBe(200)
    const there = { call: caller(beside.url, dear.key) }
    await costs(dear, MTN, 7)
    await costs(there, MTN, 7)
    await costs(cheap, GLO, 2.5)
    expect([await costOf(dear, GLO), await costOf(other, GLO)]).toEqual([9, 4])
    const unpriced = await cheap.call<Refused>('POST', '/sms/send', { recipients: [KENYA], content: 'Hello' })
    expect([unpriced.status, unpriced.body.errors]).toMatchObject([400, [{ field: 'recipients[0]' }]])
    const same_charge = '2348061234567'
    await dear.call('POST', '/sms/send', { recipients: [MTN, GLO, same_charge], content: 'Hello' })
    const send_at = new Date(Date.now() + 86_400_000).toISOString()
    await dear.call('POST', '/sms/send', { recipients: [GLO], content: 'Later', send_at })
    await cheap.call('POST', '/otp/request_token', { recipient: MTN })
    const balance = async (by: Caller) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance
    expect([await balance(dear), await balance(cheap)]).toEqual([1_000 - 32, 1_000 - 2.5])
    const charged = await until('the deliveries to be stored with their rules', async () => {
      const rows = await service.db<
        { name: string; recipient: string; charge: bigint; price: bigint; status: string }[]
      >`
        select price_lists.name, recipient, charge, price, status
        from deliveries join price_rules on price_rules.id = price_rule_id join price_lists on price_lists.id = price_list_id
        where organisation_id = any (${[dear.id, cheap.id]}::uuid[])`
      return rows.length === 5 && rows
    })
    expect(charged.every(({ charge, price }) => charge === price)).toBe(true)
    expect(charged.map(({ name, recipient, charge }) => `${name} ${recipient} ${charge}`).toSorted()).toEqual(
      [
        `cheap ${MTN} 25000`,
        `dear ${MTN} 70000`,
        `dear ${GLO} 90000`,
        `dear ${GLO} 90000`,
        `dear ${same_charge} 70000`,
      ].toSorted(),
    )
    expect(charged.map(({ status }) => status)).toContain('scheduled')
    const { body } = await operator.call<{ organisations: { id: string; price_list?: string }[] }>(
      'GET',
      '/console/api/organisations',
    )
    const shown = new Map(body.organisations.map(({ id, price_list }) => [id, price_list]))
    expect([shown.get(dear.id), shown.get(cheap.id), shown.get(other.id)]).toEqual(['dear', 'cheap', undefined])
    expect(await auditMoney(service.db)).toEqual([])
  })
})

describe('a rule', () => {
  test('is changed within two seconds in every process, and a scheduled one applies automatically', async () => {
    const own = await service.organisation({ credit: 1_000 })
    const there = { call: caller(beside.url, own.key) }
    await create('living', [{ price: 5 }])
    await assign(own.id, 'living')
    await costs(own, MTN, 5)
    await costs(there, MTN, 5)
    await set('living', { price: 6 })
    const valid_from = new Date(Date.now() + 4_000).toISOString()
    await set('living', { mcc_mnc: '621-30', price: 8, valid_from })
    await costs(own, MTN, 6)
    await costs(there, MTN, 6)
    expect(await rulesOf('living', '62130')).toMatchObject([{ operator: 'MTN', country: 'NG', scheduled: true }])
    await costs(own, MTN, 8)
    await costs(there, MTN, 8)
    expect(await costOf(there, GLO)).toBe(6)
    await set('living', { mcc_mnc: '62130', price: null })
    await costs(there, MTN, 6)
    const [rule] = await rulesOf('living')
    const { body } = await operator.call<{ rules: (PriceRule & { actor: string })[] }>(
      'GET',
      `${PATH}/living/history?target=${encodeURIComponent(rule?.target ?? '')}`,
    )
    expect(body.rules).toMatchObject([{ price: 6 }, { price: 5, actor: operator.email }])
  })

  test('of another version is refused, so that no change is lost', async () => {
    await create('contested', [{ price: 5 }])
    const version = await versionOf('contested')
    const both = await Promise.all(
      [6, 7].map((price) => post(`${PATH}/contested/rules`, { version, channel: 'sms', price })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await versionOf('contested')).toBe(version + 1)
    expect(await set('contested', { price: (await rulesOf('contested'))[0]?.price ?? 0 })).toMatchObject({
      changed: false,
    })
  })

  test('with bad fields is refused with all errors', async () => {
    await create('strict')
    const { status, body } = await post(`${PATH}/strict/rules`, {
      version: 0,
      channel: 'sms',
      prefix: '0803',
      country: 'Atlantis',
      mcc_mnc: '621-99',
      price: 1.23456,
      valid_from: 'tomorrow',
    })
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([
      400,
      ['price', 'valid_from', 'prefix', 'country', 'mcc_mnc'],
    ])
    expect(await rulesOf('strict')).toEqual([])
  })
})

describe('a list', () => {
  test('that is assigned or the default cannot be deleted; another is deleted with its rules', async () => {
    const own = await service.organisation()
    await create('kept', [{ price: 3 }])
    await assign(own.id, 'kept')
    expect((await operator.call('DELETE', `${PATH}/kept`)).status).toBe(409)
    await assign(own.id, null)
    const kept =
      await service.db`select from price_rules join price_lists on price_lists.id = price_list_id where name = 'kept'`
    expect(kept.count).toBe(1)
    const all = await service.db`select from price_rules`
    expect((await operator.call('DELETE', `${PATH}/kept`)).status).toBe(204)
    expect((await service.db`select from price_rules`).count).toBe(all.count - 1)
    expect((await operator.call('DELETE', `${PATH}/kept`)).status).toBe(404)
    expect((await assign(own.id, 'kept')).status).toBe(404)
  })

  test('is read page by page', async () => {
    await create(
      'paged',
      ['234', '254', '233'].map((prefix, n) => ({ prefix, price: n + 1 })),
    )
    const prefixes: string[] = []
    for (let query_id = '0'; ;) {
      const { body } = await operator.call<{ rules: PriceRule[]; meta: { pagination: Record<string, string> } }>(
        'GET',
        `${PATH}/paged/rules?limit=1&query_id=${query_id}`,
      )
      prefixes.push(...body.rules.map(({ prefix }) => prefix))
      if (body.meta.pagination.next_page !== 'True') break
      query_id = body.meta.pagination.query_id ?? ''
    }
    expect(prefixes).toEqual(['233', '234', '254'])
  })

  test('that is the default applies to all without another, and `file` can be the default again', async () => {
    const [own, other] = await Promise.all([service.organisation(), service.organisation()])
    await create('standard', [{ price: 11 }])
    await assign(other.id, 'file')
    expect((await post(`${PATH}/standard/default`)).status).toBe(200)
    await costs(own, MTN, 11)
    expect(await costOf(other, MTN)).toBe(4)
    expect((await operator.call('DELETE', `${PATH}/standard`)).status).toBe(409)
    expect((await post(`${PATH}/file/default`)).status).toBe(200)
    await costs(own, MTN, 4)
    expect((await lists()).filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual(['file'])
  })
})

describe('a rate sheet', () => {
  const SHEET = [
    'Country;Network;MCCMNC;Price;Effective;Currency',
    'Nigeria;"MTN; Nigeria";621-30;3,25;;NGN',
    'Nigeria;Glo;62150;3,5;;NGN',
    'Kenya;;639-2;7,00;2026-01-01;NGN',
    'Kenya;Airtel;639-03;6,50;2099-01-01;NGN',
    ';;;"1.040,00";;',
  ].join('\r\n')

  test('is compared, imported as a whole, exported unchanged, and undone', async () => {
    const own = await service.organisation()
    await create('sheet', [
      { country: 'NG', operator: 'MTN', price: 3 },
      { country: 'NG', operator: 'Glo', price: 4 },
    ])
    await assign(own.id, 'sheet')
    const before = await rulesOf('sheet')
    const version = await versionOf('sheet')
    const counts = { added: 3, raised: 1, lowered: 1, removed: 0, unchanged: 0, invalid: 0, lines: 5 }
    const preview = await importCsv('sheet', SHEET, 'dry_run=true&file_name=rates.csv')
    expect([preview.status, preview.body]).toMatchObject([200, { applied: false, version, ...counts }])
    expect(preview.body.changes[0]).toMatchObject({ kind: 'raised', operator: 'MTN', before: 3, price: 3.25 })
    expect(await versionOf('sheet')).toBe(version)
    const done = await importCsv('sheet', SHEET, `version=${version}&file_name=rates.csv`)
    expect(done.body).toMatchObject({ applied: true, version: version + 1, ...counts })
    await costs(own, MTN, 3.25)
    expect([await costOf(own, GLO), await costOf(own, KENYA)]).toEqual([3.5, 7])
    const text = (await operator.call('GET', `${PATH}/sheet/rules.csv`)).text
    const again = await importCsv('sheet', text, 'replace=true')
    expect(again.body).toMatchObject({ added: 0, raised: 0, lowered: 0, removed: 0, unchanged: 5, invalid: 0 })
    expect((await importCsv('sheet', SHEET, `version=${version}`)).status).toBe(409)
    expect((await post(`${PATH}/sheet/undo`, { version: version + 1 })).status).toBe(200)
    await costs(own, MTN, 3)
    expect((await rulesOf('sheet')).map(({ target, price }) => [target, price])).toEqual(
      before.map(({ target, price }) => [target, price]),
    )
    expect((await post(`${PATH}/sheet/undo`, { version: version + 2 })).status).toBe(409)
    const { body } = await operator.call<{ changes: PriceChange[] }>('GET', `${PATH}/sheet/changes`)
    expect(body.changes.slice(0, 2)).toMatchObject([
      { kind: 'undo', file_name: 'rates.csv' },
      { kind: 'import', file_name: 'rates.csv', undone_by: version + 2, added: 3 },
    ])
  })

  test('that is the complete list removes what it does not name', async () => {
    const own = await service.organisation()
    await create('whole', [{ prefix: '234', price: 3 }, { prefix: '254', price: 4 }, { price: 9 }])
    await assign(own.id, 'whole')
    const { body } = await importCsv('whole', 'prefix,price\n234,3\n234803,2', 'replace=true')
    expect(body).toMatchObject({ added: 1, removed: 2, unchanged: 1 })
    await costs(own, MTN, 2)
    expect(await costOf(own, KENYA)).toBeUndefined()
    await post(`${PATH}/whole/undo`, { version: await versionOf('whole') })
    await costs(own, KENYA, 4)
  })

  test('with invalid lines changes nothing unless they are skipped, and names them', async () => {
    await create('messy')
    const csv = 'prefix,price,effective\n2348,1,\nLagos,2,\n2547,free,soon\n2348,3,'
    const refused = await importCsv('messy', csv)
    expect([refused.status, refused.body.errors?.map(({ message }) => message.slice(0, 7))]).toEqual([
      400,
      ['Line 3:', 'Line 4:', 'Line 5:'],
    ])
    expect(await rulesOf('messy')).toEqual([])
    const preview = await importCsv('messy', csv, 'dry_run=true')
    expect(preview.body).toMatchObject({ invalid: 3, added: 1 })
    expect(preview.body.faults[2]).toMatchObject({ line: 5, message: expect.stringContaining('line 2') })
    expect((await importCsv('messy', csv, 'skip_invalid=true')).body).toMatchObject({ applied: true, added: 1 })
    const mapped = await importCsv('messy', 'a,b\n2348,1', 'columns=prefix=a,price=%232')
    expect(mapped.body).toMatchObject({ unchanged: 1, columns: { prefix: 'a', price: 'b' } })
    const unclear = await importCsv('messy', 'a,b\n2348,1')
    expect([unclear.status, unclear.body.errors]).toMatchObject([400, [{ field: 'columns' }]])
    for (const bad of ['', 'price', 'price\0\n1']) expect((await importCsv('messy', bad)).status).toBe(400)
  })

  test('with networks that are not in the table lists each of them once', async () => {
    await create('networks')
    const csv =
      'mccmnc,operator,price\n621-30,,1\n621-98,Nomad,2\n621-98,Nomad,2\n621-99,,3\n310-260,Sprite,4\n001-01,,5'
    const { body } = await importCsv('networks', csv, 'dry_run=true')
    expect(body).toMatchObject({ invalid: 2, added: 3, unknown_networks: 3 })
    expect(body.networks).toEqual([
      { line: 3, mcc_mnc: '621-98', country: 'NG', operator: 'Nomad' },
      { line: 5, mcc_mnc: '621-99', country: 'NG' },
      { line: 6, mcc_mnc: '310-260', country: 'US', operator: 'Sprite' },
    ])
    expect(body.faults.map(({ line }) => line)).toEqual([5, 7])
  })

  test('with several codes in a cell takes the operator of the line for those that are not in the table', async () => {
    await create('several-codes')
    const csv = 'mccmnc,operator,price\n621-20..22,Airtel,1\n621-97/98,Nomad,2\n621-95/96,all,3'
    const { body } = await importCsv('several-codes', csv, 'dry_run=true')
    expect(body.networks).toEqual([
      { line: 2, mcc_mnc: '621-21', country: 'NG', operator: 'Airtel' },
      { line: 2, mcc_mnc: '621-22', country: 'NG', operator: 'Airtel' },
      { line: 3, mcc_mnc: '621-97', country: 'NG', operator: 'Nomad' },
      { line: 3, mcc_mnc: '621-98', country: 'NG', operator: 'Nomad' },
      { line: 4, mcc_mnc: '621-95', country: 'NG' },
      { line: 4, mcc_mnc: '621-96', country: 'NG' },
    ])
    expect(body.faults.map(({ line }) => line)).toEqual([4])
  })
})

test('a campaign follows its confirmed price: a raised rule pauses it, and nothing more is charged', async () => {
  const own = await service.organisation({ credit: 1_000 })
  await create('campaigning', [{ price: 2 }])
  await assign(own.id, 'campaigning')
  await costs(own, MTN, 2)
  const id = await campaignOf(own, { content: 'Hello', name: 'News' }, [{ to: MTN }, { to: GLO }])
  const { estimate } = await estimated(own, id)
  expect(estimate?.charge).toBe(4)
  await set('campaigning', { price: 3 })
  await costs(own, MTN, 3)
  await own.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  const paused = await until('the campaign to be paused', async () => {
    const { body } = await own.call<{ status: string; pause_reason?: string }>('GET', `/campaigns/${id}`)
    return body.status === 'paused' && body
  })
  expect(paused.pause_reason).toBe('price_changed')
  expect((await own.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(1_000)
})

test('every change is in the audit log, with what it was before', async () => {
  const own = await service.organisation()
  await create('audited', [{ country: 'NG', price: 2 }])
  await set('audited', { country: 'NG', price: 3 })
  await assign(own.id, 'audited')
  const { body } = await operator.call<{ entries: object[] }>('GET', '/console/api/audit?installation=true')
  expect(body.entries).toMatchObject([
    { action: 'prices.set', subject: 'audited', before: { 'sms||NG||': '2' }, after: { 'sms||NG||': '3' } },
    { action: 'prices.set', subject: 'audited', before: { 'sms||NG||': 'no price' } },
    { action: 'prices.create', subject: 'audited', actor: operator.email },
    ...body.entries.slice(3),
  ])
  const of_organisation = await operator.call<{ entries: object[] }>('GET', '/console/api/audit', undefined, {
    'x-organisation-id': own.id,
  })
  expect(of_organisation.body.entries[0]).toMatchObject({
    action: 'prices.assign',
    before: { price_list: null },
    after: { price_list: 'audited' },
  })
})
