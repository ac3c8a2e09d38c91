import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { claimWaiting, dropWaiting, putOffWaiting, type OutboxRow } from '../callbacks/outbox/store.ts'
import type { DeliverSm, Pdu } from '../carriers/smpp/codec/pdu.ts'
import { STATUS, statusName } from '../carriers/smpp/codec/status.ts'
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

/** A bind that takes deliveries. */
export type Receiver = {
  /** Deliveries it may be given at present. */
  room(): number
  /** Rejects when there is no answer; `is_open` tells whether it may still be asked. */
  request(pdu: Pdu): Promise<Pdu>
  readonly is_open: boolean
}

export type Outbox = {
  add(receiver: Receiver): void
  /** Also when it only has room again. */
  wake(): void
  remove(receiver: Receiver): void
  /** Claims nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

type Deps = { db: Db; log: Log; meters: Pick<Meters, 'smpp_server_deliveries'>; wakeups: Wakeups }

/** The safety net behind the wake-ups, and what the crash of a process costs. */
const POLL_MS = 2_000
const MOST_AT_ONCE = 200
/** With those that are acknowledged and not yet written down. */
const MOST_UNDER_WAY = 1_000
/** Tries that follow a refusal, the last of them again and again until it is too old. */
const RETRIES_S = [1, 5, 30, 120, 600]
const LATER_S = 1

/** Who takes a delivery so refuses it for good: it would be the same the next time. */
const FOR_GOOD: readonly number[] = [STATUS.RX_P_APPN, STATUS.RX_R_APPN]

/**
 * Delivers what waits for an account to the receivers it has here. Each delivery is claimed, by one process at a time,
 * and goes when it is acknowledged; what is not is tried again. So none is lost, and after a crash some come twice.
 */
export function startOutbox(deps: Deps, { row }: Account, lease_s: number): Outbox {
  const { organisation_id, id: account_id, system_id, alphabet } = row
  const receivers = new Set<Receiver>()
  const under_way = new Set<Promise<void>>()
  const idle = makeIdleWait()
  const drop = makeBatchWriter(
    { items: 500 },
    async (ids: readonly string[]) => {
      await dropWaiting(deps.db, organisation_id, ids)
      return ids.map(() => undefined)
    },
    isDatabaseUnreachable,
  )
  let running = true
  let turn = 0
  const unsubscribe = deps.wakeups.onWake(CALLBACK_QUEUE, (whose) => {
    if (whose === '' || whose === organisation_id) idle.wake()
  })
  const finished = loop()

  async function loop(): Promise<void> {
    while (running) {
      idle.reset()
      let found = 0
      try {
        found = await claimSome()
      } catch (fault) {
        if (running) deps.log.warn({ system_id, err: fault }, 'claiming what waits for a receiver failed')
      }
      if (found === 0 && running) await idle.wait(POLL_MS)
    }
  }

  async function claimSome(): Promise<number> {
    const room = [...receivers].reduce((sum, receiver) => sum + receiver.room(), 0)
    const limit = Math.min(MOST_AT_ONCE, room, MOST_UNDER_WAY - under_way.size)
    if (limit <= 0) return 0
    const rows = await claimWaiting(deps.db, { organisation_id, account_id, lease_s, limit })
    const beginnings = await beginningsOf(rows)
    for (const one of rows) {
      const delivering = deliver(one, beginnings)
        .catch((fault: unknown) => deps.log.warn({ system_id, err: fault }, 'a delivery could not be dealt with'))
        .finally(() => {
          under_way.delete(delivering)
          idle.wake()
        })
      under_way.add(delivering)
    }
    return rows.length
  }

  /** A report is worth more than what it repeats of the text: without that it is delivered all the same. */
  async function beginningsOf(rows: readonly OutboxRow[]): Promise<ReadonlyMap<string, string>> {
    try {
      const ids = [...new Set(rows.flatMap((one) => reportedMessage(one) ?? []))].filter(isId)
      return ids.length > 0 ? await findBeginnings(deps.db, organisation_id, ids, QUOTED_CHARACTERS) : NO_BEGINNINGS
    } catch (fault) {
      deps.log.warn({ system_id, err: fault }, 'the texts that reports are about could not be read')
      return NO_BEGINNINGS
    }
  }

  async function deliver(waiting: OutboxRow, beginnings: ReadonlyMap<string, string>): Promise<void> {
    const receiver = nextReceiver()
    const outcome = receiver ? await hand(receiver, waiting, beginnings) : LATER
    deps.meters.smpp_server_deliveries.inc({ outcome: outcome.word })
    if (outcome.retry_s === undefined) {
      await drop(waiting.id)
      return
    }
    await putOffWaiting(deps.db, organisation_id, [waiting.id], outcome.retry_s)
    if (outcome.retry_s > 0) deps.wakeups.wake(CALLBACK_QUEUE, outcome.retry_s * 1_000 + 5, organisation_id)
  }

  /** In turn, those that have room first. */
  function nextReceiver(): Receiver | undefined {
    const all = [...receivers].filter(({ is_open }) => is_open)
    const free = all.filter((receiver) => receiver.room() > 0)
    const from = free.length > 0 ? free : all
    return from[turn++ % Math.max(1, from.length)]
  }

  async function hand(
    receiver: Receiver,
    waiting: OutboxRow,
    beginnings: ReadonlyMap<string, string>,
  ): Promise<Outcome> {
    const pdus = readPdus(waiting, beginnings)
    if (!pdus) return { word: 'unwritable', retry_s: undefined }
    try {
      // One after the other: a long text takes no more of the window than a short one.
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
      deps.log.error({ system_id, id: waiting.id, err: fault }, 'what waits for a receiver cannot be written')
      return undefined
    }
  }

  function refusedWith(command_status: number, attempts: number): Outcome {
    if (!FOR_GOOD.includes(command_status)) return { word: 'refused', retry_s: retryAfter(attempts) }
    deps.log.warn({ system_id, status: statusName(command_status) }, 'a receiver refused a delivery for good')
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
      await Promise.all(under_way)
    },
  }
}

const NO_BEGINNINGS: ReadonlyMap<string, string> = new Map()

type Outcome = { word: string; retry_s: number | undefined }

/** Its receiver has gone since it was claimed: the next one gets it. */
const LATER: Outcome = { word: 'later', retry_s: LATER_S }

function retryAfter(attempts: number): number {
  return RETRIES_S[Math.min(attempts, RETRIES_S.length) - 1] ?? LATER_S
}
