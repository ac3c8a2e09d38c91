import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Erasure } from '../../src/people/schema.ts'
import { spellingsOf } from '../../src/people/spellings.ts'
import { takeStep } from '../../src/people/erase-worker.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { emptyIntake } from '../support/intake.ts'
import { dump, fill, OTHER, WORD } from '../support/person-data.ts'
import { runGangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { makeSettler } from '../support/settling.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  // An erasure waits for the log of calls, which has its own tests.
  service = await openService({ credit: 100_000, settings: { retention: { requests_days: 0 } } })
  receiver = await startReceiver()
})

afterAll(async () => {
  await receiver.close()
  await service.close()
})

let people = 0
/** A person with a unique number, as digits and as people write it. */
function newPerson(): { number: string; national: string; spaced: string } {
  people += 1
  const end = String(1_000_000 + people * 7_919).slice(-7)
  return {
    number: `234803${end}`,
    national: `0803${end}`,
    spaced: `+234 (0) 803 ${end.slice(0, 3)}-${end.slice(3)}`,
  }
}

async function erased(by: Organisation, phone: string): Promise<Erasure> {
  const asked = await by.call<Erasure>('POST', '/people/erasures', { phone })
  expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
  return until('the erasure to end', async () => {
    const { body } = await by.call<Erasure>('GET', `/people/erasures/${asked.body.id}`)
    return body.status === 'done' && body
  })
}

async function auditIsClean(): Promise<void> {
  const { code, stdout, stderr } = await runGangan(['balance', 'audit'], { DATABASE_URL: service.database.url })
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)])
}

/** The rows that contain the number or the word. */
async function traces(number: string, word = WORD): Promise<string[]> {
  const spelled = spellingsOf(number)
  const found = (await dump(service.db)).filter(({ row }) => spelled.isIn(row) || row.includes(word))
  return found.map(({ table, row }) => `${table}: ${row.slice(0, 300)}`)
}

describe('erasing a person', () => {
  test('leaves neither number nor text anywhere, and the ledger unchanged', async () => {
    const by = await service.organisation({ credit: 10_000 })
    const { number, national, spaced } = newPerson()
    const callback = `${receiver.url}/hook?to=${number}`
    receiver.answer = ({ body }) => (body.includes(number) && body.includes('undelivered') ? 500 : 200)
    await fill({ db: service.db, receiver, by }, { number, national, spaced, callback })
    await until('all callbacks to be delivered', async () => {
      const waits = await service.db`select 1 from deliveries where organisation_id = ${by.id} and status = 'sent'`
      return waits.length === 0
    })
    expect(new Set((await traces(number)).map((one) => one.split(':')[0])).size).toBeGreaterThan(30)
    const before = await by.call<{ balance: number }>('GET', '/balance')

    const receipt = await erased(by, spaced)
    // There are other organisations: shared data is for the operator to erase.
    const shared = [
      'carrier_facts',
      'inbound_messages',
      'inbound_segments',
      'provider_answers',
      'reports',
      'whatsapp_users',
    ]
    expect((await traces(number)).map((one) => one.split(':')[0])).toEqual(shared)
    const command = await runGangan(['contacts', 'erase', national, '--organisation', by.id], {
      DATABASE_URL: service.database.url,
      GANGAN_PEPPER: PEPPER,
    })
    expect([command.code, command.stderr]).toEqual([0, ''])
    expect(await traces(number)).toEqual([])
    expect(receipt).toMatchObject({ number_hash: expect.stringMatching(/^erased-[0-9a-f]{32}$/) })
    expect(receipt.found.length).toBeGreaterThan(25)
    expect(receipt.waits_for).toBeUndefined()
    await auditIsClean()
    // The scheduled message was canceled and refunded.
    const after = await by.call<{ balance: number }>('GET', '/balance')
    expect(after.body.balance - before.body.balance).toBe(4)

    // No other person lost data.
    const rest = (await dump(service.db)).filter(({ row }) => row.includes(OTHER) || row.includes('Bola'))
    expect(rest.map(({ table }) => table)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^deliveries/), 'contact_rows', 'optouts']),
    )
    const again = await erased(by, number)
    expect(again.found).toEqual([])
    expect(again.number_hash).toBe(receipt.number_hash)
    const list = await by.call<{ erasures: Erasure[] }>('GET', `/people/erasures?number_hash=${receipt.number_hash}`)
    expect(list.body.erasures.map(({ id }) => id)).toEqual([again.id, expect.any(String), receipt.id])
    expect((await service.db`select 1 from erasures where sealed_number is not null`).length).toBe(0)
  })

  test('keeps an opt-out, and erases it if the person asks for that', async () => {
    const by = await service.organisation()
    const { number, national } = newPerson()
    await by.call('POST', '/optouts', { recipients: [national] })
    await erased(by, national)
    expect(await traces(number)).toEqual([])

    type Sent = { id: string; meta: { estimate: { charge: number } } }
    const sent = await by.call<Sent>('POST', '/sms/send', { recipients: [national, OTHER], content: 'Anybody there?' })
    expect(sent.body.meta.estimate.charge).toBe(4)
    const rejected = await until('its end', async () => {
      const { body } = await by.call<{ deliveries: { recipient: string; code?: string; status: string }[] }>(
        'GET',
        `/sms/${sent.body.id}`,
      )
      return body.deliveries.find(({ recipient, status }) => recipient === number && status !== 'queued')
    })
    expect(rejected).toMatchObject({ status: 'rejected', code: 'opted_out' })
    expect((await by.call('GET', `/lookup/phone?phone=${number}`)).body).toMatchObject({ dnd: true })

    const start = await by.call('POST', '/sandbox/reply', { from: number, to: 'Gangan', text: 'START' })
    expect(start.status).toBe(200)
    const again = await by.call<Sent>('POST', '/sms/send', { recipients: national, content: 'Welcome back' })
    expect(again.body.meta.estimate.charge).toBe(4)
  })

  test('a late report finds the delivery, and does not restore the number', async () => {
    const by = await service.organisation()
    const { number } = newPerson()
    const { body } = await by.call<{ id: string }>('POST', '/sms/send', { recipients: number, content: WORD })
    await until('the message to arrive', async () => {
      const found = await service.db`
        select 1 from deliveries where organisation_id = ${by.id} and status = 'delivered'`
      return found.length === 1
    })
    await service.db`update deliveries set status = 'sent' where organisation_id = ${by.id}`
    await service.db`delete from submissions where organisation_id = ${by.id}`
    await service.db`
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      values ('line', 'late1', ${by.id}, ${body.id}, ${number}, now() + interval '1 h')`
    const { number_hash } = await erased(by, number)

    const { deps, seen } = makeSettler(service.db)
    const reported = {
      carrier: 'line',
      carrier_message_id: 'late1',
      status: 'delivered' as const,
      recipient: `+${number}`,
    }
    await makeReceiveReports(deps, deps)([{ ...reported, code: '000', description: 'DELIVRD' }])
    await until('the report to be matched', async () => {
      const { deliveries } = (await by.call<{ deliveries: { status: string }[] }>('GET', `/sms/${body.id}`)).body
      return deliveries[0]?.status === 'delivered'
    })
    expect(seen.settled.flatMap(({ changed }) => changed.map(({ recipient }) => recipient))).toEqual([number_hash])
    expect(await traces(number)).toEqual([])
  })

  test('two concurrent requests, and two workers, make one erasure', async () => {
    const by = await service.organisation()
    const { number, national } = newPerson()
    for (let n = 0; n < 5; n += 1) {
      await by.call('POST', '/sms/send', { recipients: [number, OTHER], content: `${WORD} ${n}` })
      await by.call('POST', '/lists/contact/rows', { columns: { Mobile: national } })
    }
    const deps = { db: service.db, seal: makeSeal(pepperKeys(PEPPER).seal_key) }
    const asked = await Promise.all(
      [number, national, number].map((phone) => by.call<Erasure>('POST', '/people/erasures', { phone })),
    )
    const ids = new Set(asked.map(({ body }) => body.id))
    const [id = ''] = ids
    await Promise.all(
      [1, 2].map(async () => {
        for (;;) if ((await takeStep(deps, by.id, id)).then === 'done') return
      }),
    )
    const { body } = await by.call<Erasure>('GET', `/people/erasures/${id}`)
    expect([ids.size, body.status]).toEqual([1, 'done'])
    expect(Object.fromEntries(body.found.map(({ table, rows }) => [table, rows]))).toMatchObject({
      deliveries: 5,
      contact_rows: 5,
    })
    expect(await traces(number, 'nothing of this kind')).toEqual([])
    await auditIsClean()
  })
})

describe('a queued message', () => {
  test('with a ledger entry of its own, as the second message of an OTP has, is erased', async () => {
    const still = await openService({ workers: false })
    const by = await still.organisation({ credit: 1_000 })
    const { number } = newPerson()
    await by.call('POST', '/sms/send', { recipients: [OTHER, number], content: 'All' })
    await still.db`update intake set line = null where organisation_id = ${by.id}`
    const { body } = await by.call<Erasure>('POST', '/people/erasures', { phone: number })
    const deps = { db: still.db, seal: makeSeal(pepperKeys(PEPPER).seal_key) }
    while ((await takeStep(deps, by.id, body.id)).then !== 'done');
    expect((await by.call<Erasure>('GET', `/people/erasures/${body.id}`)).body.status).toBe('done')
    await still.close()
  })

  test.each([
    ['canceled and refunded when it never left', 'canceled true', {}],
    ['unknown and paid when a carrier may have it from an earlier try', 'unknown false', { carrier: 'mtn' }],
    ['unknown and charged if the process that submitted it has died', 'unknown false', { leased: true }],
  ])(
    'for another attempt is %s',
    async (_, ended, { carrier, leased = false }: { carrier?: string; leased?: boolean }) => {
      const still = await openService({ workers: false })
      const by = await still.organisation({ credit: 1_000 })
      const { number } = newPerson()
      const { id } = (await by.call<{ id: string }>('POST', '/sms/send', { recipients: number, content: WORD })).body
      await emptyIntake(still.db, by.id)
      await still.db`
      update deliveries set carrier = ${carrier ?? null} where organisation_id = ${by.id} and message_id = ${id}`
      const jobs = await still.db`
      update jobs set leased = ${leased}, leased_until = ${leased ? '2026-01-01T00:00:00Z' : null}::timestamptz
      where organisation_id = ${by.id} and subject_id = ${id}`
      expect(jobs.count).toBe(1)
      const { body } = await by.call<Erasure>('POST', '/people/erasures', { phone: number })
      const deps = { db: still.db, seal: makeSeal(pepperKeys(PEPPER).seal_key) }
      while ((await takeStep(deps, by.id, body.id)).then !== 'done');
      const rows = await still.db<{ status: string; refunded: boolean }[]>`
      select status, refunded from deliveries where organisation_id = ${by.id} and message_id = ${id}`
      expect(rows.map(({ status, refunded }) => `${status} ${refunded}`)).toEqual([ended])
      expect(await still.db`select from jobs where organisation_id = ${by.id} and subject_id = ${id}`).toHaveLength(0)
      expect(await auditMoney(still.db)).toEqual([])
      await still.close()
    },
  )

  test('to another person that mentions the person is waited for, and erased once it is stored', async () => {
    const still = await openService({ workers: false })
    const by = await still.organisation({ credit: 1_000 })
    const { number } = newPerson()
    const message = { recipients: OTHER, content: `Call +${number}`, external_ref: `order of ${number}` }
    const { id } = (await by.call<{ id: string }>('POST', '/sms/send', message)).body
    // The log of requests is stored once a second.
    const spelled = spellingsOf(number)
    await until('the request to be logged', async () => {
      const bursts =
        await still.db`select request_bursts::text as row from request_bursts where organisation_id = ${by.id}`
      return bursts.some(({ row }) => spelled.isIn(String(row)))
    })
    const { body } = await by.call<Erasure>('POST', '/people/erasures', { phone: number })
    const deps = { db: still.db, seal: makeSeal(pepperKeys(PEPPER).seal_key) }
    const walk = async (): Promise<string> => {
      const { then } = await takeStep(deps, by.id, body.id)
      return then === 'more' ? walk() : then
    }
    expect(await walk()).toBe('wait')
    expect((await by.call<Erasure>('GET', `/people/erasures/${body.id}`)).body).toMatchObject({
      status: 'running',
      waits_for: ['intake'],
    })
    const [waiting] = await still.db<{ messages: string }[]>`
      select messages from intake where organisation_id = ${by.id}`
    expect(waiting?.messages).toContain(`Call +${number}`)
    await emptyIntake(still.db, by.id)
    expect(await walk()).toBe('done')
    const [stored] = await still.db<{ external_ref: string }[]>`
      select external_ref from messages where organisation_id = ${by.id} and id = ${id}`
    expect(stored?.external_ref).toMatch(/^order of erased-/)
    expect((await dump(still.db)).filter(({ row }) => spelled.isIn(row))).toEqual([])
    await still.close()
  })

  test('is canceled and refunded for the person alone, and sent to the others', async () => {
    const still = await openService({ workers: false })
    const by = await still.organisation({ credit: 1_000 })
    const { number, national } = newPerson()
    const before = (await by.call<{ balance: number }>('GET', '/balance')).body.balance
    const sent = await Promise.all([
      by.call<{ id: string }>('POST', '/sms/send', { recipients: [OTHER, number, '2348057654322'], content: 'All' }),
      by.call<{ id: string }>('POST', '/sms/send', { recipients: national, content: WORD }),
      by.call<{ id: string }>('POST', '/otp/request_token', { recipient: national }),
    ])
    const env = { DATABASE_URL: still.database.url, GANGAN_PEPPER: PEPPER }
    const command = await runGangan(['contacts', 'erase', national, '--organisation', by.id], env)
    expect([command.code, command.stderr]).toEqual([0, ''])
    expect(command.stdout).toMatch(/intake +\d[\s\S]*Erased\. The receipt is [-0-9a-f]{36}, of erased-[0-9a-f]{32}/)
    const spelled = spellingsOf(number)
    const left = (await dump(still.db)).filter(({ row }) => spelled.isIn(row) || row.includes(WORD))
    expect(left).toEqual([])
    // Three messages to the person cost 4 each; two deliveries to others stay charged.
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(before - 8)

    const working = await openService({ beside: still })
    const first = await until('the others to get theirs', async () => {
      const { body } = await by.call<{ deliveries: { recipient: string; status: string; refunded: boolean }[] }>(
        'GET',
        `/sms/${sent[0].body.id}`,
      )
      return body.deliveries.filter(({ status }) => status === 'delivered').length === 2 && body
    })
    expect(first.deliveries.map(({ status, refunded }) => `${status} ${refunded}`)).toEqual([
      'delivered false',
      'canceled true',
      'delivered false',
    ])
    const audit = await runGangan(['balance', 'audit'], env)
    expect([audit.code, audit.stderr]).toEqual([0, ''])
    const listed = await runGangan(['contacts', 'erasures', '--organisation', by.id], env)
    expect(listed.stdout).toMatch(/erased-[0-9a-f]{32} +done +\d+ +command line/)
    await working.close()
    await still.close()
  })
})

describe('an export', () => {
  test('contains all data about the number, and none about others', async () => {
    const by = await service.organisation({ credit: 10_000 })
    const { number, national, spaced } = newPerson()
    await fill({ db: service.db, receiver, by }, { number, national, spaced, callback: `${receiver.url}/export` })
    const { status, headers, text } = await by.call('POST', '/people/export', { phone: spaced })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    type Part = { table: string; what: string; entries: Record<string, unknown>[] }
    const person = JSON.parse(text) as { phone: string; parts: Part[] }
    expect(person.phone).toBe(number)
    const entries = new Map(person.parts.map(({ table, entries: own }) => [table, own]))
    expect([...entries.keys()]).toEqual(
      expect.arrayContaining(['deliveries', 'contact_rows', 'otps', 'purchases', 'inbound_messages', 'optouts']),
    )
    expect(JSON.stringify(entries.get('inbound_messages'))).toContain(`${WORD} says hello`)
    expect(JSON.stringify(entries.get('deliveries'))).toContain(`${WORD} tomorrow`)
    expect(person.parts.every(({ what, entries: own }) => what !== '' && own.length > 0)).toBe(true)
    expect(text).not.toContain(OTHER)
    expect(JSON.stringify(person.parts.filter(({ table }) => table !== 'contact_rows'))).not.toContain('Bola')

    const unknown = await by.call('POST', '/people/export', { phone: '08099999999' })
    expect(JSON.parse(unknown.text)).toMatchObject({ phone: '2348099999999', parts: [] })
    const command = await runGangan(['contacts', 'export', national, '--organisation', by.id], {
      DATABASE_URL: service.database.url,
      GANGAN_PEPPER: PEPPER,
    })
    expect(JSON.parse(command.stdout)).toMatchObject({ phone: number })
  })
})
