import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { makeIdleWait } from '../../queue/idle-wait.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import type { CarrierKind } from '../kind.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports } from '../message-carrier.ts'
import { assignMessages } from './assign.ts'
import { countFree, isUsable } from './capacity.ts'
import { phoneState } from './describe.ts'
import { judgeMessage, UNKNOWN_OUTCOME, type Verdict } from './judge.ts'
import { startLostSweep } from './lost-messages.ts'
import { abandonMessages, answerMessages, extendOffers, withdrawMessages } from './message-store.ts'
import { carrierQueue, phoneQueue } from './queues.ts'
import type { PhoneSettings } from './schema.ts'
import { listPhoneLines, markUnresponsive, readSimUse } from './store.ts'

export type PhoneDeps = { db: Db; log: Log; meters: Meters; wakeups: Wakeups; seal: Seal; takeReports: TakeReports }

export const phoneKind: CarrierKind<PhoneSettings, PhoneDeps> = {
  start: startPhones,
  async describe({ db }, carriers) {
    const lines = await listPhoneLines(db, carriers)
    return carriers.map(({ name, kind }) => {
      return { name, kind, ...phoneState(lines.filter(({ carrier }) => carrier === name)) }
    })
  },
}

const BATCH = 50
/** Per process. */
const MAX_IN_FLIGHT = 200
/** A message that no phone could be assigned to in this time is returned to the dispatcher. */
const MAX_UNASSIGNED_MS = 5_000
/** Intervals of the fallback poll, without and with messages in flight. */
const POLL_INTERVAL_MS = 1_000
const BUSY_POLL_INTERVAL_MS = 250
/** When to retry a message if no phone is present, or no SIM may send. */
const RETRY_AFTER_S = 2
const STOP_GRACE_MS = 4_000
const OTP_REPORT_DUE_S = 3_600

type InFlight = {
  message: OutgoingMessage
  since_ms: number
  /** Undefined until it is assigned to a phone. */
  id: string | undefined
  resolve: (outcome: SubmitOutcome) => void
}

/**
 * Android phones as a carrier. A message is assigned to a phone, which is woken to fetch it, and counts as accepted once
 * the phone says that it was sent. If the phone does not fetch it, it is withdrawn and may go elsewhere; once fetched,
 * no other phone may send it.
 */
function startPhones(deps: PhoneDeps, settings: PhoneSettings): MessageCarrier {
  const { name: carrier, take_within_s } = settings
  const in_flight = new Set<InFlight>()
  const idle = makeIdleWait()
  const unsubscribe = deps.wakeups.onWake(carrierQueue(carrier), () => idle.wake())
  const sweep = startLostSweep(deps, settings)
  /** Messages that the SIMs would take from this process, including those in flight. */
  let capacity = 0
  let down_since_ms: number | undefined = Date.now()
  let stop_by_ms = Infinity
  let stopped: Promise<void> | undefined
  const isStopping = (): boolean => stop_by_ms < Infinity
  const finished = run()

  async function run(): Promise<void> {
    while (!isStopping() || in_flight.size > 0) {
      idle.reset()
      let wait_ms = POLL_INTERVAL_MS
      try {
        await readCapacity()
        await assign()
        await advance()
        if (in_flight.size > 0) wait_ms = BUSY_POLL_INTERVAL_MS
      } catch (fault) {
        deps.log.warn({ carrier, err: fault }, 'processing messages for phones failed')
        returnUnassigned()
        if (Date.now() > stop_by_ms) for (const one of in_flight) end(one, UNKNOWN_OUTCOME)
      }
      if (!isStopping() || in_flight.size > 0) await idle.wait(wait_ms)
    }
  }

  /** A message that was assigned although the database's answer was lost is found again when it is submitted again. */
  function returnUnassigned(): void {
    const too_late = Date.now() - MAX_UNASSIGNED_MS
    for (const one of in_flight) {
      if (one.id === undefined && one.since_ms < too_late) end(one, { kind: 'held', retry_after_s: RETRY_AFTER_S })
    }
  }

  function end(one: InFlight, outcome: SubmitOutcome): void {
    in_flight.delete(one)
    one.resolve(outcome)
  }

  async function readCapacity(): Promise<void> {
    const own = [...in_flight].flatMap(({ id }) => id ?? [])
    const sims = await readSimUse(deps.db, carrier, settings.silent_after_s, own)
    capacity = countFree(sims, settings)
    if (sims.some((sim) => isUsable(sim, settings))) down_since_ms = undefined
    else down_since_ms ??= Date.now()
  }

  async function assign(): Promise<void> {
    const unassigned = [...in_flight].filter(({ id }) => id === undefined)
    if (unassigned.length === 0) return
    if (isStopping() || down_since_ms !== undefined) {
      for (const one of unassigned) end(one, { kind: 'held', retry_after_s: RETRY_AFTER_S })
      return
    }
    const batch = unassigned.toSorted((a, b) => Number(b.message.urgent) - Number(a.message.urgent)).slice(0, BATCH)
    const messages = batch.map(({ message }) => message)
    const assigned = await assignMessages(deps, settings, messages)
    for (const [n, one] of batch.entries()) one.id = assigned[n]?.id
    for (const phone_id of new Set(assigned.flatMap((one) => one?.phone_id ?? []))) {
      deps.wakeups.wake(phoneQueue(phone_id))
    }
    returnUnassigned()
  }

  async function advance(): Promise<void> {
    const by_id = new Map([...in_flight].flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])))
    if (by_id.size === 0) return
    const now = { settings, stopping: isStopping(), too_late: Date.now() > stop_by_ms }
    const stored = await extendOffers(deps.db, [...by_id.keys()], isStopping() ? 0 : take_within_s)
    const states = new Map(stored.map((one) => [one.id, one]))
    const todo: Record<Exclude<Verdict['kind'], 'wait' | 'end'>, string[]> = { withdraw: [], answer: [], abandon: [] }
    for (const [id, one] of by_id) {
      const verdict = judgeMessage(states.get(id), one.message, now)
      if (verdict.kind === 'end') end(one, verdict.outcome)
      else if (verdict.kind !== 'wait') todo[verdict.kind].push(id)
    }
    const endAll = (ids: readonly string[], outcomeOf: (one: InFlight, id: string) => SubmitOutcome): void => {
      for (const id of ids) {
        const one = by_id.get(id)
        if (one) end(one, outcomeOf(one, id))
      }
    }
    if (todo.withdraw.length > 0) {
      const withdrawn = await withdrawMessages(deps.db, todo.withdraw)
      const phone_ids = withdrawn.map(({ phone_id }) => phone_id)
      if (!isStopping()) await markUnresponsive(deps.db, phone_ids)
      const ids = withdrawn.map(({ id }) => id)
      endAll(ids, () => ({ kind: 'held' }))
    }
    if (todo.answer.length > 0) endAll(await answerMessages(deps.db, todo.answer), accepted)
    if (todo.abandon.length > 0) endAll(await abandonMessages(deps.db, todo.abandon), () => UNKNOWN_OUTCOME)
  }

  function accepted({ message }: InFlight, id: string): SubmitOutcome {
    const report_due_s = message.token === undefined ? settings.report_due_h * 3_600 : OTP_REPORT_DUE_S
    return { kind: 'accepted', carrier_message_id: id, report_due_s }
  }

  return {
    name: carrier,
    batch: BATCH,
    limit: MAX_IN_FLIGHT,
    resubmittable: true,
    freeCapacity: () => (isStopping() ? 0 : Math.max(0, Math.min(MAX_IN_FLIGHT, capacity) - in_flight.size)),
    downFor: () => (down_since_ms === undefined ? 0 : Math.max(1, Date.now() - down_since_ms)),

    submit(messages) {
      if (isStopping()) return messages.map(() => Promise.resolve<SubmitOutcome>({ kind: 'held' }))
      const outcomes = messages.map(
        (message) =>
          new Promise<SubmitOutcome>((resolve) => {
            in_flight.add({ message, since_ms: Date.now(), id: undefined, resolve })
          }),
      )
      idle.wake()
      return outcomes
    },

    async stop() {
      stop_by_ms = Math.min(stop_by_ms, Date.now() + STOP_GRACE_MS)
      idle.wake()
      stopped ??= finished.then(() => {
        unsubscribe()
        return sweep.stop()
      })
      await stopped
    },
  }
}
