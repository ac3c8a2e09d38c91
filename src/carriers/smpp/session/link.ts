import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { waitAtMost } from '../../../values/concurrency/wait-at-most.ts'
import type { Log } from '../../../values/log.ts'
import type { BindFault } from './backoff.ts'
import type { BindSettings } from './bind-settings.ts'
import type { PduFault } from '../../codec/decode-pdu.ts'
import { findTlv, makePdu, TAG, type DataSm, type DeliverSm, type Pdu } from '../../codec/pdu.ts'
import { makeReadProof } from './read-proof.ts'
import { makeRequests } from './requests.ts'
import type { Taken } from './session.ts'
import { STATUS, statusName } from '../../codec/status.ts'
import { answerName, openWire } from './wire.ts'

/** One connection to the SMSC: connects, binds and keeps alive. Once ended it is never reopened. */
export function openLink(deps: LinkDeps, bind: BindSettings, mode: LinkMode): Link {
  let phase: 'connecting' | 'binding' | 'bound' = 'connecting'
  let refusal: LinkEnd | null = null
  const delivering = new Set<Promise<void>>()
  let idle_timer: NodeJS.Timeout | undefined
  let heard = 0

  const socket = connect(bind, sendBind)
  const wire = openWire({ onPdu, onClose, onFault, onTrace }, socket, bind.partial_pdu_timeout_ms)
  const requests = makeRequests(wire, deps.onLate)
  const proof = makeReadProof(() => request(makePdu('enquire_link'), bind.response_timeout_ms))
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
    deps.onBound(findTlv(pdu, TAG.sc_interface_version)?.[0] ?? null, certificateExpiry(socket))
  }

  function enquire(): void {
    const heard_before = heard
    request(makePdu('enquire_link'), bind.response_timeout_ms).catch(() => {
      // An SMSC that keeps sending is alive, even if it does not implement enquire_link.
      if (heard === heard_before) wire.close('enquire_link stayed unanswered')
    })
  }

  // Async, so that a PDU that cannot be encoded rejects as well.
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
    // A request for an SMSC is refused. What has no answer (outbind, alert_notification) is ignored like a stray answer.
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
      deps.log.error({ err }, 'A delivery from an SMSC could not be stored; the SMSC was asked to retry.')
      answer(pdu, STATUS.RX_T_APPN)
    }
  }

  function answer({ command, sequence_number }: DeliverSm | DataSm, command_status: number): void {
    wire.send(makePdu(`${command}_resp`, { command_status, sequence_number }))
  }

  function onFault({ fault, command_id, command_status }: PduFault): void {
    const details = { fault, command_id: command_id.toString(16), answered: statusName(command_status) }
    deps.log.warn(details, 'An SMSC sent a malformed PDU; the connection is kept.')
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
    await waitAtMost(bind.stop_wait_ms, Promise.all([requests.idle(), ...delivering]))
    if (phase === 'bound') await request(makePdu('unbind'), bind.stop_wait_ms).catch(() => undefined)
    wire.close('we unbound')
  }

  return { request, finish, close: (reason) => wire.close(reason) }
}

export type LinkMode = 'transceiver' | 'transmitter' | 'receiver'

export type LinkDeps = {
  log: Log
  onBinding(): void
  /** With the SMSC's sc_interface_version, null if it sent none, and over TLS with the end of its certificate. */
  onBound(peer_version: number | null, certificate_expires: string | null): void
  onDeliver(pdu: DeliverSm | DataSm): Promise<Taken>
  /** Called once. Every open request has been rejected by then. */
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

/** Deliveries being stored at a time; beyond that the SMSC gets RMSGQFUL and retries. */
const MAX_DELIVERING = 1_000
/** After this long the SMSC may have given up waiting, and may redeliver in spite of our answer. */
const IN_TIME_MS = 5_000

const CREDENTIALS: readonly number[] = [STATUS.RBINDFAIL, STATUS.RINVPASWD, STATUS.RINVSYSID, STATUS.RINVSYSTYP]

function refusalOf(command_status: number): LinkEnd {
  const reason = `the SMSC refused the bind: ${statusName(command_status)}`
  if (CREDENTIALS.includes(command_status)) return { fault: 'credentials', reason }
  return { fault: command_status === STATUS.RALYBND ? 'already_bound' : 'refused', reason }
}

/** A TCP or TLS socket to the SMSC; `onConnect` runs once it is writable. */
function connect(bind: BindSettings, onConnect: () => void): Socket {
  const { host, port, local_address, tls } = bind
  const address = { host, port, ...(local_address !== null && { localAddress: local_address }) }
  const socket =
    tls === null ? connectTcp(address, onConnect) : connectTls({ ...address, ...tlsOptions(bind, tls) }, onConnect)
  // Firewalls drop idle connections; keep-alive probes notice before the next message does.
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setNoDelay(true)
  return socket
}

const KEEP_ALIVE_MS = 30_000

function certificateExpiry(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket)) return null
  const ends = Date.parse(socket.getPeerCertificate().valid_to)
  return Number.isFinite(ends) ? new Date(ends).toISOString() : null
}

function tlsOptions(bind: BindSettings, tls: NonNullable<BindSettings['tls']>) {
  const { ca, cert, key, insecure } = tls
  const servername = tls.servername ?? (isIP(bind.host) === 0 ? bind.host : null)
  return {
    rejectUnauthorized: !insecure,
    ...(servername !== null && { servername }),
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  }
}
