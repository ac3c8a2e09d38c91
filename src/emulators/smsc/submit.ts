import type { DataSm, PduOf, SubmitSm } from '../../carriers/codec/pdu.ts'
import { makeReport, STATES, writeId } from './report.ts'
import type { Esme, SmscState, SmscMessage } from './state.ts'
import { STATUS, type StatusName } from '../../carriers/codec/status.ts'

/** Answers, refuses, throttles or ignores a submit, or cuts the connection, by the settings. */
export function takeSubmit(smsc: SmscState, esme: Esme, sm: SubmitSm | DataSm): void {
  const { random, counts } = smsc
  const settings = smsc.settings()
  const latency_ms = random.within(settings.latency_ms)
  counts.submits++
  const refusal = refusalOf(smsc, esme, sm)
  if (refusal !== null) return smsc.later(latency_ms, () => esme.answer(sm, refusal))
  if (random.happens(settings.cut_before_share)) {
    counts.cut++
    return esme.cut()
  }
  const message = store(smsc, sm)
  const is_early = random.happens(settings.reports.early_share)
  if (is_early) report(smsc, esme, message, sm.registered_delivery, 0)
  answer(smsc, esme, sm, message, latency_ms)
  if (!is_early) {
    const delay_ms = latency_ms + random.within(settings.reports.delay_ms)
    report(smsc, esme, message, sm.registered_delivery, delay_ms)
  }
}

export function queryMessage(smsc: SmscState, esme: Esme, pdu: PduOf<'query_sm'>): void {
  smsc.counts.queries++
  const message = smsc.messages.get(pdu.message_id)
  if (message === undefined) return esme.answer(pdu, STATUS.RQUERYFAIL)
  const message_state = STATES[message.ended ? message.stat : 'ENROUTE'] ?? STATES['UNKNOWN']!
  esme.answer(pdu, STATUS.ROK, { message_id: pdu.message_id, message_state })
}

export function cancelMessage(smsc: SmscState, esme: Esme, pdu: PduOf<'cancel_sm'>): void {
  smsc.counts.cancels++
  const message = smsc.messages.get(pdu.message_id)
  if (message === undefined || message.ended) return esme.answer(pdu, STATUS.RCANCELFAIL)
  message.stat = 'DELETED'
  esme.answer(pdu, STATUS.ROK)
}

function refusalOf(smsc: SmscState, esme: Esme, sm: SubmitSm | DataSm): number | null {
  const { counts, random } = smsc
  const { errors, throughput } = smsc.settings()
  const error_share = Object.values(errors).reduce((sum, share) => sum + share, 0)
  const error = random.pick<StatusName>({ ...errors, ROK: Math.max(0, 1 - error_share) }) ?? 'ROK'
  if (throughput !== null && !hasRoom(smsc, esme.system_id, throughput)) {
    counts.throttled++
    return STATUS.RTHROTTLED
  }
  if (error === 'ROK' && sm.destination_addr !== '') return null
  counts.refused++
  return error === 'ROK' ? STATUS.RINVDSTADR : STATUS[error]
}

/** Counted by the clock second, as SMSCs do. */
function hasRoom(smsc: SmscState, system_id: string, throughput: number): boolean {
  const second = Math.floor(performance.now() / 1_000)
  const taken = smsc.taken.get(system_id)
  const count = taken?.second === second ? taken.count : 0
  if (count >= throughput) return false
  smsc.taken.set(system_id, { second, count: count + 1 })
  return true
}

function store(smsc: SmscState, sm: SubmitSm | DataSm): SmscMessage {
  const { counts, messages, random } = smsc
  const { reports } = smsc.settings()
  const message = {
    id: nextMessageId(counts),
    from: sm.source_addr,
    to: sm.destination_addr,
    text: smsc.handsets.receive(sm),
    submitted_at: new Date(),
    stat: random.pick(reports.stats) ?? 'UNKNOWN',
    ended: false,
  }
  messages.set(writeId(message.id, reports.answer_id), message)
  return message
}

/** Larger than a double can hold, with letters in hex, and with gaps between consecutive ids. */
export function nextMessageId(counts: SmscState['counts']): bigint {
  return FIRST_ID + BigInt(counts.accepted++) * 7_919n
}

const FIRST_ID = 9_380_935_605_053_030_457n

function answer(smsc: SmscState, esme: Esme, sm: SubmitSm | DataSm, message: SmscMessage, latency_ms: number): void {
  const { random, counts } = smsc
  const { cut_after_share, silent_share, reports } = smsc.settings()
  const is_cut = random.happens(cut_after_share)
  const is_silent = random.happens(silent_share)
  if (is_cut) {
    counts.cut++
    return smsc.later(latency_ms, () => esme.cut())
  }
  if (is_silent) {
    counts.silent++
    return
  }
  const message_id = writeId(message.id, reports.answer_id)
  smsc.later(latency_ms, () => esme.answer(sm, STATUS.ROK, { message_id }))
}

function report(smsc: SmscState, esme: Esme, message: SmscMessage, wanted: number, delay_ms: number): void {
  const { random, counts } = smsc
  const { reports } = smsc.settings()
  const is_none = random.happens(reports.none_share)
  const times = random.happens(reports.twice_share) ? 2 : 1
  const direction = random.happens(reports.other_bind_share) ? { not_via: esme } : { via: esme }
  const again_ms = random.within(reports.delay_ms)
  const isWanted = () => (wanted & 3) === 1 || ((wanted & 3) === 2 && message.stat !== 'DELIVRD')
  const post = () => {
    message.ended = true
    if (is_none || !isWanted()) return
    counts.reports++
    const sm = makeReport(message, message.stat, reports)
    smsc.mailbox(esme.system_id).post({ sm, ...direction, onTaken: () => counts.reports_taken++ })
  }
  for (let time = 0; time < times; time++) smsc.later(delay_ms + time * again_ms, post)
}
