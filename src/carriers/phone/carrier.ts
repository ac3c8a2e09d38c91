import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { makeIdleWait } from '../../queue/idle-wait.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import type { CarrierKind } from '../kind.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports } from '../message-carrier.ts'
import { carrierQueue, phoneQueue } from './calls.ts'
import { handOut } from './hand-out.ts'
import { judgeTended, type Verdict } from './judge.ts'
import { abandonMessages, answerFor, tendMessages, withdrawMessages } from './message-store.ts'
import { countPlaces, isUsable } from './place.ts'
import type { PhoneSettings } from './schema.ts'
import { phoneState } from './state.ts'
import { listPhoneLines, missPhones, readSimUse } from './store.ts'
import { startSweep } from './sweep.ts'

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
/** Messages of it in hand at most, in one process. */
const AT_MOST = 200
/** Who cannot be put on a list by then goes back into the route's queue. */
const PLACED_WITHIN_MS = 5_000
/** So often phones and messages are looked at when nobody calls. */
const LOOK_EVERY_MS = 1_000
const TEND_EVERY_MS = 250
/** When nobody is there, or no SIM may send. */
const COME_BACK_S = 2
const STOP_GRACE_MS = 4_000
const OTP_REPORT_DUE_S = 3_600

type Held = {
  message: OutgoingMessage
  since_ms: number
  /** Its id on a phone's list; undefined until it is on one. */
  id: string | undefined
  tell: (outcome: SubmitOutcome) => void
}

/**
 * Phones as a carrier. A message is put on the list of a phone, which is told to fetch it, and counts as handed over when
 * the phone says that it has sent it. What a phone does not fetch is taken back and goes elsewhere; what it has fetched
 * is nobody else's to send.
 */
function startPhones(deps: PhoneDeps, settings: PhoneSettings): MessageCarrier {
  const { name: carrier, take_within_s } = settings
  const held = new Set<Held>()
  const idle = makeIdleWait()
  const off = deps.wakeups.onWake(carrierQueue(carrier), () => idle.wake())
  const sweep = startSweep(deps, settings)
  /** Places for messages of this process, what it has in hand included. */
  let places = 0
  let down_since_ms: number | undefined = Date.now()
  let stop_by_ms = Infinity
  let stopped: Promise<void> | undefined
  const isStopping = (): boolean => stop_by_ms < Infinity
  const finished = loop()

  async function loop(): Promise<void> {
    while (!isStopping() || held.size > 0) {
      idle.reset()
      let pause_ms = LOOK_EVERY_MS
      try {
        await look()
        await place()
        await tend()
        if (held.size > 0) pause_ms = TEND_EVERY_MS
      } catch (fault) {
        deps.log.warn({ carrier, err: fault }, 'looking after messages for phones failed')
        giveBackOld()
        if (Date.now() > stop_by_ms) for (const one of held) end(one, UNCLEAR)
      }
      if (!isStopping() || held.size > 0) await idle.wait(pause_ms)
    }
  }

  /** One that is on a list all the same, because the answer was lost, is found there when it is handed over again. */
  function giveBackOld(): void {
    const too_late = Date.now() - PLACED_WITHIN_MS
    for (const one of held) {
      if (one.id === undefined && one.since_ms < too_late) end(one, { kind: 'held', retry_after_s: COME_BACK_S })
    }
  }

  function end(one: Held, outcome: SubmitOutcome): void {
    held.delete(one)
    one.tell(outcome)
  }

  /** Who is there, and how much they would take. */
  async function look(): Promise<void> {
    const own = [...held].flatMap(({ id }) => id ?? [])
    const sims = await readSimUse(deps.db, carrier, settings.silent_after_s, own)
    places = countPlaces(sims, settings)
    if (sims.some((sim) => isUsable(sim, settings))) down_since_ms = undefined
    else down_since_ms ??= Date.now()
  }

  async function place(): Promise<void> {
    const waiting = [...held].filter(({ id }) => id === undefined)
    if (waiting.length === 0) return
    if (isStopping() || down_since_ms !== undefined) {
      for (const one of waiting) end(one, { kind: 'held', retry_after_s: COME_BACK_S })
      return
    }
    const in_order = waiting.toSorted((a, b) => Number(b.message.urgent) - Number(a.message.urgent)).slice(0, BATCH)
    const handed_out = await handOut(
      deps,
      settings,
      in_order.map(({ message }) => message),
    )
    for (const [n, one] of in_order.entries()) one.id = handed_out[n]?.id
    for (const phone_id of new Set(handed_out.flatMap((one) => one?.phone_id ?? []))) {
      deps.wakeups.wake(phoneQueue(phone_id))
    }
    giveBackOld()
  }

  async function tend(): Promise<void> {
    const by_id = new Map([...held].flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])))
    if (by_id.size === 0) return
    const now = { settings, stopping: isStopping(), too_late: Date.now() > stop_by_ms }
    const tended = await tendMessages(deps.db, [...by_id.keys()], isStopping() ? 0 : take_within_s)
    const states = new Map(tended.map((one) => [one.id, one]))
    const todo: Record<Exclude<Verdict['kind'], 'wait' | 'end'>, string[]> = { withdraw: [], answer: [], abandon: [] }
    for (const [id, one] of by_id) {
      const verdict = judgeTended(states.get(id), one.message, now)
      if (verdict.kind === 'end') end(one, verdict.outcome)
      else if (verdict.kind !== 'wait') todo[verdict.kind].push(id)
    }
    const tell = (ids: readonly string[], outcomeOf: (one: Held, id: string) => SubmitOutcome): void => {
      for (const id of ids) {
        const one = by_id.get(id)
        if (one) end(one, outcomeOf(one, id))
      }
    }
    if (todo.withdraw.length > 0) {
      const withdrawn = await withdrawMessages(deps.db, todo.withdraw)
      if (!isStopping()) {
        await missPhones(
          deps.db,
          withdrawn.map(({ phone_id }) => phone_id),
        )
      }
      tell(
        withdrawn.map(({ id }) => id),
        () => ({ kind: 'held' }),
      )
    }
    if (todo.answer.length > 0) tell(await answerFor(deps.db, todo.answer), accepted)
    if (todo.abandon.length > 0) tell(await abandonMessages(deps.db, todo.abandon), () => UNCLEAR)
  }

  function accepted({ message }: Held, id: string): SubmitOutcome {
    const report_due_s = message.token === undefined ? settings.report_due_h * 3_600 : OTP_REPORT_DUE_S
    return { kind: 'accepted', carrier_message_id: id, report_due_s }
  }

  return {
    name: carrier,
    batch: BATCH,
    limit: AT_MOST,
    resubmittable: true,
    room: () => (isStopping() ? 0 : Math.max(0, Math.min(AT_MOST, places) - held.size)),
    downFor: () => (down_since_ms === undefined ? 0 : Math.max(1, Date.now() - down_since_ms)),
    submit(messages) {
      if (isStopping()) return messages.map(() => Promise.resolve<SubmitOutcome>({ kind: 'held' }))
      const outcomes = messages.map(
        (message) =>
          new Promise<SubmitOutcome>((tell) => {
            held.add({ message, since_ms: Date.now(), id: undefined, tell })
          }),
      )
      idle.wake()
      return outcomes
    },
    async stop() {
      stop_by_ms = Math.min(stop_by_ms, Date.now() + STOP_GRACE_MS)
      idle.wake()
      stopped ??= finished.then(() => {
        off()
        return sweep.stop()
      })
      await stopped
    },
  }
}

const UNCLEAR: SubmitOutcome = { kind: 'unknown', description: 'the phone that has it did not say what became of it' }
