import type { Log } from '../../../values/log.ts'
import type { BindFault } from './backoff.ts'
import type { BindSettings } from './bind-settings.ts'
import { connect } from './connect.ts'
import { findTlv, makePdu, TAG, type DataSm, type DeliverSm, type Pdu } from '../codec/pdu.ts'
import { makeProof } from './proof.ts'
import { makeRequests } from './requests.ts'
import type { Taken } from './session.ts'
import { STATUS, statusName } from '../codec/status.ts'
import { answerName, openWire } from './wire.ts'

/** One connection to the SMSC, from its first packet to its last: connects, binds, keeps alive, and ends for good. */
export function openLink(deps: LinkDeps, bind: BindSettings, mode: LinkMode): Link {
  let phase: 'connecting' | 'binding' | 'bound' = 'connecting'
  let refusal: LinkEnd | null = null
  const delivering = new Set<Promise<void>>()
  let idle_timer: NodeJS.Timeout | undefined
  let heard = 0

  const socket = connect(bind, sendBind)
  const wire = openWire({ onPdu, onClose, onFault, onTrace }, socket, bind.partial_pdu_timeout_ms)
  const requests = makeRequests(wire, deps.onLate)
  const proof = makeProof(() => request(makePdu('enquire_link'), bind.response_timeout_ms))
  const connect_timer = setTimeout(() => wire.close('it could not be reached in time'), bind.connect_timeout_ms)

  function sendBind(): void {
    clearTimeout(connect_timer)
    phase = 'binding'
    deps.onBinding()
    const { system_id, password, system_type, interface_version, addr_ton, addr_npi, address_range } = bind
    const fields = { system_id, password, system_type, interface_version, addr_ton, addr_npi, address_range }
    request(makePdu(`bind_${mode}`, fields) as Pdu, bind.bind_timeout_ms).then(takeBindAnswer, (fault: Error) => {
      wire.close(fault.message)
    })
  }

  function takeBindAnswer(pdu: Pdu): void {
    if (pdu.command_status !== STATUS.ROK) {
      refusal = refusalOf(pdu.command_status)
      return wire.close(refusal.reason)
    }
    phase = 'bound'
    idle_timer = setTimeout(enquire, bind.enquire_interval_ms)
    deps.onBound(findTlv(pdu, TAG.sc_interface_version)?.[0] ?? null)
  }

  function enquire(): void {
    const heard_before = heard
    request(makePdu('enquire_link'), bind.response_timeout_ms).catch(() => {
      // An SMSC that keeps sending is alive, even if it never learnt to answer this.
      if (heard === heard_before) wire.close('enquire_link stayed unanswered')
    })
  }

  // Async, so that what cannot be encoded rejects as well.
  async function request(pdu: Pdu, timeout_ms: number): Promise<Pdu> {
    return requests.send(pdu, timeout_ms)
  }

  function onPdu(pdu: Pdu): void {
    const { command, sequence_number } = pdu
    if (command === 'deliver_sm' || command === 'data_sm') return take(pdu)
    if (command === 'unbind') {
      wire.send(makePdu('unbind_resp', { sequence_number }))
      return wire.close('the SMSC unbound us')
    }
    // A request only an SMSC takes. What has no answer (outbind, alert_notification) is passed over like a stray answer.
    const is_request = answerName(command) !== null
    if (is_request) wire.send(makePdu('generic_nack', { command_status: STATUS.RINVCMDID, sequence_number }))
    else requests.settle(pdu)
  }

  function take(pdu: DeliverSm | DataSm): void {
    if (delivering.size >= MAX_DELIVERING) return answer(pdu, STATUS.RMSGQFUL)
    const taken = deliver(pdu).finally(() => delivering.delete(taken))
    delivering.add(taken)
  }

  async function deliver(pdu: DeliverSm | DataSm): Promise<void> {
    const began = performance.now()
    try {
      const taken = await deps.onDeliver(pdu)
      if (typeof taken === 'number') return answer(pdu, taken)
      answer(pdu, taken.command_status)
      if (performance.now() - began < IN_TIME_MS) proof.expect(taken.onRead)
    } catch (err) {
      deps.log.error({ err }, 'What an SMSC delivered could not be taken; it was asked to try again.')
      answer(pdu, STATUS.RX_T_APPN)
    }
  }

  function answer({ command, sequence_number }: DeliverSm | DataSm, command_status: number): void {
    wire.send(makePdu(`${command}_resp`, { command_status, sequence_number }))
  }

  function onFault({
    fault,
    command_id,
    command_status,
  }: {
    fault: string
    command_id: number
    command_status: number
  }) {
    const details = { fault, command_id: command_id.toString(16), answered: statusName(command_status) }
    deps.log.warn(details, 'An SMSC sent a PDU that cannot be read; the connection is kept.')
  }

  function onTrace(direction: 'in' | 'out', pdu: Pdu, bytes: number): void {
    if (direction === 'in') {
      heard++
      idle_timer?.refresh()
    }
    deps.onTrace?.(direction, pdu, bytes)
  }

  function onClose(reason: string): void {
    clearTimeout(connect_timer)
    clearTimeout(idle_timer)
    proof.stop()
    requests.cut(reason)
    deps.onEnd(refusal ?? { fault: phase === 'bound' ? 'cut' : 'unreachable', reason })
  }

  async function finish(): Promise<void> {
    await within(bind.stop_wait_ms, Promise.all([requests.idle(), ...delivering]))
    if (phase === 'bound') await request(makePdu('unbind'), bind.stop_wait_ms).catch(() => undefined)
    wire.close('we unbound')
  }

  return { request, finish, close: (reason) => wire.close(reason) }
}

export type LinkMode = 'transceiver' | 'transmitter' | 'receiver'

export type LinkDeps = {
  log: Log
  onBinding(): void
  /** What the SMSC says it speaks; null if it says nothing. */
  onBound(peer_version: number | null): void
  onDeliver(pdu: DeliverSm | DataSm): Promise<Taken>
  /** Once, whatever happened. Every open request has been rejected by then. */
  onEnd(end: LinkEnd): void
  onLate?: (request: Pdu, answer: Pdu) => void
  onTrace?: ((direction: 'in' | 'out', pdu: Pdu, bytes: number) => void) | undefined
}

export type LinkEnd = { fault: BindFault; reason: string }

export type Link = {
  /** Rejects with a `SubmitFault`. */
  request(pdu: Pdu, timeout_ms: number): Promise<Pdu>
  /** Waits for open requests, unbinds, closes: each within `stop_wait_ms`. */
  finish(): Promise<void>
  close(reason: string): void
}

/** Deliveries being stored at a time; an SMSC that sends more is told that our queue is full, and tries again. */
const MAX_DELIVERING = 1_000
/** Who waits longer for an answer may have given it up, and delivers again whatever we say. */
const IN_TIME_MS = 5_000

const CREDENTIALS: readonly number[] = [STATUS.RBINDFAIL, STATUS.RINVPASWD, STATUS.RINVSYSID, STATUS.RINVSYSTYP]

function refusalOf(command_status: number): LinkEnd {
  const reason = `the SMSC refused the bind: ${statusName(command_status)}`
  if (CREDENTIALS.includes(command_status)) return { fault: 'credentials', reason }
  return { fault: command_status === STATUS.RALYBND ? 'already_bound' : 'refused', reason }
}

async function within(time_ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const bell = new Promise<void>((resolve) => (timer = setTimeout(resolve, time_ms)))
  await Promise.race([work, bell])
  clearTimeout(timer)
}
