import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { claimWaiting, dropWaiting, postponeWaiting, type OutboxRow } from '../callbacks/outbox/store.ts'
import type { DeliverSm, Pdu } from '../carriers/codec/pdu.ts'
import { STATUS, statusName } from '../carriers/codec/status.ts'
import type { Db } from '../db/connect.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import { findBeginnings } from '../messaging/read/store.ts'
import type { Meters } from '../observe/meters.ts'
import { makeIdleWait } from '../queue/idle-wait.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { makeBatchWriter } from '../values/concurrency/batch-writer.ts'
import { isId } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import type { Account } from './account.ts'
import { QUOTED_CHARACTERS, reportedMessage, writeDelivery } from './write-delivery.ts'

/** A bind that receives deliveries. */
export type Receiver = {
  /** Free places in its window. */
  freeCapacity(): number
  /** Rejects without an answer; `is_open` shows whether the receiver is still bound. */
  request(pdu: Pdu): Promise<Pdu>
  readonly is_open: boolean
}

export type Outbox = {
  add(receiver: Receiver): void
  /** A receiver has capacity, or deliveries are pending. */
  wake(): void
  remove(receiver: Receiver): void
  /** Claims nothing more, and waits for deliveries in flight. */
  stop(): Promise<void>
}

type Deps = { db: Db; log: Log; meters: Pick<Meters, 'smpp_server_deliveries'>; wakeups: Wakeups }

/** Interval of the fallback poll; normally a wake-up arrives first. */
const POLL_INTERVAL_MS = 2_000
const MAX_CLAIMED = 200
/** Including those that are acknowledged and not yet deleted. */
const MAX_IN_FLIGHT = 1_000
/** Retry delays after a refusal; the last one repeats until the delivery is too old. */
const RETRIES_S = [1, 5, 30, 120, 600]
const NO_RECEIVER_RETRY_S = 1

/** A delivery refused with one of these is dropped: a retry would be refused again. */
const PERMANENT: readonly number[] = [STATUS.RX_P_APPN, STATUS.RX_R_APPN]

/**
 * Delivers the outbox of an account to its receivers in this process. A delivery is leased by one process, deleted once
 * acknowledged, and retried otherwise: none is lost, and after a crash some are delivered twice.
 */
export function startOutbox(deps: Deps, { row }: Account, lease_s: number): Outbox {
  const { organisation_id, id: account_id, system_id, alphabet } = row
  const receivers = new Set<Receiver>()
  const in_flight = new Set<Promise<void>>()
  const idle = makeIdleWait()
  const drop = makeBatchWriter(
    { items: 500 },
    (ids: readonly string[]) => dropWaiting(deps.db, organisation_id, ids),
    isDatabaseUnreachable,
  )
  let running = true
  let next = 0
  const unsubscribe = deps.wakeups.onWake(CALLBACK_QUEUE, (key) => {
    if (key === '' || key === organisation_id) idle.wake()
  })
  const finished = loop()

  async function loop(): Promise<void> {
    while (running) {
      idle.reset()
      let found = 0
      try {
        found = await claimSome()
      } catch (fault) {
        if (running) deps.log.warn({ system_id, err: fault }, 'claiming deliveries for a receiver failed')
      }
      if (found === 0 && running) await idle.wait(POLL_INTERVAL_MS)
    }
  }

  async function claimSome(): Promise<number> {
    const free_capacity = [...receivers].reduce((sum, receiver) => sum + receiver.freeCapacity(), 0)
    const limit = Math.min(MAX_CLAIMED, free_capacity, MAX_IN_FLIGHT - in_flight.size)
    if (limit <= 0) return 0
    const rows = await claimWaiting(deps.db, { organisation_id, account_id, lease_s, limit })
    const beginnings = await beginningsOf(rows)
    for (const one of rows) {
      const delivering = deliver(one, beginnings)
        .catch((fault: unknown) => deps.log.warn({ system_id, err: fault }, 'a delivery to a receiver failed'))
        .finally(() => {
          in_flight.delete(delivering)
          idle.wake()
        })
      in_flight.add(delivering)
    }
    return rows.length
  }

  /** If the texts cannot be read, the reports are delivered without them. */
  async function beginningsOf(rows: readonly OutboxRow[]): Promise<ReadonlyMap<string, string>> {
    try {
      const ids = [...new Set(rows.flatMap((one) => reportedMessage(one) ?? []))].filter(isId)
      return ids.length > 0 ? await findBeginnings(deps.db, organisation_id, ids, QUOTED_CHARACTERS) : NO_BEGINNINGS
    } catch (fault) {
      deps.log.warn({ system_id, err: fault }, 'the texts of reported messages could not be read')
      return NO_BEGINNINGS
    }
  }

  async function deliver(waiting: OutboxRow, beginnings: ReadonlyMap<string, string>): Promise<void> {
    const receiver = nextReceiver()
    const outcome = receiver ? await send(receiver, waiting, beginnings) : NO_RECEIVER
    deps.meters.smpp_server_deliveries.inc({ outcome: outcome.word })
    if (outcome.retry_s === undefined) {
      await drop(waiting.id)
      return
    }
    await postponeWaiting(deps.db, organisation_id, [waiting.id], outcome.retry_s)
    if (outcome.retry_s > 0) deps.wakeups.wake(CALLBACK_QUEUE, outcome.retry_s * 1_000 + 5, organisation_id)
  }

  /** Round robin, those with capacity first. */
  function nextReceiver(): Receiver | undefined {
    const all = [...receivers].filter(({ is_open }) => is_open)
    const free = all.filter((receiver) => receiver.freeCapacity() > 0)
    const from = free.length > 0 ? free : all
    return from[next++ % Math.max(1, from.length)]
  }

  async function send(
    receiver: Receiver,
    waiting: OutboxRow,
    beginnings: ReadonlyMap<string, string>,
  ): Promise<Outcome> {
    const pdus = readPdus(waiting, beginnings)
    if (!pdus) return { word: 'unwritable', retry_s: undefined }
    try {
      // Sequentially: a long text takes one place in the window, like a short one.
      for (const pdu of pdus) {
        const { command_status } = await receiver.request(pdu)
        if (command_status !== STATUS.ROK) return refusedWith(command_status, waiting.attempts)
      }
      return { word: 'delivered', retry_s: undefined }
    } catch {
      return { word: 'unanswered', retry_s: receiver.is_open ? retryAfter(waiting.attempts) : 0 }
    }
  }

  function readPdus(waiting: OutboxRow, beginnings: ReadonlyMap<string, string>): DeliverSm[] | undefined {
    try {
      return writeDelivery(waiting, alphabet, beginnings)
    } catch (fault) {
      deps.log.error({ system_id, id: waiting.id, err: fault }, 'a delivery cannot be encoded')
      return undefined
    }
  }

  function refusedWith(command_status: number, attempts: number): Outcome {
    if (!PERMANENT.includes(command_status)) return { word: 'refused', retry_s: retryAfter(attempts) }
    deps.log.warn({ system_id, status: statusName(command_status) }, 'a receiver refused a delivery permanently')
    return { word: 'refused', retry_s: undefined }
  }

  return {
    add(receiver) {
      receivers.add(receiver)
      idle.wake()
    },
    wake: idle.wake,
    remove: (receiver) => void receivers.delete(receiver),
    async stop() {
      running = false
      unsubscribe()
      idle.wake()
      await finished
      await Promise.all(in_flight)
    },
  }
}

const NO_BEGINNINGS: ReadonlyMap<string, string> = new Map()

type Outcome = { word: string; retry_s: number | undefined }

/** The receiver has closed since the delivery was claimed. */
const NO_RECEIVER: Outcome = { word: 'later', retry_s: NO_RECEIVER_RETRY_S }

function retryAfter(attempts: number): number {
  return RETRIES_S[Math.min(attempts, RETRIES_S.length) - 1] ?? NO_RECEIVER_RETRY_S
}
