import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveWaiting } from '../../src/messaging/operate/move.ts'
import { startScheduleWorker } from '../../src/messaging/schedule/due.ts'
import { pause } from '../../src/messaging/pauses/pause.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { claimAll, putOff, taken, writeOutcomes } from '../support/intake.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'

type Folder = Awaited<ReturnType<typeof temporaryFolder>>
type Json = Record<string, unknown>

const SILENT = { info() {}, warn() {}, error() {} }

const CARRIERS = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }]
const ROUTES = [
  { name: 'first', channel: 'sms', carrier: 'simulator' },
  { name: 'second', channel: 'sms', prefix: '44', carrier: 'simulator' },
  { name: 'chat', channel: 'whatsapp', carrier: 'simulator' },
  // Each test that moves messages has a route of its own.
  { name: 'kenya', channel: 'sms', prefix: '254', carrier: 'simulator' },
  { name: 'tanzania', channel: 'sms', prefix: '255', carrier: 'simulator' },
  { name: 'uganda', channel: 'sms', prefix: '256', carrier: 'simulator' },
  { name: 'rwanda', channel: 'sms', prefix: '250', carrier: 'simulator' },
]

/** Without workers: messages wait, and the test submits them itself. */
let service: TestService
let folder: Folder
let config_path: string

beforeAll(async () => {
  service = await openService({ workers: false, settings: { carriers: CARRIERS, routes: ROUTES } })
  folder = await temporaryFolder()
  config_path = join(folder.path, 'gangan.json')
  await writeFile(config_path, JSON.stringify({ carriers: CARRIERS, routes: ROUTES }))
})
afterAll(async () => {
  await folder.remove()
  await service.close()
})

const gangan = (...args: string[]) =>
  runGangan(args, { DATABASE_URL: service.database.url, GANGAN_CONFIG: config_path })

async function json<T = Json>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await gangan(...args, '--json')
  expect([code, stderr]).toMatchObject([0, expect.any(String)])
  return JSON.parse(stdout) as T
}

const numberOf = (n: number): string => `23480312${String(n).padStart(5, '0')}`
const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => numberOf(n))
const abroad = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}7${10_000_000 + n}`)

async function send(
  by: Organisation,
  recipients: readonly string[] = [numberOf(0)],
  body: object = {},
): Promise<string> {
  const answer = await by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello', ...body })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body.id
}

const balanceOf = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

type Row = { recipient: string; status: string; route: string; charge: bigint; refunded: boolean }
const deliveriesOf = (id: string) => service.db<Row[]>`
  select recipient, status, route, charge, refunded from deliveries where message_id = ${id} order by position`

const auditOf = (organisation_id: string) => service.db<{ action: string; subject: string | null }[]>`
  select action, subject from audit_entries where organisation_id = ${organisation_id} order by id desc limit 1`

/** As its submitter does after a temporary rejection: it waits for a retry. */
async function postpone(by: Organisation): Promise<void> {
  for (const { route, granted } of await claimAll(service.db, by.id)) {
    const unsent = granted.map((delivery) => ({ ...putOff(delivery, route), delay_ms: 600_000, attempts: 2 }))
    await writeOutcomes(service.db, route, { unsent })
  }
}

describe('gangan messages show', () => {
  type Shown = {
    organisation_id: string
    deliveries: { status: string; waits?: Json; events: Json[]; callbacks: Json[] }[]
  }

  test('says why a message waits: the pause of its route, with its reason', async () => {
    const by = await service.organisation()
    const id = await send(by)
    const waits = async () => (await json<Shown>('messages', 'show', id)).deliveries[0]?.waits
    expect(await waits()).toMatchObject({ reason: 'due', attempts: 0 })
    await pause(service, COMMAND_LINE, { kind: 'route', name: 'first' }, { mode: 'paused', reason: 'numbers change' })
    expect(await waits()).toMatchObject({ reason: 'paused', detail: expect.stringContaining('numbers change') })
    await service.db`delete from operator_pauses`
    await postpone(by)
    expect(await waits()).toMatchObject({ reason: 'retry', attempts: 2, until: expect.any(String) })
  })

  test('explains the price, the route and the carriers in the sentences of the API, with names', async () => {
    const by = await service.organisation()
    const id = await send(by, [numberOf(0)], { content: 'Pay ₦500' })
    type Explained = { deliveries: { sentences: string[] }[] }
    const { body } = await by.call<Explained>('GET', `/sms/${id}/explain`)
    const sentences = body.deliveries[0]?.sentences ?? []
    const nameless = sentences.filter((one) => !one.startsWith('Carrier '))
    expect(nameless.length).toBeGreaterThan(4)
    const { stdout } = await gangan('messages', 'show', id)
    expect(nameless.filter((one) => !stdout.includes(one))).toEqual([])
    expect(stdout).toContain('Carrier 1 of 1, simulator: makes the next attempt.')
    const shown = await json<{ deliveries: { explanation: Json }[] }>('messages', 'show', id)
    expect(shown.deliveries[0]?.explanation).toMatchObject({
      price: { source: 'file', rule: { channel: 'sms' } },
      carriers: [{ place: 1, carrier: 'simulator', result: 'waiting' }],
    })
  })

  test('shows events, the ids of carriers and callbacks, of any organisation, and each recipient by its number', async () => {
    const by = await service.organisation()
    const id = await send(by, numbers(2), { callback: 'https://example.com/reports' })
    for (const { route, granted } of await claimAll(service.db, by.id)) {
      await writeOutcomes(service.db, route, { sent: granted.map((one) => taken(one)) })
    }
    const shown = await json<Shown>('messages', 'show', id, '--recipient', '0803 120 0001')
    expect(shown).toMatchObject({
      organisation_id: by.id,
      deliveries: [
        {
          recipient: numberOf(1),
          status: 'sent',
          submissions: [{ carrier: 'the carrier', carrier_message_id: expect.stringContaining(id) }],
          events: [{ kind: 'accepted' }, { kind: 'sent' }],
        },
      ],
    })
    expect((await gangan('messages', 'show', id)).stdout).toMatch(/the carrier calls segment 1 of 1/)
    expect(await gangan('messages', 'show', '0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40')).toMatchObject({ code: 3 })
  })
})

describe('gangan messages list', () => {
  type List = {
    deliveries: { message_id: string; recipient: string; status: string; route: string }[]
    cursor?: string
  }

  test('filters by state, route, number and time, page by page', async () => {
    const by = await service.organisation()
    const own = ['--organisation', by.id]
    const first = await send(by, numbers(3))
    const second = await send(by, ['447700900123'])
    const later = await send(by, numbers(2), { send_at: new Date(Date.now() + 3_600_000).toISOString() })
    const list = (...args: string[]) => json<List>('messages', 'list', ...own, ...args)
    const ids = (found: List) => found.deliveries.map(({ message_id }) => message_id)
    expect(ids(await list())).toEqual([later, later, second, first, first, first])
    expect(ids(await list('--state', 'scheduled'))).toEqual([later, later])
    expect(ids(await list('--route', 'second', '--state', 'queued'))).toEqual([second])
    expect(ids(await list('--number', '0803 120 0002'))).toEqual([first])
    expect(ids(await list('--carrier', 'simulator'))).toEqual([])
    expect(ids(await list('--until', '2020-01-01T00:00:00Z'))).toEqual([])
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const page: List = await list('--limit', '2', ...(cursor === undefined ? [] : ['--cursor', cursor]))
      seen.push(...page.deliveries.map(({ message_id, recipient }) => `${message_id} ${recipient}`))
      cursor = page.cursor
      if (cursor === undefined) break
    }
    expect(seen).toHaveLength(6)
    expect(new Set(seen).size).toBe(6)
  })

  test.each([
    [['--state', 'gone']],
    [['--since', 'yesterday']],
    [['--cursor', 'x']],
    [['--number', 'x']],
    [['--limit', '0']],
  ])('refuses %j', async (args) => {
    expect(await gangan('messages', 'list', ...args)).toMatchObject({ code: 2 })
  })
})

describe('gangan messages cancel', () => {
  test('cancels one of several messages that wait in one row, refunds it once and leaves the others', async () => {
    const by = await service.organisation({ credit: 100 })
    const ids = await Promise.all(numbers(12).map((one) => send(by, [one])))
    const rows = await service.db`select id from intake where organisation_id = ${by.id}`
    expect(rows.length).toBeLessThan(12)
    const before = await balanceOf(by)
    const canceled = ids.filter((_, n) => n % 3 === 0)
    for (const id of canceled) expect(await json('messages', 'cancel', id)).toMatchObject({ canceled: 1, refunded: 4 })
    expect(await balanceOf(by)).toBe(before + 4 * canceled.length)
    expect(await auditOf(by.id)).toEqual([{ action: 'message.cancel', subject: canceled.at(-1) }])
    expect(await gangan('messages', 'cancel', canceled[0] ?? '')).toMatchObject({ code: 4 })
    const waiting = (await claimAll(service.db, by.id)).flatMap(({ granted }) => granted)
    expect(waiting.map(({ message_id }) => message_id).sort()).toEqual(
      ids.filter((id) => !canceled.includes(id)).sort(),
    )
    for (const id of canceled) {
      expect((await by.call<{ deliveries: Json[] }>('GET', `/sms/${id}`)).body.deliveries).toMatchObject([
        { status: 'canceled', refunded: true },
      ])
    }
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('cancels scheduled deliveries and retries, and nothing that is in flight or may be with a carrier', async () => {
    const by = await service.organisation()
    const scheduled = await send(by, numbers(2), { send_at: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await json('messages', 'cancel', scheduled)).toMatchObject({ canceled: 2 })
    const retried = await send(by)
    await postpone(by)
    expect(await json('messages', 'cancel', retried)).toMatchObject({ canceled: 1, refunded: 4 })
    const in_flight = await send(by)
    await claimAll(service.db, by.id)
    expect(await gangan('messages', 'cancel', in_flight)).toMatchObject({ code: 4 })
    const doubtful = await send(by, numbers(1))
    for (const { route, granted } of await claimAll(service.db, by.id)) {
      const unsent = granted.map((one) => ({ ...putOff(one, route), delay_ms: 600_000, possible_carrier: 'mtn' }))
      await writeOutcomes(service.db, route, { unsent })
    }
    const before = await balanceOf(by)
    expect(await gangan('messages', 'cancel', doubtful)).toMatchObject({ code: 4 })
    expect(await balanceOf(by)).toBe(before)
  })
})

describe('gangan messages requeue', () => {
  const dueOf = (id: string) => service.db<{ due: boolean; queue: string }[]>`
    select run_at <= now() as due, queue from jobs where subject_id = ${id} and queue like 'route:%'`

  test('makes a retry due now, and gives a delivery without a job a new one', async () => {
    const by = await service.organisation()
    const id = await send(by, numbers(2))
    await postpone(by)
    expect(await dueOf(id)).toMatchObject([{ due: false }, { due: false }])
    expect(await json('messages', 'requeue', id, '--recipient', numberOf(1))).toMatchObject({
      recipients: [numberOf(1)],
    })
    expect((await dueOf(id)).filter(({ due }) => due)).toHaveLength(1)
    await service.db`delete from jobs where subject_id = ${id}`
    expect(await json('messages', 'requeue', id)).toMatchObject({ recipients: numbers(2) })
    expect(await dueOf(id)).toEqual([
      { due: true, queue: 'route:first' },
      { due: true, queue: 'route:first' },
    ])
    expect(await auditOf(by.id)).toEqual([{ action: 'message.requeue', subject: id }])
  })

  test.each([
    ['a process is submitting it', `update jobs set leased = true, leased_until = now() + interval '1 minute'`],
    ['a carrier may have it', `update deliveries set carrier = 'mtn'; delete from jobs`],
    ['a carrier has it', `update deliveries set status = 'sent'; delete from jobs`],
    ['it failed and was refunded', `update deliveries set status = 'failed'; delete from jobs`],
    ['its outcome is unknown', `update deliveries set status = 'unknown'; delete from jobs`],
  ])('is refused where another attempt could send or charge it twice: %s', async (_, change) => {
    const by = await service.organisation()
    const id = await send(by)
    await postpone(by)
    const own = change
      .replace(/(update jobs set [^;]*|delete from jobs)/g, `$1 where organisation_id = '${by.id}'`)
      .replace(/(update deliveries set [^;]*)/, `$1 where organisation_id = '${by.id}'`)
    await service.db.unsafe(own)
    const jobs = await dueOf(id)
    expect(await gangan('messages', 'requeue', id, '--recipient', numberOf(0))).toMatchObject({ code: 4 })
    expect(await gangan('messages', 'requeue', id)).toMatchObject({ code: 4 })
    expect(await dueOf(id)).toEqual(jobs)
    // Only for the audit of the money at the end.
    await service.db`update deliveries set status = 'queued' where message_id = ${id}`
  })
})

describe('gangan messages move', () => {
  const routesOf = async (by: Organisation) => {
    const rows = await service.db<{ route: string; count: number }[]>`
      select route, sum(size)::integer as count from intake where organisation_id = ${by.id} group by route
      union all
      select substr(queue, 7), count(*)::integer from jobs
      where organisation_id = ${by.id} and queue like 'route:%' group by queue
      order by 1`
    return rows.map(({ route, count }) => `${route} ${count}`)
  }
  const routes = () => service.config.settings.routes
  const move = (from: string, onProgress?: (moved: number) => void) =>
    moveWaiting({ db: service.db, routes: routes() }, COMMAND_LINE, { from, to: 'second' }, onProgress)

  test('moves messages, long lists and retries at their price, and a repeated move nothing', async () => {
    const by = await service.organisation({ credit: 1_000_000 })
    const list = await send(by, abroad('254', 600))
    const retried = await send(by, abroad('254', 3))
    await service.db`update intake set leased_until = now() + interval '1 hour' where last_id = ${list}`
    await postpone(by)
    await service.db`update intake set leased_until = null`
    const moved = await json('messages', 'move', '--route', 'kenya', '--to', 'second')
    expect(moved).toMatchObject({ from: 'kenya', to: 'second', waiting: 600, retries: 3, in_flight: 0 })
    expect(await routesOf(by)).toEqual(['second 600', 'second 3'])
    expect(await deliveriesOf(retried)).toMatchObject([{ route: 'second', charge: 350_000n }, {}, {}])
    expect(await json('messages', 'move', '--route', 'kenya', '--to', 'second')).toMatchObject({
      waiting: 0,
      retries: 0,
    })
    expect(await auditOf('00000000-0000-0000-0000-000000000000')).toEqual([{ action: 'route.move', subject: 'kenya' }])
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('moves scheduled messages if asked to, and they are sent over the other route', async () => {
    const [by, another] = [await service.organisation({ credit: 1_000_000 }), await service.organisation()]
    const send_at = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled = await send(by, abroad('250', 3), { send_at })
    const mixed = await send(another, [...abroad('250', 1), numberOf(1)], { send_at })
    expect(await move('rwanda')).toMatchObject({ scheduled: 0 })
    expect(await deliveriesOf(scheduled)).toMatchObject([{ route: 'rwanda' }, { route: 'rwanda' }, { route: 'rwanda' }])
    const moved = await json('messages', 'move', '--route', 'rwanda', '--to', 'second', '--scheduled')
    expect(moved).toMatchObject({ waiting: 0, retries: 0, scheduled: 4 })
    expect(await deliveriesOf(mixed)).toMatchObject([{ route: 'second' }, { route: 'first' }])
    await service.db`
      update jobs set run_at = now() where queue = 'scheduled' and organisation_id = ${by.id}`
    // On a cluster a worker learns from wake-ups whose jobs are due.
    const onWake = (_queue: string, listener: (detail: string) => void) => {
      setImmediate(listener, by.id)
      return () => {}
    }
    const wakeups = { wake() {}, onWake, close: async () => {} }
    const worker = startScheduleWorker({ db: service.db, wakeups, log: SILENT })
    await until('its release', async () => (await deliveriesOf(scheduled)).every(({ status }) => status === 'queued'))
    await worker.stop()
    const queues = await service.db<{ queue: string }[]>`
      select queue from jobs where organisation_id = ${by.id} and subject_id = ${scheduled}`
    expect(queues.map(({ queue }) => queue)).toEqual(['route:second', 'route:second', 'route:second'])
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('leaves what a process has or a carrier may have, and moves the rest of a row that was begun', async () => {
    const by = await service.organisation({ credit: 1_000_000 })
    const recipients = abroad('255', 10)
    const begun = await send(by, recipients)
    // A process had submitted four, and recorded two of them, when it died.
    const [claimed] = await claimAll(service.db, by.id)
    const half = claimed?.granted.slice(0, 2) ?? []
    await writeOutcomes(service.db, 'tanzania', { sent: half.map((one) => taken(one)) })
    await service.db`update intake set submitted = 4, leased_until = now() where last_id = ${begun}`
    const in_flight = await send(by, ['255719999999'])
    await service.db`update intake set leased_until = now() + interval '1 hour' where last_id = ${in_flight}`
    expect(await move('tanzania')).toEqual({ waiting: 6, retries: 0, scheduled: 0, in_flight: 11, possibly_sent: 0 })
    expect(await routesOf(by)).toEqual(['second 6', 'tanzania 11'])
    const rows = await deliveriesOf(begun)
    expect(rows.map(({ status, route }) => `${status} ${route}`)).toEqual([
      ...Array<string>(2).fill('sent tanzania'),
      ...Array<string>(6).fill('queued second'),
    ])
    // The two that may be with the carrier are interrupted for the next claim, and only they.
    await service.db`update intake set leased_until = now() where last_id = ${begun}`
    const again = (await claimAll(service.db, by.id)).flatMap(({ granted }) => granted)
    expect(again.map(({ recipient, interrupted }) => [recipient, interrupted])).toEqual([
      [recipients[2], true],
      [recipients[3], true],
    ])
  })

  test('continues after a crash, and two at the same time move each delivery once', async () => {
    const by = await service.organisation({ credit: 1_000_000 })
    await send(by, abroad('256', 3_000))
    const retried = await send(by, abroad('256', 700))
    await service.db`update intake set leased_until = now() + interval '1 hour' where last_id <> ${retried}`
    await postpone(by)
    await service.db`update intake set leased_until = null`
    const crash = move('uganda', () => {
      throw new Error('killed')
    })
    await expect(crash).rejects.toThrow('killed')
    const both = await Promise.all([move('uganda'), move('uganda')])
    const retries = both.reduce((sum, one) => sum + one.retries, 0)
    expect(retries).toBe(700)
    expect(await routesOf(by)).toEqual(['second 3000', 'second 700'])
    expect(await auditMoney(service.db)).toEqual([])
  })

  test.each([
    [['--route', 'first'], 2],
    [['--route', 'first', '--to', 'first'], 2],
    [['--route', 'first', '--to', 'gone'], 3],
    [['--route', 'first', '--to', 'chat'], 2],
  ])('is refused: %j', async (args, code) => {
    expect(await gangan('messages', 'move', ...args)).toMatchObject({ code })
  })
})
