import { decodeText } from '../../carriers/codec/decode-text.ts'
import type { DataSm, SubmitSm } from '../../carriers/codec/pdu.ts'
import { STATUS, type StatusName } from '../../carriers/codec/status.ts'
import { readTime } from '../../smpp-server/smpp-time.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { makeReport, writeId } from '../smsc/report.ts'
import { SMSC_DEFAULTS } from '../smsc/settings.ts'
import { startSmsc, type Smsc } from '../smsc/smsc.ts'
import type { Esme, SmscState, TakeSubmit } from '../smsc/state.ts'
import { nextMessageId } from '../smsc/submit.ts'
import type { Clock } from './clock.ts'
import type { Counts, CountsTable } from './counts.ts'
import type { Fate, Receipt } from './model/fate.ts'
import type { NetworkModel } from './model/network.ts'
import type { CarrierSettings } from './scenario/schema.ts'

/** Numbers whose attempts are counted, per carrier. */
const MAX_NUMBERS = 200_000
/** Texts, messages and unacknowledged receipts kept, per carrier. */
const MAX_REMEMBERED = 20_000
/** Answers, deliveries and receipts to come; beyond, every carrier answers that its queue is full. */
const MAX_PENDING = 500_000

export type PortDeps = { model: NetworkModel; clock: Clock; counts: CountsTable; host: string }

/** Starts the SMPP port of a carrier of the model. */
export function startPort(deps: PortDeps, carrier: number, settings: CarrierSettings): Promise<Smsc> {
  const { port, system_id, password } = settings
  const accounts = [{ system_id, password }]
  return startSmsc({ host: deps.host, port, accounts, remember: MAX_REMEMBERED }, makeTake(deps, carrier, settings))
}

function makeTake(
  { model, clock, counts }: PortDeps,
  carrier: number,
  { window, throughput }: CarrierSettings,
): TakeSubmit {
  const attempts = makeBoundedCache<string, number>(MAX_NUMBERS)
  const unanswered = new WeakMap<Esme, number>()
  const taken = { second: 0, count: 0 }

  return (smsc, esme, sm) => {
    const at_ms = clock.now()
    const to = sm.destination_addr.replace(/^\+/, '')
    const busy = busyStatus(esme, at_ms)
    if (busy !== null) {
      const cell = counts.of(carrier, model.subscriberOf(to, at_ms).operator)
      cell.submitted++
      countRejected(cell, busy)
      return esme.answer(sm, STATUS[busy])
    }
    const attempt = attempts.get(to) ?? 0
    attempts.set(to, attempt + 1)
    const submitted = model.submit({ carrier, to, attempt, at_ms, validity_ms: validityOf(sm) })
    const cell = counts.of(carrier, submitted.operator)
    cell.submitted++
    if (submitted.status === null) {
      cell.unanswered++
      return
    }
    const { status, answer_after_ms } = submitted
    if (submitted.end === 'rejected') countRejected(cell, status)
    const message_id = accept(smsc, esme, sm, submitted, cell)
    unanswered.set(esme, (unanswered.get(esme) ?? 0) + 1)
    clock.later(answer_after_ms, () => {
      unanswered.set(esme, (unanswered.get(esme) ?? 1) - 1)
      // A connection that was closed or became silent since gets no answer.
      if (smsc.esmes.has(esme)) esme.answer(sm, STATUS[status], { message_id })
    })
  }

  /** Limits that depend on the traffic, unlike the fates of the model. */
  function busyStatus(esme: Esme, at_ms: number): StatusName | null {
    if (clock.size >= MAX_PENDING) return 'RMSGQFUL'
    if ((unanswered.get(esme) ?? 0) >= window) return 'RTHROTTLED'
    if (throughput === undefined) return null
    const second = Math.floor(at_ms / 1_000)
    if (taken.second !== second) Object.assign(taken, { second, count: 0 })
    return ++taken.count > throughput ? 'RTHROTTLED' : null
  }

  /** Counts a message, and plans what the phone shows and what is reported. Returns its id, which a rejected one lacks. */
  function accept(smsc: SmscState, esme: Esme, sm: SubmitSm | DataSm, fate: Fate, cell: Counts): string {
    const { end, shown_after_ms, receipt } = fate
    if (end === 'rejected') return ''
    const id = nextMessageId(smsc.counts)
    const submitted_at = new Date()
    cell.accepted++
    cell.cost += fate.cost
    if (shown_after_ms === null && receipt === null) cell[end]++
    else {
      cell.pending++
      clock.later(shown_after_ms ?? receipt?.after_ms ?? 0, () => {
        cell.pending--
        cell[end]++
        if (shown_after_ms !== null) smsc.handsets.receive(sm)
      })
    }
    if (receipt !== null)
      clock.later(receipt.after_ms, () => report(smsc, esme, sm, { id, submitted_at, receipt, cell }))
    return writeId(id, SMSC_DEFAULTS.reports.answer_id)
  }
}

type ToReport = { id: bigint; submitted_at: Date; receipt: Receipt; cell: Counts }

function report(
  smsc: SmscState,
  esme: Esme,
  sm: SubmitSm | DataSm,
  { id, submitted_at, receipt, cell }: ToReport,
): void {
  const { stat, err } = receipt
  const wanted = sm.registered_delivery & 3
  if (wanted === 0 || wanted === 3 || (wanted === 2 && stat === 'DELIVRD')) return
  const { text } = decodeText(sm, SMSC_DEFAULTS.alphabet)
  const message = { id, from: sm.source_addr, to: sm.destination_addr, text, submitted_at }
  cell.receipts++
  smsc.mailbox(esme.system_id).post({
    sm: makeReport(message, stat, SMSC_DEFAULTS.reports, err),
    via: esme,
    onTaken: () => cell.receipts_acknowledged++,
  })
}

function countRejected(cell: Counts, status: StatusName): void {
  cell.rejected[status] = (cell.rejected[status] ?? 0) + 1
}

/** The validity that the submit asks for, as a duration of simulated time. */
function validityOf(sm: SubmitSm | DataSm): number | undefined {
  if (!('validity_period' in sm) || sm.validity_period === '') return undefined
  const now_ms = Date.now()
  const until_ms = readTime(sm.validity_period, now_ms)
  return until_ms === undefined ? undefined : Math.max(0, until_ms - now_ms)
}
