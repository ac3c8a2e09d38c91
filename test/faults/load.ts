import { expect } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { caller } from '../support/service.ts'
import type { Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { everyDelivery } from '../support/every.ts'

type Sent = { id: string }

export type Load = {
  /** The message id in each response. */
  answers: Map<number, string>
  /** Requests whose connection was lost or which were rejected temporarily, and were sent again with the same key. */
  retries: number
  /** The reason of each retry. */
  reasons: string[]
  finished: Promise<void>
}

export type LoadOptions = {
  key: string
  /** The address for the next request; a different one each time if there are several processes. */
  url: () => string
  receiver: Receiver
  messages: number
  clients: number
  /** The maximum number of requests so far: spreads the load over the whole test. */
  allowed: () => number
}

const PAUSE_MS = 25
const LONGEST_PAUSE_MS = 250
const PRICE = 4

const pause = (ms = PAUSE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Every tenth recipient is rejected by the carrier, so that refunds are part of the race. */
export const isRefused = (n: number): boolean => n % 10 === 0

/**
 * Clients that send, each message with its own key. A client whose connection is lost retries with the same key, until
 * it has a response.
 */
export function startLoad(options: LoadOptions): Load {
  let next = 0
  const load: Load = { answers: new Map(), retries: 0, reasons: [], finished: Promise.resolve() }

  async function client(): Promise<void> {
    while (next < options.messages) {
      if (next >= options.allowed()) {
        await pause()
        continue
      }
      const n = next
      next += 1
      load.answers.set(n, await sendUntilAnswered(n))
    }
  }

  /** Increasing up to a quarter of a second: more retries would take CPU time from the process that recovers. */
  async function sendUntilAnswered(n: number): Promise<string> {
    const recipients = isRefused(n) ? '2348000000003' : `234803${String(n).padStart(7, '0')}`
    const body = { recipients, content: `Message ${n}`, external_ref: `ref-${n}`, callback: options.receiver.url }
    for (let wait_ms = PAUSE_MS; ; wait_ms = Math.min(LONGEST_PAUSE_MS, 2 * wait_ms)) {
      let reason = 'the connection broke'
      try {
        const headers = { 'idempotency-key': `key-${n}` }
        const answer = await caller(options.url(), options.key)<Sent>('POST', '/sms/send', body, headers)
        if (answer.status === 200) return answer.body.id
        reason = `${answer.status} ${answer.text}`
        // 503: the database is unreachable. 409: the first request with this key is still in progress.
        if (answer.status !== 503 && answer.status !== 409) throw new Unexpected(`${answer.status}: ${answer.text}`)
      } catch (fault) {
        if (fault instanceof Unexpected) throw fault // Otherwise the process died with our request in flight.
      }
      load.retries += 1
      load.reasons.push(reason)
      await pause(wait_ms)
    }
  }

  load.finished = all(Array.from({ length: options.clients }, client))
  return load
}

async function all(clients: readonly Promise<void>[]): Promise<void> {
  await Promise.all(clients)
}

class Unexpected extends Error {}

/**
 * After all work has ended: every answered request is stored once; every delivery is final, with the status of its
 * number; the balance is exact; every callback arrived at least once, always under the same id.
 */
export async function auditLoad(
  { db, credit, receiver }: { db: Db; credit: number; receiver: Receiver },
  load: Load,
  limit_ms: number,
): Promise<{ duplicates: number }> {
  const { answers } = load
  const total = answers.size
  await until('every delivery to end', async () => (await countOpen(db)) === 0, limit_ms)
  const deliveries = await db<{ message_id: string; external_ref: string; status: string; refunded: boolean }[]>`
    select message_id, external_ref, status, refunded
    from ${everyDelivery(db)} delivery
    join messages on messages.id = message_id and messages.organisation_id = delivery.organisation_id`
  expect(deliveries).toHaveLength(total)
  const by_ref = new Map(deliveries.map((one) => [one.external_ref, one]))
  const wrong = [...answers].filter(([n, id]) => {
    const found = by_ref.get(`ref-${n}`)
    const status = isRefused(n) ? 'rejected' : 'delivered'
    return found?.message_id !== id || found.status !== status || found.refunded !== isRefused(n)
  })
  expect(wrong.map(([n, id]) => [n, id, by_ref.get(`ref-${n}`)])).toEqual([])

  const kept = [...answers.keys()].filter((n) => !isRefused(n)).length
  const [row] = await db<{ balance: number }[]>`
    select balance::float8 / 10000 as balance from balances
    join organisations on id = organisation_id where mode = 'live'`
  expect(row?.balance).toBe(credit - PRICE * kept)
  expect(await auditMoney(db)).toEqual([])

  const heard = () => new Set(receiver.received.map(({ json }) => json.data.id))
  await until('every callback', () => heard().size >= total, limit_ms)
  const ids = new Map<string, Set<string>>()
  for (const { json } of receiver.received) ids.set(json.data.id, (ids.get(json.data.id) ?? new Set()).add(json.id))
  expect([...ids.keys()].sort()).toEqual([...answers.values()].sort())
  expect([...ids.values()].filter((own) => own.size !== 1)).toEqual([])
  return { duplicates: receiver.received.length - total }
}

async function countOpen(db: Db): Promise<number> {
  const [row] = await db<{ open: number }[]>`
    select count(*)::integer as open from ${everyDelivery(db)} delivery where status in ('queued', 'sent')`
  return row?.open ?? 0
}
