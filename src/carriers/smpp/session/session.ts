import type { Log } from '../../../values/log.ts'
import type { BindFault } from './backoff.ts'
import type { DataSm, DeliverSm, QuerySmResp, SubmitSm, PduFields } from '../../codec/pdu.ts'
import type { BindStateName, PduSummary } from '../../schema.ts'

export type SessionDeps = {
  log: Log
  /**
   * A text or a report from the SMSC. It is answered with the command_status this resolves to, and not before: resolve
   * once it is stored. A rejection is answered with RX_T_APPN, so that the SMSC retries.
   */
  onDeliver(pdu: DeliverSm | DataSm): Promise<Taken>
  onState(state: BindState): void
  /** Every PDU in both directions, without texts, secrets and full numbers. */
  onPdu?(direction: 'in' | 'out', summary: PduSummary): void
  /** The answer to a submit that had already been rejected as `unanswered`. */
  onLateAnswer?(sm: SubmitSm, answer: SubmitAnswer): void
}

/** The command_status to answer with; `onRead` is called once the SMSC has certainly read the answer. */
export type Taken = number | { command_status: number; onRead: () => void }

export type BindState = {
  name: BindStateName
  /** Milliseconds since 1970. */
  since: number
  /** Why it is not bound, in a sentence without secrets; null when nothing is wrong. */
  reason: string | null
  /** `credentials`: only an operator can fix it. */
  fault: BindFault | null
  /** While `waiting`: until the next attempt. */
  retry_in_ms: number | null
  /** The SMSC's sc_interface_version (0x34); null if it sent none, which means 3.3. */
  peer_version: number | null
  /** Over TLS: when the certificate of the SMSC expires. */
  certificate_expires: string | null
}

export type SubmitAnswer = { command_status: number; message_id: string | null }

export type SessionLoad = {
  /** Submits sent and not yet answered. */
  inflight: number
  /** Submits not yet sent. */
  waiting: number
  /** Segments per second at present; null: unlimited. */
  rate: number | null
  /** Milliseconds left of a pause after RTHROTTLED; 0: not paused. */
  paused_ms: number
}

export type SmppSession = {
  /**
   * Waits for window and rate, then for the answer, whatever its status. Rejects with a `SubmitFault`. A throttled submit
   * is resent at a lower rate until its time is up. `segments` (1) is its cost in the rate: a payload that the SMSC splits
   * counts several.
   */
  submit(sm: PduFields<'submit_sm'>, segments?: number): Promise<SubmitAnswer>
  query(fields: PduFields<'query_sm'>): Promise<QuerySmResp>
  cancel(fields: PduFields<'cancel_sm'>): Promise<{ command_status: number }>
  state(): BindState
  load(): SessionLoad
  readonly window: number
  /** Sends nothing new, waits (within bounds) for open answers, unbinds, closes. */
  stop(): Promise<void>
}

/** A request without an answer. `not_sent`: the SMSC certainly did not accept it. `unanswered`: it may have. */
export class SubmitFault extends Error {
  override readonly name = 'SubmitFault'
  readonly fate: 'not_sent' | 'unanswered'
  constructor(fate: SubmitFault['fate'], sentence: string) {
    super(sentence)
    this.fate = fate
  }
}
