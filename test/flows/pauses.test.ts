import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pauseCarrier } from '../../src/carriers/availability-store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startNpmSmsc, type Answer, type NpmSmsc } from '../support/npm-smsc.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Hold = { route: string; carrier?: string; reason: string; detail: string; count: number; until?: string }
type Row = { status: string; carrier: string | null }

const RMSGQFUL = 0x14
/** Within this time every process has taken a change. */
const IN_EFFECT_MS = 2_000
/** Messages that must not be submitted would be within this time. */
const SETTLE_MS = 1_500

let first: NpmSmsc
let second: NpmSmsc
let service: TestService
/** Another process of the installation. */
let beside: TestService
let operator: Person

/** `both` fails over quickly, `slowly` hardly ever, `one` has a single carrier. */
function settings() {
  const carriers = [
    smppCarrier(first.port, { name: 'first', response_timeout_s: 60 }),
    smppCarrier(second.port, { name: 'second' }),
  ]
  const two = { channel: 'sms', carriers: ['first', 'second'] }
  const routes = [
    { name: 'both', ...two, failover_after_s: 1 },
    { name: 'slowly', ...two, prefix: '44', failover_after_s: 3_600 },
    { name: 'one', channel: 'sms', prefix: '49', carrier: 'first' },
  ]
  return { carriers, routes }
}

beforeAll(async () => {
  first = await startNpmSmsc()
  second = await startNpmSmsc()
  service = await openService({ credit: 10_000, settings: settings() })
  beside = await openService({ settings: settings(), beside: service })
  operator = await person(service, null)
  await until('both binds', () => first.binds.length > 0 && second.binds.length > 0)
})
afterAll(async () => {
  await beside.close()
  await service.close()
  await first.close()
  await second.close()
})
beforeEach(() => {
  first.answer = (_, n) => ({ message_id: `f${n}` })
  second.answer = (_, n) => ({ message_id: `s${n}` })
})
afterEach(async () => {
  await service.db`update operator_pauses set until = now()`
  await service.db`update live_versions set version = version + 1`
  await until('all to be sent', async () => {
    const waiting = await service.db`select 1 from jobs where queue like 'route:%' union all select 1 from intake`
    return waiting.length === 0
  })
})

const RECIPIENT = { both: '2348031234567', slowly: '447700123450', one: '4915112345678' }
type RouteName = keyof typeof RECIPIENT

async function send(route: RouteName, by = service): Promise<string> {
  const answer = await by.call<{ id: string }>('POST', '/sms/send', { recipients: RECIPIENT[route], content: 'Hello' })
  expect(answer.status).toBe(200)
  return answer.body.id
}

async function delivery(id: string): Promise<Row | undefined> {
  const [row] = await service.db<Row[]>`select status, carrier from deliveries where message_id = ${id}`
  return row
}

const sentBy = (id: string, carrier: string) =>
  until(`${id} to be sent by ${carrier}`, async () => {
    const row = await delivery(id)
    return row?.status === 'sent' && row.carrier === carrier && row
  })

const isWaiting = async (id: string): Promise<boolean> => {
  const row = await delivery(id)
  return row === undefined || row.status === 'queued'
}

/** Its process has had time to submit it. */
async function staysWaiting(...ids: string[]): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  for (const id of ids) expect(await isWaiting(id)).toBe(true)
}

const pathOf = (kind: string, name: string) => `/console/api/${kind}s/${name}/pause`

async function pause(kind: 'carrier' | 'route', name: string, more: object = {}): Promise<void> {
  const answer = await operator.call('POST', pathOf(kind, name), { mode: 'paused', reason: 'a dispute', ...more })
  expect([answer.status, answer.body]).toMatchObject([200, { pause: { kind, name } }])
  await effective()
}

async function resume(kind: 'carrier' | 'route', name: string): Promise<void> {
  expect((await operator.call('DELETE', pathOf(kind, name))).status).toBe(204)
}

const effective = () => new Promise((resolve) => setTimeout(resolve, IN_EFFECT_MS))

const holds = async (): Promise<Hold[]> =>
  (await operator.call<{ holds: Hold[] }>('GET', '/console/api/carriers')).body.holds

const held = (route: string) =>
  until(`messages of ${route} to be held`, async () => (await holds()).find((one) => one.route === route))

describe('a paused carrier', () => {
  test('gets nothing from any process, is shown with its reason, and gets what waited when it resumes', async () => {
    await pause('carrier', 'first', { reason: 'fee dispute' })
    const before = first.submits.length
    const ids = [await send('one'), await send('one', beside)]
    await staysWaiting(...ids)
    expect(first.submits).toHaveLength(before)
    const hold = await held('one')
    expect(hold).toMatchObject({ carrier: 'first', reason: 'paused', count: 2 })
    expect(hold.detail).toBe(`the carrier is paused (${operator.email}): fee dispute`)
    await until('the metric', async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      return text.includes('gangan_messages_held{route="one",carrier="first",reason="paused"} 2')
    })
    await resume('carrier', 'first')
    for (const id of ids) await sentBy(id, 'first')
  })

  test('is replaced by the next one after failover_after_s', async () => {
    await pause('carrier', 'first')
    await sentBy(await send('both'), 'second')
    const slow = await send('slowly')
    await staysWaiting(slow)
    expect((await held('slowly')).detail).toContain('after 3600 s second may replace it')
  })

  test('answers for what it had in flight', async () => {
    let answer: (given: Answer) => void = () => {}
    first.answer = () => new Promise((resolve) => (answer = resolve))
    const before = first.submits.length
    const id = await send('one')
    await until('the submit', () => first.submits.length > before)
    await pause('carrier', 'first')
    answer({ message_id: 'late' })
    expect(await sentBy(id, 'first')).toMatchObject({ status: 'sent' })
  })

  test('resumes automatically at the given time', async () => {
    await pause('carrier', 'first', { until: new Date(Date.now() + 6_000).toISOString() })
    const id = await send('one')
    await staysWaiting(id)
    expect(await sentBy(id, 'first')).toMatchObject({ status: 'sent' })
  })

  test('stays paused for a process that starts', async () => {
    await pause('carrier', 'first')
    const started = await openService({ settings: settings(), beside: service })
    const id = await send('one', started)
    await staysWaiting(id)
    await started.close()
    expect(await isWaiting(id)).toBe(true)
  })
})

describe('a draining carrier', () => {
  test('finishes its retries, while the next one gets the new messages immediately', async () => {
    first.answer = () => ({ command_status: RMSGQFUL })
    const retried = await send('one')
    await until('the first attempt', async () => (await delivery(retried))?.status === 'queued')
    await pause('carrier', 'first', { mode: 'draining' })
    first.answer = (_, n) => ({ message_id: `d${n}` })
    await sentBy(await send('slowly'), 'second')
    const alone = await send('one')
    await service.db`update jobs set run_at = now() where queue = 'route:one'`
    await sentBy(retried, 'first')
    await staysWaiting(alone)
    expect(await held('one')).toMatchObject({ reason: 'draining', count: 1 })
  })
})

describe('a paused route', () => {
  test('holds its messages, one-time passwords included, and no other route', async () => {
    await pause('route', 'both', { reason: 'numbers change' })
    const message = await send('both')
    const otp = await service.call<{ id: string }>('POST', '/otp/request_token', { recipient: RECIPIENT.both })
    expect(otp.status).toBe(200)
    await sentBy(await send('one'), 'first')
    await staysWaiting(message)
    const hold = await held('both')
    expect(hold).toMatchObject({ reason: 'paused', count: 2, detail: expect.stringContaining('numbers change') })
    expect(hold.detail).not.toContain('may replace it')
    await resume('route', 'both')
    await sentBy(message, 'first')
  })
})

describe('operators', () => {
  test('find every change in the audit log, with its reason', async () => {
    await pause('route', 'one', { reason: 'why not' })
    await pause('route', 'one', { reason: 'still', mode: 'draining' })
    await resume('route', 'one')
    const { body } = await operator.call<{ entries: object[] }>('GET', '/console/api/audit?installation=true')
    expect(body.entries.slice(0, 3)).toMatchObject([
      { action: 'route.resume', subject: 'one', actor: operator.email, before: { mode: 'draining', reason: 'still' } },
      { action: 'route.drain', before: { mode: 'paused', reason: 'why not' }, after: { reason: 'still' } },
      { action: 'route.pause', after: { mode: 'paused', reason: 'why not' } },
    ])
  })

  test('end the pause that a carrier asked for, too', async () => {
    await pauseCarrier(service.db, 'second', { for_s: 600, code: '1', reason: 'no credit' })
    await resume('carrier', 'second')
    expect(await service.db`select 1 from carrier_pauses`).toEqual([])
  })

  test('are refused with all errors, and nothing changes', async () => {
    const wrong = [
      [pathOf('carrier', 'none'), { mode: 'paused', reason: 'x' }, 404],
      [pathOf('route', 'first'), { mode: 'paused', reason: 'x' }, 404],
      [pathOf('carrier', 'first'), { mode: 'stopped', reason: 'x'.repeat(501) }, 400],
      [pathOf('carrier', 'first'), { mode: 'paused', reason: ' ', until: '2020-01-01T00:00:00Z' }, 400],
      [pathOf('carrier', 'first'), { mode: 'paused', reason: 'x', until: 'tomorrow' }, 400],
    ] as const
    const fields: (string | undefined)[][] = []
    for (const [path, body, status] of wrong) {
      const answer = await operator.call<{ errors?: { field: string }[] }>('POST', path, body)
      expect(answer.status).toBe(status)
      fields.push((answer.body.errors ?? []).map(({ field }) => field))
    }
    expect(fields).toEqual([[], [], ['mode', 'reason'], ['reason', 'until'], ['until']])
    expect((await operator.call('DELETE', pathOf('carrier', 'first'))).status).toBe(404)
    const { body } = await operator.call<{ pauses: object[] }>('GET', '/console/api/carriers')
    expect(body.pauses).toEqual([])
  })
})

test('the command line pauses, drains, lists and resumes', async () => {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'gangan.json')
  await writeFile(path, JSON.stringify(settings()))
  const gangan = (...args: string[]) => runGangan(args, { DATABASE_URL: service.database.url, GANGAN_CONFIG: path })
  const paused = await gangan('carriers', 'pause', 'first', '--reason', 'fee dispute', '--minutes', '90', '--json')
  expect(JSON.parse(paused.stdout)).toMatchObject({
    pause: { kind: 'carrier', name: 'first', mode: 'paused', reason: 'fee dispute', actor: 'command line' },
  })
  expect((await gangan('routes', 'drain', 'one', '--reason', 'moving')).code).toBe(0)
  expect((await gangan('carriers')).stdout).toMatch(/^carrier first +paused .*command line +fee dispute$/m)
  expect((await gangan('routes')).stdout).toMatch(/^one .*first .*draining +moving$/m)
  expect((await gangan('routes', 'pause', 'one')).stderr).toContain('--reason is required')
  expect(await gangan('carriers', 'pause', 'third', '--reason', 'x')).toMatchObject({ code: 3 })
  expect((await gangan('carriers', 'resume', 'first')).code).toBe(0)
  expect(await gangan('carriers', 'resume', 'first')).toMatchObject({ code: 3 })
  expect((await gangan('routes', 'resume', 'one')).code).toBe(0)
  await folder.remove()
})

test('the money is right after all of it', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})
