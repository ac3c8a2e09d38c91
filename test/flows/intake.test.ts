import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { makeChargeSale } from '../../src/billing/charge.ts'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import { PRIORITY, type Draft } from '../../src/messaging/draft.ts'
import { connectBeside } from '../../src/db/connect.ts'
import type { LeasedDelivery } from '../../src/messaging/intake/leased-row.ts'
import { fillRows, SLICE, writeRow } from '../../src/messaging/intake/row.ts'
import {
  claimRows,
  advanceRow,
  countRows,
  extendRowLeases,
  recordIntake,
  type Claimed,
} from '../../src/messaging/intake/store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { anyDraft, draftOf, numbersOf, PRICE, saleOf } from '../support/drafts.ts'
import { CARRIER, claimAll, putOff, taken, writeOutcomes } from '../support/intake.ts'
import { between } from '../support/statements.ts'
import { newId } from '../../src/values/id.ts'
import { foundOrganisation } from '../support/organisation.ts'

let database: TestDatabase
let by: string
let wakes: string[]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  by = await foundOrganisation(database.db, 1_000_000_0000n)
  wakes = []
})

/** Charges and stores drafts as one batch, in a process that submits nothing. */
function accept(drafts: readonly Draft[], of = by) {
  const wakeups = {
    wake: (queue: string, _?: number, detail?: string) => void wakes.push(`${queue} ${detail}`),
    onWake: () => () => {},
    close: async () => {},
  }
  const { storeSales } = makeAcceptMessages({
    db: database.db,
    shared_db: database.db,
    wakeups,
    submittersOf: () => [],
    depth: { add() {} },
  })
  return storeSales(
    of,
    drafts.map((draft) => saleOf(draft)),
  )
}

const claim = (budget: number, { route = 'sms', priority = 1, of = by } = {}) =>
  claimRows(database.db, of, { route, priority, budget })

const rowsOf = (of = by) => database.db<
  { id: string; size: number; submitted: number; claims: number; leased: boolean | null; messages: string }[]
>`
  select id, size, submitted, claims, leased_until > now() as leased, messages from intake
  where organisation_id = ${of} order by id`

const endLeases = () => database.db`update intake set leased_until = now() where leased_until is not null`

const recipientsOf = (claimed: readonly Claimed[]) =>
  claimed.flatMap(({ granted }) => granted.map(({ message_id, recipient }) => `${message_id} ${recipient}`))

const everyone = (drafts: readonly Draft[]) =>
  drafts.flatMap(({ id, deliveries }) => deliveries.map(({ recipient }) => `${id} ${recipient}`))

const stored = () => database.db`
  select to_jsonb(messages) as message, to_jsonb(deliveries) as delivery from messages
  join deliveries using (organisation_id) where organisation_id = ${by} and message_id = messages.id
  order by message_id, position`

const submissions = () => database.db<{ carrier_message_id: string; segment: number; segments: number }[]>`
  select carrier_message_id, segment, segments from submissions where organisation_id = ${by}
  order by carrier_message_id`

describe('a stored batch', () => {
  test('is read back unchanged, by message and by delivery', async () => {
    const { db } = database
    await fc.assert(
      fc.asyncProperty(fc.array(anyDraft, { minLength: 1, maxLength: 4 }), async (drafts) => {
        const { rows, stored: apart } = fillRows(drafts)
        const contents = rows.map(writeRow)
        const messages = await db`
          select message.* from unnest(${contents}::text[]) as content cross join lateral messages_in(content) message`
        const whole = drafts.filter((draft) => !apart.includes(draft))
        expect(new Map(messages.map((one) => [one.id, one]))).toEqual(
          new Map(whole.map((draft) => [draft.id, rowOf(draft)])),
        )
        const deliveries = await db`
          select n, message_id, recipient, position, pages, charge, text, whatsapp
          from unnest(${contents}::text[]) with ordinality as given (content, k)
          cross join lateral deliveries_in(content) delivery order by k, n`
        const expected = rows.flatMap(({ items }) =>
          items
            .flatMap(({ id, to, positions, pages, price, texts, whatsapp }) =>
              to.map((recipient, k) => {
                const own = { text: texts?.[k] ?? null, whatsapp: whatsapp ?? null }
                return { message_id: id, recipient, position: positions[k], pages, charge: price, ...own }
              }),
            )
            .map((one, n) => ({ n: BigInt(n + 1), ...one })),
        )
        expect(deliveries).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  test('is in rows with the ledger entry of the batch, of which the submitter is notified', async () => {
    const drafts = [draftOf(), draftOf({ deliveries: numbersOf(3) }), draftOf({ priority: PRIORITY.otp })]
    const { line, moment } = await accept(drafts)
    const rows = await database.db`
      select route, priority, size, submitted, claims, line, leased_until, created_datetime, first_id, last_id from intake
      where organisation_id = ${by} order by priority desc`
    const fresh = { route: 'sms', submitted: 0, claims: 0, line, leased_until: null, created_datetime: moment }
    const [first, second, third] = drafts.map(({ id }) => id)
    expect(rows).toEqual([
      { ...fresh, priority: 1, size: 4, first_id: first, last_id: second },
      { ...fresh, priority: 0, size: 1, first_id: third, last_id: third },
    ])
    expect(wakes).toEqual([`intake:sms 1 ${by}`, `intake:sms 0 ${by}`])
    expect(await auditMoney(database.db)).toEqual([])
  })

  test('of a list in many slices has the message once, its slices, and its scheduled deliveries', async () => {
    const later = { send_at: '2030-01-01T10:00:00.000Z' }
    const deliveries = numbersOf(700).map((recipient, n) => ({ recipient, ...(n % 7 === 0 ? later : {}) }))
    const draft = draftOf({ deliveries, priority: PRIORITY.bulk })
    const { line } = await accept([draft])
    const [message] = await database.db`select id, charge, line from messages where organisation_id = ${by}`
    expect(message).toEqual({ id: draft.id, charge: 700n * PRICE, line })
    const [counted] = await database.db`
      select (select sum(size)::integer from intake where organisation_id = ${by}) as waiting,
        (select count(*)::integer from deliveries where organisation_id = ${by} and status = 'scheduled') as scheduled,
        (select count(*)::integer from jobs where organisation_id = ${by}) as jobs`
    expect(counted).toEqual({ waiting: 600, scheduled: 100, jobs: 1 })
    expect(await auditMoney(database.db)).toEqual([])
  })

  // On a cluster links are stored before the charge; a link without a message returns 404.
  test.skipIf(inject('cluster'))(
    'contains nothing that was not charged: for insufficient balance, or because its key is known',
    async () => {
      const poor = await foundOrganisation(database.db, 4n * PRICE)
      const { storeSales } = makeAcceptMessages({
        db: database.db,
        shared_db: database.db,
        wakeups: quiet,
        submittersOf: () => [],
        depth: { add() {} },
      })
      const charge = makeChargeSale(storeSales)
      const first = draftOf()
      await charge(poor, saleOf(first, 'known'))
      await database.db`delete from intake where organisation_id = ${poor}`
      await database.db`
      insert into messages (organisation_id, id, channel, encoding, message_length, pages, charge, line)
      select organisation_id, subject_id, 'sms', 'GSM', 5, 1, -amount, sequence from ledger_lines
      where organisation_id = ${poor} and kind = 'message'`
      await database.db`
      insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route)
      values (${poor}, ${first.id}, '2348031234567', 0, 'sent', 1, ${PRICE}, 'sms')`

      const again = draftOf({ content: 'known' })
      const expensive = draftOf({ content: 'expensive', deliveries: numbersOf(4) })
      const list = draftOf({ content: 'list', deliveries: numbersOf(300), priority: PRIORITY.bulk })
      const linked = draftOf({ content: 'linked', deliveries: numbersOf(2) })
      const late = draftOf({ content: 'late', deliveries: [{ charge: PRICE, send_at: '2030-01-01T10:00:00.000Z' }] })
      const links = (message_id: string) => [
        { code: message_id.slice(-7), message_id, recipient: '2348030000000', position: 0, url: 'https://example.com' },
      ]
      expensive.links = links(expensive.id)
      linked.links = links(linked.id)
      const accepted = await storeSales(poor, [
        saleOf(again, 'known'),
        saleOf(expensive),
        saleOf(linked),
        saleOf(list),
        saleOf(late, 'late'),
        saleOf(draftOf({ content: 'too late' })),
      ])
      expect(accepted.outcomes).toEqual([
        'replayed',
        'insufficient',
        'charged',
        'insufficient',
        'charged',
        'insufficient',
      ])
      const rows = await rowsOf(poor)
      expect(rows.map(({ size }) => size)).toEqual([2])
      expect(JSON.parse(rows[0]?.messages ?? '')).toMatchObject({ id: linked.id })
      const known = async (table: string, column: string) =>
        (await database.db.unsafe(`select ${column} as id from ${table} where organisation_id = '${poor}'`)).map(
          (row) => (row as { id: string }).id,
        )
      expect((await known('messages', 'id')).sort()).toEqual([first.id, late.id].sort())
      expect(await known('links', 'message_id')).toEqual([linked.id])
      expect(await known('jobs', 'subject_id')).toEqual([late.id])
      expect(await auditMoney(database.db)).toEqual([])
    },
  )
})

describe('a claim', () => {
  test('takes at most its budget, the oldest first, and stores its progress before submission', async () => {
    const bursts = [1, 2, 3].map(() => Array.from({ length: 5 }, () => draftOf()))
    for (const drafts of bursts) await accept(drafts)
    const first = await claim(7)
    expect(recipientsOf(first)).toEqual(everyone(bursts.flat()).slice(0, 7))
    expect(first.map(({ row }) => [row.submitted, row.left, row.claims])).toEqual([
      [5, 5, 1],
      [2, 5, 1],
    ])
    expect((await rowsOf()).map(({ submitted, leased, claims }) => [submitted, leased, claims])).toEqual([
      [5, true, 1],
      [2, true, 1],
      [0, null, 0],
    ])
    // The rest of the second row is leased by another process.
    expect(recipientsOf(await claim(100))).toEqual(everyone(bursts[2] ?? []))
    expect(await claim(100)).toEqual([])
  })

  test('takes from its organisation, route and priority only', async () => {
    const other = await foundOrganisation(database.db, 100_0000n)
    await accept([draftOf()], other)
    await accept([draftOf({ deliveries: [{ route: 'mtn' }] }), draftOf({ priority: PRIORITY.bulk })])
    expect(await claim(100)).toEqual([])
    expect(await claim(100, { route: 'mtn' })).toHaveLength(1)
    expect(await claim(100, { priority: PRIORITY.bulk })).toHaveLength(1)
    expect(await claim(100, { of: other })).toHaveLength(1)
  })

  test('never gives the same row to two concurrent processes', async () => {
    const drafts = Array.from({ length: 100 }, () => draftOf())
    for (const draft of drafts) await accept([draft])
    const given: string[] = []
    const claimer = async () => {
      while (given.length < drafts.length) given.push(...recipientsOf(await claim(3)))
    }
    await Promise.all(Array.from({ length: 8 }, claimer))
    expect(given.sort()).toEqual(everyone(drafts).sort())
  })

  test('whose response is lost has leased nothing', async () => {
    await accept([draftOf()])
    await between(
      database.db,
      async (asked, ask) => {
        const answer = await ask(asked)
        if (asked.text.includes('claim_intake')) throw new Error('the answer was lost')
        return answer
      },
      () => expect(claim(1)).rejects.toThrow('the answer was lost'),
    )
    expect((await rowsOf()).map(({ submitted, claims }) => [submitted, claims])).toEqual([[0, 0]])
    const [again] = await claim(1)
    expect(again?.granted.map(({ interrupted }) => interrupted)).toEqual([false])
  })

  test('knows opt-outs since acceptance, and those of a minute before', async () => {
    const draft = draftOf({ deliveries: numbersOf(4) })
    const [recently, , since] = numbersOf(4)
    await optOut(recently)
    await accept([draft])
    await optOut(since)
    const [claimed] = await claim(100)
    expect(claimed?.granted.map(({ opted_out }) => opted_out)).toEqual([true, false, true, false])
  })
})

describe('a row that another process has leased before', () => {
  test('is not claimed before its lease expires', async () => {
    await accept([draftOf()])
    await claim(1)
    expect(await claim(1)).toEqual([])
    await endLeases()
    expect(await claim(1)).toHaveLength(1)
  })

  test('has submitted and unrecorded deliveries marked as interrupted, and the others as new', async () => {
    const draft = draftOf({ deliveries: numbersOf(6) })
    await accept([draft])
    const [dead] = await claim(4)
    await writeOutcomes(database.db, 'sms', { sent: dead?.granted.slice(1, 3).map((one) => taken(one)) ?? [] })
    await endLeases()
    const [found] = await claim(1)
    const [zero, , , three, four] = numbersOf(6)
    expect(found?.granted.map(({ recipient, interrupted }) => [recipient, interrupted])).toEqual([
      [zero, true],
      [three, true],
      [four, false],
    ])
    expect(found?.row).toMatchObject({ claims: 2, submitted: 5, left: 4 })
    expect((await rowsOf()).map(({ submitted, claims }) => [submitted, claims])).toEqual([[5, 2]])
  })

  test('of which everything is recorded is recognised as such', async () => {
    await accept([draftOf({ deliveries: numbersOf(2) })])
    const [dead] = await claim(2)
    if (dead) dead.row.left = Infinity // It dies before it deletes the row.
    await writeOutcomes(database.db, 'sms', { sent: dead?.granted.map((one) => taken(one)) ?? [] })
    await endLeases()
    const [found] = await claim(2)
    expect([found?.row.left, found?.granted]).toEqual([0, []])
  })

  test('is not advanced by the process that lost it', async () => {
    await accept([draftOf({ deliveries: numbersOf(6) })])
    const [slow] = await claim(2)
    if (!slow) throw new Error('nothing was claimed')
    expect(await advanceRow(database.db, slow.row, 3)).toBe(3)
    expect((await rowsOf()).map(({ submitted }) => submitted)).toEqual([3])
    await endLeases()
    const [quick] = await claim(1)
    expect(await advanceRow(database.db, slow.row, 6)).toBeUndefined()
    expect((await rowsOf()).map(({ submitted }) => submitted)).toEqual([4])
    expect(quick && (await advanceRow(database.db, quick.row, 6))).toBe(6)
  })

  test('is neither kept nor released by the process that lost it', async () => {
    await accept([draftOf({ deliveries: numbersOf(6) })])
    const [slow] = await claim(2)
    await endLeases()
    await claim(1)
    await extendRowLeases(database.db, by, slow ? [slow.row] : [], 0)
    expect(await claim(1)).toEqual([])
    await endLeases()
    await extendRowLeases(database.db, by, slow ? [slow.row] : [], 10)
    expect(await claim(1)).toHaveLength(1)
  })

  test('is kept for another lease, or released immediately', async () => {
    await accept([draftOf({ deliveries: numbersOf(6) })])
    const [own] = await claim(2)
    await endLeases()
    await extendRowLeases(database.db, by, own ? [own.row] : [], 10)
    expect(await claim(1)).toEqual([])
    await extendRowLeases(database.db, by, own ? [own.row] : [], 0)
    expect(await claim(1)).toHaveLength(1)
  })
})

describe('an outcome', () => {
  test('is recorded once, with the message, and the row is deleted with the last one', async () => {
    const template_id = newId()
    const draft = draftOf({
      content: 'Dear "Ada" \\u0041',
      deliveries: numbersOf(3).map((recipient, n) => ({ recipient, pages: 2, text: `Own "words" ${n}` })),
      template: { id: template_id, version: 3 },
      personalisation: [{ to: '2348030000000', substitutions: { name: 'Ada' } }],
      external_ref: 'order "1"',
      is_trackable: true,
      callback: 'https://example.com/',
      encoding: 'UCS-2',
      message_length: 99,
      pages: 2,
    })
    const { line, moment } = await accept([draft])
    const [claimed] = await claim(100)
    const [one, two, three] = claimed?.granted ?? []
    if (!one || !two || !three) throw new Error('too little was claimed')
    await writeOutcomes(database.db, 'sms', { sent: [taken(one, 2)] })
    expect(await rowsOf()).toHaveLength(1)
    await writeOutcomes(database.db, 'sms', { sent: [taken(two, 2)], unsent: [putOff(three, 'sms')] })
    expect(await rowsOf()).toEqual([])
    const [message] = await database.db`select * from messages where organisation_id = ${by}`
    expect(message).toMatchObject({
      ...rowOf(draft),
      template_id,
      template_version: 3,
      charge: 3n * PRICE,
      line,
      created_datetime: moment,
    })
    const deliveries = await database.db`
      select recipient, position, status, pages, charge, route, text, carrier, created_datetime,
        sent_datetime is not null as was_sent
      from deliveries where organisation_id = ${by} order by position`
    expect(deliveries).toEqual(
      draft.deliveries.map(({ recipient, text }, position) => ({
        recipient,
        position,
        status: position < 2 ? 'sent' : 'queued',
        pages: 2,
        charge: PRICE,
        route: 'sms',
        text,
        carrier: position < 2 ? CARRIER : null,
        created_datetime: moment,
        was_sent: position < 2,
      })),
    )
    expect(await submissions()).toEqual(
      [one, two].flatMap((delivery) =>
        taken(delivery, 2).ids.map((carrier_message_id, n) => ({ carrier_message_id, segment: n + 1, segments: 2 })),
      ),
    )
    expect(await auditMoney(database.db)).toEqual([])
  })

  test('recorded twice changes nothing', async () => {
    const drafts = [draftOf(), draftOf({ deliveries: numbersOf(3) })]
    await accept(drafts)
    const [claimed] = await claim(100)
    const [one, two, ...rest] = claimed?.granted ?? []
    if (!claimed || !one || !two) throw new Error('too little was claimed')
    const outcomes = {
      sent: [taken(one), taken(two, 2)],
      unsent: rest.map((delivery) => putOff(delivery, 'sms')),
    }
    await writeOutcomes(database.db, 'sms', outcomes)
    const jobs = () => database.db`select queue, subject_id, subject_key from jobs where organisation_id = ${by}`
    const before = [await stored(), await submissions(), await jobs()]
    // The process got no response, and records it again.
    Object.assign(claimed.row, { left: 4, opened: false })
    await writeOutcomes(database.db, 'sms', outcomes)
    expect([await stored(), await submissions(), await jobs()]).toEqual(before)
    expect(await auditMoney(database.db)).toEqual([])
  })

  test('recorded by a process that exceeded its lease adds its carrier message ids, and nothing else', async () => {
    await accept([draftOf({ deliveries: numbersOf(3) })])
    const [slow] = await claim(2)
    await endLeases()
    const [quick] = await claim(100)
    if (!slow || !quick) throw new Error('nothing was claimed')
    await writeOutcomes(database.db, 'sms', { unsent: quick.granted.map((delivery) => ({ delivery })) })
    const before = await stored()
    expect(before).toHaveLength(3)
    await writeOutcomes(database.db, 'sms', { sent: slow.granted.map((delivery) => taken(delivery)) })
    expect(await stored()).toEqual(before)
    expect((await submissions()).map(({ carrier_message_id }) => carrier_message_id)).toEqual(
      slow.granted.flatMap((delivery) => taken(delivery).ids),
    )
    expect(await rowsOf()).toEqual([])
  })

  test('recorded by a process that exceeded its lease does not release the row of another', async () => {
    await accept([draftOf({ deliveries: numbersOf(3) })])
    const [slow] = await claim(2)
    await endLeases()
    await claim(100)
    await writeOutcomes(database.db, 'sms', { sent: slow?.granted.map((delivery) => taken(delivery)) ?? [] })
    expect((await rowsOf()).map(({ submitted }) => submitted)).toEqual([3])
    expect(await stored()).toHaveLength(2)
    await endLeases()
    const [third] = await claim(100)
    expect(third?.granted.map(({ recipient }) => recipient)).toEqual(numbersOf(3).slice(2))
  })

  test('of a whole row that is postponed is one job each, also with cached plans and a part recorded before', async () => {
    const kept = connectBeside(database.db, { connections: 1, plans: 'kept' })
    await accept([draftOf({ deliveries: numbersOf(SLICE) })])
    const [claimed] = await claim(SLICE)
    if (!claimed) throw new Error('nothing was claimed')
    const { granted } = claimed
    const write = async (held: readonly LeasedDelivery[], delay_ms: number) => {
      const unsent = held.map((one) => ({ ...putOff(one, 'sms'), delay_ms }))
      return (await recordIntake(kept, 'sms', countRows(unsent), [], unsent)).stored
    }
    const third = granted.filter((_, n) => n % 3 === 0)
    expect(await write(third, 60_000)).toHaveLength(third.length)
    const rest = await write(granted, 0)
    expect(rest.map(({ delivery }) => delivery)).toEqual(granted.filter((_, n) => n % 3 !== 0))
    expect(await write(granted, 0)).toEqual([])
    const jobs = await database.db<{ subject_key: string; is_later: boolean }[]>`
      select subject_key, run_at > now() + interval '30 s' as is_later from jobs
      where organisation_id = ${by} order by subject_key`
    expect(jobs).toEqual(numbersOf(SLICE).map((subject_key, n) => ({ subject_key, is_later: n % 3 === 0 })))
    expect(await stored()).toHaveLength(SLICE)
    expect(await rowsOf()).toEqual([])
    expect(await auditMoney(database.db)).toEqual([])
    await kept.end({ timeout: 1 })
  })

  test('that postpones a delivery stores all that a retry needs', async () => {
    const whatsapp = { name: 'offer', language: 'en', parameters: ['"Ada"'] }
    const sealed_text = Buffer.from([0, 255, 92])
    const { moment } = await accept([
      draftOf({ deliveries: [{ recipient: '1', whatsapp }] }),
      draftOf({ deliveries: [{ recipient: '2', sealed_text }], priority: PRIORITY.otp, expires_in_s: 300 }),
    ])
    for (const { granted, route } of await claimAll(database.db, by)) {
      const others = granted.map((delivery) => ({
        delivery,
        queue: 'route:sms>next',
        delay_ms: 5_000,
        attempts: 3,
        tried: CARRIER,
      }))
      await writeOutcomes(database.db, route, { unsent: others })
    }
    const rows = await database.db`
      select recipient, status, whatsapp, sealed_text, tried, priority, attempts, queue, lane, jobs.organisation_id,
        extract(epoch from expires_datetime - created_datetime)::float8 as expires_in_s,
        extract(epoch from run_at - now()) between 1 and 6 as later, created_datetime
      from deliveries join jobs on subject_id = message_id and subject_key = recipient
        and jobs.organisation_id = deliveries.organisation_id
      where deliveries.organisation_id = ${by} order by recipient`
    const both = { status: 'queued', tried: [CARRIER], attempts: 3, queue: 'route:sms>next', lane: by, later: true }
    const whose = { organisation_id: by, created_datetime: moment }
    expect(rows).toEqual([
      { recipient: '1', whatsapp, sealed_text: null, priority: 1, expires_in_s: null, ...both, ...whose },
      { recipient: '2', whatsapp: null, sealed_text, priority: 0, expires_in_s: 300, ...both, ...whose },
    ])
  })
})

/** The row that a message will have, as `messages_in` returns it. */
function rowOf(draft: Draft) {
  const { id, channel, sender_id, content, personalisation, external_ref, is_trackable, callback } = draft
  const { encoding, message_length, pages, template, deliveries } = draft
  return {
    id,
    channel,
    sender_id,
    content,
    template_id: template?.id ?? null,
    template_version: template?.version ?? null,
    personalisation: personalisation ?? null,
    external_ref: external_ref ?? null,
    is_trackable,
    callback: callback ?? null,
    encoding,
    message_length,
    pages: deliveries[0]?.pages ?? pages,
    charge: draft.charge,
    trace: draft.trace?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? null,
  }
}

async function optOut(recipient = ''): Promise<void> {
  await database.db`
    insert into optouts (organisation_id, id, recipient, source) values (${by}, ${newId()}, ${recipient}, 'api')`
}

const quiet = { wake() {}, onWake: () => () => {}, close: async () => {} }
