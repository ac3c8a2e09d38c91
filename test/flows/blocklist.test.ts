import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { campaignOf, estimated } from '../support/campaign.ts'
import { temporaryFolder } from '../support/folder.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

type Refused = { status: number; errors?: { field: string; type: string; message: string }[] }
type Entry = { entry: string; reason: string; hits: number; actor: string; expires_datetime?: string }

const BLOCKED = '2348031111111'
const FREE = '2348032222222'
const RINVDSTADR = 0x0b

let service: TestService
/** Another process of the installation. */
let beside: TestService
let operator: Person

beforeAll(async () => {
  service = await openService({ credit: 10_000, settings: { smpp_server: { port: 0 } } })
  beside = await openService({ beside: service })
  operator = await person(service, null)
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

const PATH = '/console/api/blocklist'
const block = (entries: string[], more: object = {}) =>
  operator.call<{ added: number }>('POST', PATH, { entries, reason: 'fraud', ...more })
const listed = async (search = '') =>
  (await operator.call<{ entries: Entry[] }>('GET', `${PATH}?search=${search}`)).body.entries

const send = (by: Pick<TestService, 'call'>, recipients: string[], body: object = {}) =>
  by.call<Refused>('POST', '/sms/send', { recipients, content: 'Hello', ...body })

const isRefused = (by: Pick<TestService, 'call'>, recipient: string, refused = true) =>
  until(`${recipient} to be ${refused ? 'refused' : 'accepted'}`, async () => {
    return (await send(by, [recipient])).status === (refused ? 400 : 200)
  })

const balance = async () => (await service.call<{ balance: number }>('GET', '/balance')).body.balance

describe('a blocked number', () => {
  test('is refused in every process and API, before anything is charged', async () => {
    expect((await block([BLOCKED])).body).toMatchObject({ added: 1 })
    await isRefused(service, BLOCKED)
    await isRefused(beside, BLOCKED)
    const before = await balance()
    const message = 'This number is blocked by the operator of the service.'
    const { body } = await send(service, [FREE, BLOCKED, 'nonsense'])
    expect(body.errors).toEqual([
      { field: 'recipients[1]', type: 'invalid', message },
      { field: 'recipients[2]', type: 'phone_invalid', message: expect.any(String) },
    ])
    const fault = { type: 'invalid', message }
    const refusals: [string, object, string][] = [
      ['/sms/send', { recipients: BLOCKED, content: 'Hi', channel: 'whatsapp' }, 'recipients[0]'],
      ['/sms/estimate', { recipients: BLOCKED, content: 'Hi' }, 'recipients[0]'],
      ['/otp/request_token', { recipient: BLOCKED }, 'recipient'],
      ['/airtime/buy', { network: 'MTN', amount: 100, recipient: BLOCKED }, 'recipient'],
    ]
    for (const [path, body_, field] of refusals) {
      const answer = await service.call<Refused>('POST', path, body_)
      expect([path, answer.status, answer.body.errors]).toEqual([path, 400, [{ field, ...fault }]])
    }
    const client = await bind(service.smpp_port, await makeAccount(service))
    const submitted = await client.submit({ destination_addr: BLOCKED, short_message: 'Hi' })
    expect(submitted.command_status).toBe(RINVDSTADR)
    client.close()
    expect(await balance()).toBe(before)
  })

  test('is left out of a campaign', async () => {
    await block([BLOCKED])
    await isRefused(service, BLOCKED)
    const id = await campaignOf(service, { content: 'Hello', name: 'News' }, [{ to: BLOCKED }, { to: FREE }])
    expect((await estimated(service, id)).estimate).toMatchObject({ people: 1, left_out: { blocked: 1 } })
  })

  test('counts its hits, once per second in the database', async () => {
    await block(['2348037000001', '234803700*'])
    await isRefused(beside, '2348037000002')
    await isRefused(service, '2348037000001')
    const hitsOf = async (entry: string) => (await listed('2348037')).find((one) => one.entry === entry)?.hits ?? 0
    const before = await until('a hit of each', async () => {
      const hits = [await hitsOf('2348037000001'), await hitsOf('234803700*')]
      return hits.every((count) => count > 0) && hits
    })
    for (let n = 0; n < 3; n += 1) await send(service, ['2348037000001'])
    await until('three more', async () => (await hitsOf('2348037000001')) === (before[0] ?? 0) + 3)
    expect(await hitsOf('234803700*')).toBe(before[1])
    const text = await (await fetch(`${service.url}/metrics`)).text()
    expect(Number(/^gangan_blocked_recipients_total (\d+)/m.exec(text)?.[1])).toBeGreaterThan(3)
  })

  test('is accepted again once it is removed, or expires', async () => {
    await block(['2348038000001'])
    await block(['2348038000002'], { until: new Date(Date.now() + 3_000).toISOString() })
    await isRefused(beside, '2348038000001')
    await isRefused(service, '2348038000002')
    await isRefused(service, '2348038000002', false)
    expect((await operator.call('DELETE', `${PATH}/2348038000001`)).status).toBe(204)
    await isRefused(beside, '2348038000001', false)
    expect((await operator.call('DELETE', `${PATH}/2348038000001`)).status).toBe(404)
    await block(['2348038000001'])
    expect(await isRefused(beside, '2348038000001')).toBe(true)
  })

  test('is known to a process that starts', async () => {
    await block(['2348038500*'])
    const started = await openService({ beside: service, workers: false })
    expect(await isRefused(started, '2348038500123')).toBe(true)
    await started.close()
  })
})

test('entries are read in every spelling, listed with reason and operator, and audited', async () => {
  const { status, body } = await block(['0803 900 0001', '+234 803-900-1*', '2348039000001'])
  expect([status, body]).toMatchObject([200, { added: 2, entries: 2 }])
  expect(await listed('234803900')).toMatchObject([
    { entry: '2348039000001', reason: 'fraud', actor: operator.email, hits: 0 },
    { entry: '2348039001*' },
  ])
  const { body: audit } = await operator.call<{ entries: object[] }>('GET', '/console/api/audit?installation=true')
  expect(audit.entries[0]).toMatchObject({
    action: 'blocklist.add',
    actor: operator.email,
    after: { entries: 2, added: 2, reason: 'fraud' },
  })
})

test('bad entries are refused with all errors, and nothing is blocked', async () => {
  const count = (await listed()).length
  const { status, body } = await operator.call<Refused>('POST', PATH, {
    entries: ['2348039500000', 'x', '*', '0803*'],
    reason: ' ',
    until: 'tomorrow',
  })
  expect([status, body.errors?.map(({ field }) => field)]).toEqual([
    400,
    ['reason', 'until', 'entries[1]', 'entries[2]', 'entries[3]'],
  ])
  expect((await operator.call('POST', PATH, { entries: [], reason: 'x' })).status).toBe(400)
  expect(await listed()).toHaveLength(count)
})

test('the command line adds, lists, imports, exports and removes', async () => {
  const folder = await temporaryFolder()
  const gangan = (...args: string[]) => runGangan(args, { DATABASE_URL: service.database.url })
  expect((await gangan('blocklist', 'add', '23490100*', '--reason', 'pumping')).code).toBe(0)
  expect((await gangan('blocklist', 'add', '23490100*')).code).toBe(2)
  expect((await gangan('blocklist', 'list', '--search', '234901')).stdout).toMatch(
    /^23490100\* +0 .*command line +pumping$/m,
  )

  const file = join(folder.path, 'list.csv')
  const later = new Date(Date.now() + 86_400_000).toISOString()
  await writeFile(file, `number;reason;expires\n0901 200 0001;"a; b";\n2349012*;;${later}\n`)
  expect(await gangan('blocklist', 'import', file, '--reason', 'March', '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"added": 2'),
  })
  expect(await listed('2349012')).toMatchObject([
    { entry: '2349012*', reason: 'March', expires_datetime: expect.any(String) },
    { entry: '2349012000001', reason: 'a; b' },
  ])

  const bad = join(folder.path, 'bad.csv')
  await writeFile(bad, '2349013000001,fine\nx,y\n2349013000002,late,2020-01-01T00:00:00Z\n')
  const refused = await gangan('blocklist', 'import', bad)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Line 2: x is neither.*\n.*Line 3: /)])
  expect(await listed('2349013')).toEqual([])
  expect((await gangan('blocklist', 'import', join(folder.path, 'none.csv'))).code).toBe(3)

  const exported = join(folder.path, 'export.csv')
  await writeFile(exported, (await gangan('blocklist', 'export')).stdout)
  const before = await listed()
  for (const { entry } of before) expect((await gangan('blocklist', 'remove', entry)).code).toBe(0)
  expect(await listed()).toEqual([])
  expect(await readFile(exported, 'utf8')).toContain('2349012*,March,')
  expect((await gangan('blocklist', 'import', exported)).code).toBe(0)
  expect((await listed()).map(({ entry, reason }) => [entry, reason])).toEqual(
    before.filter(({ entry }) => entry !== '2348038000002').map(({ entry, reason }) => [entry, reason]),
  )
  await folder.remove()
})

test('the money is right after all of it', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})
