import type { Socket } from 'node:net'
import { makePdu, TAG, type CommandName, type Pdu, type PduOf } from '../carriers/codec/pdu.ts'
import { STATUS, statusName } from '../carriers/codec/status.ts'
import { makeRequests } from '../carriers/smpp/session/requests.ts'
import { answerName, openWire } from '../carriers/smpp/session/wire.ts'
import { waitAtMost } from '../values/concurrency/wait-at-most.ts'
import { newId } from '../values/id.ts'
import type { Account } from './account.ts'
import type { BindMode } from './bind-store.ts'
import type { LongTextDeps } from '../messaging/long-texts/long-texts.ts'
import type { Receiver } from './outbox.ts'
import { cancelSubmitted, queryMessage } from './query.ts'
import type { SubmitPdu } from './read-submit.ts'
import { makeReadThrottle } from './read-throttle.ts'
import { statusOfFault } from './refusal-status.ts'
import type { SmppServerSettings } from './settings.ts'
import { takeSubmit } from './submit.ts'

export type SessionDeps = LongTextDeps & {
  public_url: string
  settings: SmppServerSettings
  /** Deliveries are pending for receivers of the organisation. */
  wakeReceivers: (organisation_id: string) => void
  /** Checks a bind; returns its account, or the status it is refused with. */
  admit(session: Session, bind: BindRequest): Promise<Account | { command_status: number }>
  /** Its bind is being checked, or was refused. */
  onBinding(session: Session, is_binding: boolean): void
  onBound(session: Session): void
  /** Its window has capacity for another delivery. */
  onRoom(session: Session): void
  /** Called once; twice if it closed while its bind was being checked. */
  onClosed(session: Session): void
}

export type BindRequest = { system_id: string; password: string; mode: BindMode; address: string }

/** One connection of a customer's client. */
export type Session = Receiver & {
  readonly id: string
  readonly address: string
  readonly account: Account | undefined
  readonly mode: BindMode | undefined
  /** Answers open requests, unbinds and closes. */
  finish(reason: string): Promise<void>
}

const PARTIAL_PDU_MS = 10_000
const FINISH_MS = 3_000
const UNBIND_MS = 1_000
/** Refusals are delayed, to slow down password guessing. */
const REFUSAL_MS = 1_000
const MAX_PDUS_BEFORE_BIND = 20
const SMPP_3_4 = 0x34

const MODES: Partial<Record<CommandName, BindMode>> = {
  bind_transmitter: 'transmitter',
  bind_receiver: 'receiver',
  bind_transceiver: 'transceiver',
}
type BindPdu = PduOf<'bind_transmitter'> | PduOf<'bind_receiver'> | PduOf<'bind_transceiver'>

/** Serves a connection. Phases: open → binding → bound → ending → closed. */
export function openSession(deps: SessionDeps, socket: Socket, address: string): Session {
  const { bind_timeout_ms, enquire_interval_ms, response_timeout_ms } = deps.settings
  let account: Account | undefined
  let mode: BindMode | undefined
  let phase: 'open' | 'binding' | 'bound' | 'ending' | 'closed' = 'open'
  const answering = new Set<Promise<void>>()
  let received = 0
  let idle_timer: NodeJS.Timeout | undefined
  const wire = openWire({ onPdu, onClose, onFault: () => count(0), onTrace }, socket, PARTIAL_PDU_MS)
  const throttle = makeReadThrottle(wire, socket)
  const requests = makeRequests(wire)
  const bind_timer = afterReading(bind_timeout_ms, () => {
    if (phase === 'open') wire.close('it did not bind in time')
  })

  const session: Session = {
    id: newId(),
    address,
    get account() {
      return account
    },
    get mode() {
      return mode
    },
    get is_open() {
      return phase === 'bound'
    },
    freeCapacity: () => (phase === 'bound' && account ? account.window_size - requests.size : 0),
    request: async (pdu) => requests.send(pdu, response_timeout_ms).finally(() => deps.onRoom(session)),
    finish,
  }

  function onTrace(direction: 'in' | 'out', _pdu: Pdu, octets: number): void {
    if (direction !== 'in') return
    count(octets)
    idle_timer?.refresh()
  }

  function count(octets: number): void {
    received += 1
    throttle.count(octets)
    if (received > MAX_PDUS_BEFORE_BIND && !account) wire.close('it sent too many PDUs before it was bound')
  }

  function onPdu(pdu: Pdu): void {
    const { command, sequence_number } = pdu
    if (answerName(command) === null) return void requests.settle(pdu)
    if (isBind(pdu)) return track(bind(pdu))
    if (command === 'unbind') return void unbind(sequence_number)
    if (phase === 'ending') return answer(command, sequence_number, STATUS.RSYSERR)
    if (phase !== 'bound' || !account) return answer(command, sequence_number, STATUS.RINVBNDSTS)
    if (command === 'submit_sm' || command === 'data_sm' || command === 'submit_multi') return submit(account, pdu)
    if (command === 'query_sm') return run(account, pdu, query)
    if (command === 'cancel_sm') return run(account, pdu, cancel)
    // An accepted message cannot be replaced.
    if (command === 'replace_sm') return answer(command, sequence_number, STATUS.RREPLACEFAIL)
    wire.send(makePdu('generic_nack', { command_status: STATUS.RINVCMDID, sequence_number }))
  }

  /** The session waits for these before it ends. */
  function track(work: Promise<void>): void {
    const tracked = work.finally(() => answering.delete(tracked))
    answering.add(tracked)
  }

  async function bind(pdu: BindPdu): Promise<void> {
    const { system_id, password, sequence_number, command } = pdu
    if (phase !== 'open') return answer(command, sequence_number, STATUS.RALYBND)
    phase = 'binding'
    deps.onBinding(session, true)
    const requested = MODES[command] ?? 'transceiver'
    const admitted = await deps
      .admit(session, { system_id, password, mode: requested, address })
      .catch((fault: unknown) => {
        deps.log.error({ err: fault }, 'checking a bind failed')
        return { command_status: STATUS.RSYSERR }
      })
    if (phase !== 'binding') return deps.onClosed(session)
    if ('command_status' in admitted) return refuse(command, sequence_number, admitted.command_status)
    phase = 'bound'
    account = admitted
    mode = requested
    throttle.setBudgets(account.pdus, account.organisation.pdus)
    idle_timer = setTimeout(enquire, enquire_interval_ms)
    const tlvs = [{ tag: TAG.sc_interface_version, value: Buffer.from([SMPP_3_4]) }]
    wire.send(makePdu(`${command}_resp`, { sequence_number, system_id: 'gangan', tlvs }))
    meter(command, STATUS.ROK)
    deps.onBound(session)
  }

  async function refuse(command: BindPdu['command'], sequence_number: number, command_status: number): Promise<void> {
    deps.onBinding(session, false)
    await new Promise((resolve) => setTimeout(resolve, REFUSAL_MS))
    answer(command, sequence_number, command_status)
    wire.close('its bind was refused')
  }

  function submit(of: Account, pdu: SubmitPdu): void {
    const { command, sequence_number } = pdu
    if (mode === 'receiver') return answer(command, sequence_number, STATUS.RINVBNDSTS)
    const messages = command === 'submit_multi' ? pdu.dest_address.length : 1
    if (isOverLimit(of, messages)) return answer(command, sequence_number, STATUS.RTHROTTLED)
    track(send(of, pdu))
  }

  async function send(of: Account, pdu: SubmitPdu): Promise<void> {
    const { command, sequence_number } = pdu
    const answered = await takeSubmit(deps, of, pdu)
    wire.send(makePdu(`${command}_resp`, { sequence_number, ...answered }))
    meter(command, answered.command_status)
  }

  function isOverLimit(of: Account, messages: number): boolean {
    return answering.size >= of.window_size || !of.mayTake(messages)
  }

  /** Queries and cancels count as submits, because they cost as much. */
  function run<P extends Pdu>(of: Account, pdu: P, work: (of: Account, pdu: P) => Promise<Pdu>): void {
    const { command, sequence_number } = pdu
    if (isOverLimit(of, 1)) return answer(command, sequence_number, STATUS.RTHROTTLED)
    const respond = async (): Promise<void> => {
      try {
        const response = await work(of, pdu)
        wire.send({ ...response, sequence_number })
        meter(command, response.command_status)
      } catch (fault) {
        const { command_status, ours } = statusOfFault(fault)
        if (ours) deps.log.error({ system_id: of.row.system_id, err: fault }, `${command} failed`)
        answer(command, sequence_number, command_status)
      }
    }
    track(of.organisation.run(respond))
  }

  async function query(of: Account, pdu: PduOf<'query_sm'>): Promise<Pdu> {
    return makePdu('query_sm_resp', await queryMessage(deps, of.row.organisation_id, pdu))
  }

  async function cancel(of: Account, pdu: PduOf<'cancel_sm'>): Promise<Pdu> {
    return makePdu('cancel_sm_resp', { command_status: await cancelSubmitted(deps, of.row.organisation_id, pdu) })
  }

  function answer(command: CommandName, sequence_number: number, command_status: number): void {
    wire.send(makePdu(answerName(command) ?? 'generic_nack', { command_status, sequence_number }))
    meter(command, command_status)
  }

  function meter(command: CommandName, command_status: number): void {
    deps.meters.smpp_server_answers.inc({ command, status: statusName(command_status) })
  }

  function enquire(): void {
    const received_before = received
    requests.send(makePdu('enquire_link'), response_timeout_ms).catch(() => {
      if (received === received_before) wire.close('enquire_link stayed unanswered')
    })
  }

  async function unbind(sequence_number: number): Promise<void> {
    if (phase === 'closed') return
    phase = 'ending'
    await waitAtMost(FINISH_MS, Promise.all(answering))
    wire.send(makePdu('unbind_resp', { sequence_number }))
    wire.close('it unbound')
  }

  async function finish(reason: string): Promise<void> {
    if (phase === 'closed' || phase === 'ending') return
    const was_bound = phase === 'bound'
    phase = 'ending'
    await waitAtMost(FINISH_MS, Promise.all([...answering, requests.idle()]))
    if (was_bound) await requests.send(makePdu('unbind'), UNBIND_MS).catch(() => undefined)
    wire.close(reason)
  }

  function onClose(reason: string): void {
    phase = 'closed'
    clearTimeout(bind_timer)
    clearTimeout(idle_timer)
    throttle.stop()
    requests.cut(reason)
    deps.onClosed(session)
  }

  return session
}

function isBind(pdu: Pdu): pdu is BindPdu {
  return MODES[pdu.command] !== undefined
}

/** Runs after `time_ms`, but only once what arrived until then has been read: a busy process must not penalise the client. */
export function afterReading(time_ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), time_ms)
}
