import type { DataSm, PduOf, SubmitSm } from './pdu.ts'
import { makeReport, STATES, writeId, type Reported } from './smsc-report.ts'
import type { Esme, SmscHouse } from './smsc-esme.ts'
import { STATUS, type StatusName } from './status.ts'

export type SmscMessage = Reported & { stat: string; ended: boolean }

/** A text comes in: answered, refused, throttled, left without an answer, or the connection is cut, as the settings will. */
export function takeSubmit(house: SmscHouse, esme: Esme, sm: SubmitSm | DataSm): void {
  const { chance, counts } = house
  const settings = house.settings()
  const latency_ms = chance.within(settings.latency_ms)
  counts.submits++
  const refusal = refusalOf(house, esme, sm)
  if (refusal !== null) return house.later(latency_ms, () => esme.answer(sm, refusal))
  if (chance.happens(settings.cut_before_share)) {
    counts.cut++
    return esme.cut()
  }
  const message = keep(house, sm)
  const is_early = chance.happens(settings.reports.early_share)
  if (is_early) report(house, esme, message, sm.registered_delivery, 0)
  answer(house, esme, sm, message, latency_ms)
  if (!is_early) {
    const delay_ms = latency_ms + chance.within(settings.reports.delay_ms)
    report(house, esme, message, sm.registered_delivery, delay_ms)
  }
}

export function queryMessage(house: SmscHouse, esme: Esme, pdu: PduOf<'query_sm'>): void {
  house.counts.queries++
  const message = house.messages.get(pdu.message_id)
  if (message === undefined) return esme.answer(pdu, STATUS.RQUERYFAIL)
  const message_state = STATES[message.ended ? message.stat : 'ENROUTE'] ?? STATES['UNKNOWN']!
  esme.answer(pdu, STATUS.ROK, { message_id: pdu.message_id, message_state })
}

export function cancelMessage(house: SmscHouse, esme: Esme, pdu: PduOf<'cancel_sm'>): void {
  house.counts.cancels++
  const message = house.messages.get(pdu.message_id)
  if (message === undefined || message.ended) return esme.answer(pdu, STATUS.RCANCELFAIL)
  message.stat = 'DELETED'
  esme.answer(pdu, STATUS.ROK)
}

function refusalOf(house: SmscHouse, esme: Esme, sm: SubmitSm | DataSm): number | null {
  const { counts, chance } = house
  const { errors, throughput } = house.settings()
  const error_share = Object.values(errors).reduce((sum, share) => sum + share, 0)
  const error = chance.pick({ ...errors, ROK: Math.max(0, 1 - error_share) }) as StatusName
  if (throughput !== null && !hasRoom(house, esme.system_id, throughput)) {
    counts.throttled++
    return STATUS.RTHROTTLED
  }
  if (error === 'ROK' && sm.destination_addr !== '') return null
  counts.refused++
  return error === 'ROK' ? STATUS.RINVDSTADR : STATUS[error]
}

/** Counted by the second of the clock, as SMSCs do. */
function hasRoom(house: SmscHouse, system_id: string, throughput: number): boolean {
  const second = Math.floor(performance.now() / 1_000)
  const taken = house.taken.get(system_id)
  const count = taken?.second === second ? taken.count : 0
  if (count >= throughput) return false
  house.taken.set(system_id, { second, count: count + 1 })
  return true
}

function keep(house: SmscHouse, sm: SubmitSm | DataSm): SmscMessage {
  const { counts, messages, chance } = house
  const { reports, remember } = house.settings()
  const message = {
    // Past what a double can hold, with letters in hex, and far enough apart to be no neighbours by chance.
    id: FIRST_ID + BigInt(counts.accepted++) * 7_919n,
    from: sm.source_addr,
    to: sm.destination_addr,
    text: house.handsets.receive(sm),
    submitted_at: new Date(),
    stat: chance.pick(reports.stats) ?? 'UNKNOWN',
    ended: false,
  }
  messages.set(writeId(message.id, reports.answer_id), message)
  if (messages.size > remember) messages.delete(messages.keys().next().value!)
  return message
}

const FIRST_ID = 9_380_935_605_053_030_457n

function answer(house: SmscHouse, esme: Esme, sm: SubmitSm | DataSm, message: SmscMessage, latency_ms: number): void {
  const { chance, counts } = house
  const { cut_after_share, silent_share, reports } = house.settings()
  const is_cut = chance.happens(cut_after_share)
  const is_silent = chance.happens(silent_share)
  if (is_cut) {
    counts.cut++
    return house.later(latency_ms, () => esme.cut())
  }
  if (is_silent) {
    counts.silent++
    return
  }
  const message_id = writeId(message.id, reports.answer_id)
  house.later(latency_ms, () => esme.answer(sm, STATUS.ROK, { message_id }))
}

function report(house: SmscHouse, esme: Esme, message: SmscMessage, wanted: number, delay_ms: number): void {
  const { chance, counts } = house
  const { reports } = house.settings()
  const is_none = chance.happens(reports.none_share)
  const times = chance.happens(reports.twice_share) ? 2 : 1
  const direction = chance.happens(reports.other_bind_share) ? { not_via: esme } : { via: esme }
  const again_ms = chance.within(reports.delay_ms)
  const isWanted = () => (wanted & 3) === 1 || ((wanted & 3) === 2 && message.stat !== 'DELIVRD')
  const post = () => {
    message.ended = true
    if (is_none || !isWanted()) return
    counts.reports++
    const sm = makeReport(message, message.stat, reports)
    house.mailbox(esme.system_id).post({ sm, ...direction, onTaken: () => counts.reports_taken++ })
  }
  for (let time = 0; time < times; time++) house.later(delay_ms + time * again_ms, post)
}
