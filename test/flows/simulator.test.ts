import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CarrierReport, MessageCarrier, OutgoingMessage } from '../../src/carriers/message-carrier.ts'
import { startSimulator } from '../../src/carriers/simulator/simulator.ts'
import { forgetHandsetMessages, listHandsetMessages } from '../../src/carriers/simulator/store.ts'
import { connectBeside } from '../../src/db/connect.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { newId } from '../../src/values/id.ts'
import { readPage } from '../../src/values/page.ts'
import { openService, type TestService } from '../support/service.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

let service: TestService
let wakeups: Wakeups
let simulators: MessageCarrier[]
let reported: string[]
const log = { info: () => {}, warn: () => {}, error: () => {} }
const LATE = '2348000000008'
const TWICE = '2348000000006'

beforeEach(async () => {
  service = await openService({ workers: false })
  wakeups = await makeWakeups(service.db)
  simulators = []
  reported = []
})
afterEach(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()))
  await wakeups.close()
  await service.close()
})

function start(takeReports = takeAll, report_delay_ms = 20, wakes: Wakeups = wakeups, db = service.db): MessageCarrier {
  const deps = { db, wakeups: wakes, log, takeReports, onShown: () => {} }
  const simulator = startSimulator(deps, { kind: 'simulator', name: 'handsets', report_delay_ms })
  simulators.push(simulator)
  return simulator
}

async function takeAll(reports: readonly CarrierReport[]): Promise<void> {
  reported.push(...reports.map(({ carrier_message_id }) => carrier_message_id))
}

async function handOver(simulator: MessageCarrier, messages: readonly OutgoingMessage[]): Promise<string[]> {
  const answers = simulator.submit(messages)
  const outcomes = await (Array.isArray(answers) ? Promise.all(answers) : answers)
  return outcomes.map(({ kind }) => kind)
}

function message(recipient: string, organisation_id = service.id): OutgoingMessage {
  const about = { message_id: newId(), channel: 'sms', sender_id: null, text: 'Hello' } as const
  return { organisation_id, recipient, expires_in_s: null, attempt: 1, urgent: false, ...about }
}

const ordinary = (count: number): OutgoingMessage[] =>
  Array.from({ length: count }, (_, n) => message(String(2_348_031_000_000 + n)))
const namesOf = (messages: readonly OutgoingMessage[]): string[] =>
  messages.map(({ message_id, recipient }) => `${message_id}-${recipient}`)
const jobs = () => service.db<{ organisation_id: string }[]>`select organisation_id from jobs order by id`
const nothingLeft = () => until('no job to be left', async () => (await jobs()).length === 0)

test('a batch is submitted in one statement, and its reports are one job', async () => {
  const simulator = start(takeAll, 60_000)
  const messages = ordinary(500)
  const asked: string[] = []
  await between(
    service.db,
    async ({ text, values }, ask) => {
      // Not the claims of the simulator's own worker, nor the polls of a cluster.
      if (!/get_shard_id|ask_shards|skip locked|recursive lanes/.test(text))
        asked.push(/select (\w+)\(/.exec(text)?.[1] ?? text)
      return ask({ text, values })
    },
    () => handOver(simulator, messages),
  )
  expect(asked).toEqual(['show_messages'])
  expect(await jobs()).toHaveLength(1)
  expect(await service.db`select 1 from sandbox_messages`).toHaveLength(500)
})

test('messages of many organisations that are submitted at the same time are shown by one statement', async () => {
  const others = await Promise.all(Array.from({ length: 7 }, () => service.organisation()))
  const simulator = start(takeAll, 60_000)
  const messages = [service.id, ...others.map(({ id }) => id)].map((id) => message('2348031000001', id))
  let statements = 0
  await between(
    service.db,
    async (asked, ask) => {
      if (asked.text.includes('show_messages')) statements += 1
      return ask(asked)
    },
    () => Promise.all(messages.map((one) => handOver(simulator, [one]))),
  )
  expect(statements).toBe(service.db.distributed ? 8 : 1)
  const whose = (await jobs()).map(({ organisation_id }) => organisation_id)
  expect(whose.sort()).toEqual(messages.map(({ organisation_id }) => organisation_id).sort())
  expect(await service.db`select 1 from sandbox_messages`).toHaveLength(8)
})

test('reports that are due at another time, or of another organisation, are separate jobs', async () => {
  const other = await service.organisation()
  const simulator = start(takeAll, 60_000)
  await handOver(simulator, [
    ...ordinary(2),
    message(LATE),
    message('2348031234567', other.id),
    message('2348000000005'),
  ])
  const whose = (await jobs()).map(({ organisation_id }) => organisation_id)
  expect(whose.sort()).toEqual([service.id, service.id, other.id].sort())
})

test('messages of an organisation that cannot be shown are held, and the others are not affected', async () => {
  const other = await service.organisation()
  const simulator = start(takeAll, 60_000)
  const REFUSED = '2348000000003'
  const batch = [
    message('2348031000001'),
    message('2348031000001', other.id),
    message(REFUSED, other.id),
    message('2348031000002'),
  ]
  let outcomes: string[] = []
  await between(
    service.db,
    async (asked, ask) => {
      if (asked.text.includes('show_messages') && JSON.stringify(asked.values).includes(other.id))
        throw new Error('its node is unreachable')
      return ask(asked)
    },
    async () => {
      outcomes = await handOver(simulator, batch)
    },
  )
  expect(outcomes).toEqual(['accepted', 'held', 'rejected', 'accepted'])
  expect((await jobs()).map(({ organisation_id }) => organisation_id)).toEqual([service.id])
  expect(await handOver(simulator, batch)).toEqual(['accepted', 'accepted', 'rejected', 'accepted'])
})

test('batches that are due together are all reported', async () => {
  const batches = [ordinary(300), ordinary(300), [message(TWICE)]]
  const simulator = start()
  await Promise.all(batches.map((batch) => handOver(simulator, batch)))
  await nothingLeft()
  const [twice] = namesOf(batches[2] ?? [])
  expect(reported.toSorted()).toEqual([...namesOf(batches.flat()), twice].toSorted())
})

test('a process that stops between submission and report loses no report', async () => {
  const messages = ordinary(20)
  const first = start(takeAll, 60_000)
  await handOver(first, messages)
  await first.stop()
  await service.db`update jobs set run_at = now()`
  start()
  await nothingLeft()
  expect(reported.toSorted()).toEqual(namesOf(messages).toSorted())
})

test('a process that crashes while reporting leaves reports that are repeated', async () => {
  const messages = ordinary(20)
  let dies = (): void => {}
  const dead = new Promise<void>((resolve) => (dies = resolve))
  let begun = false
  // Its statements, renewed leases included, end with its connections.
  const its_db = connectBeside(service.db, { connections: 2 })
  const its_wakeups = await makeWakeups(its_db)
  const hang = async () => {
    begun = true
    await dead // It never responds again.
    throw new Error('dead')
  }
  const dying = start(hang, 20, its_wakeups, its_db)
  await handOver(dying, messages)
  await until('the report to begin', async () => begun)
  await its_wakeups.close() // It gets no response, and stores nothing.
  await its_db.end()
  await service.db`update jobs set leased_until = now()`
  start()
  try {
    await nothingLeft()
  } finally {
    dies()
  }
  expect(reported.toSorted()).toEqual(namesOf(messages).toSorted())
})

test('a report that fails does not affect others', async () => {
  const [good, bad] = [ordinary(3), [message('2348031999999')]]
  let failures = 0
  const simulator = start(async (reports) => {
    if (failures < 2 && reports.some(({ carrier_message_id }) => carrier_message_id.endsWith('2348031999999'))) {
      failures += 1
      throw new Error('not this one')
    }
    await takeAll(reports)
  })
  await Promise.all([handOver(simulator, good), handOver(simulator, bad)])
  await nothingLeft()
  expect(new Set(reported)).toEqual(new Set(namesOf([...good, ...bad])))
})

test('old messages are deleted; those accepted long ago but shown recently are kept', async () => {
  const simulator = start()
  const [old, late, fresh] = [message('2348031000001'), message('2348031000002'), message('2348031000003')]
  await handOver(simulator, [old, late, fresh])
  await service.db`
    update sandbox_messages set message_id = first_id_at(now() - interval '9 days')
    where message_id in (${old.message_id}, ${late.message_id})`
  await service.db`
    update sandbox_messages set created_datetime = now() - interval '8 days' where recipient = ${old.recipient}`
  expect(await forgetHandsetMessages(service.db, 7)).toBe(1)
  const { rows } = await listHandsetMessages(service.db, service.id, undefined, readPage({}))
  expect(rows.map(({ recipient }) => recipient)).toEqual([fresh.recipient, late.recipient])
})
