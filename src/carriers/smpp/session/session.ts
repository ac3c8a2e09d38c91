import type { Log } from '../../../values/log.ts'
import type { BindFault } from './backoff.ts'
import type { DataSm, DeliverSm, QuerySmResp, SubmitSm, PduFields } from '../codec/pdu.ts'
import type { BindStateName, PduSummary } from '../../schema.ts'

export type SessionDeps = {
  log: Log
  /**
   * A text or a report from the SMSC. The command_status it resolves to is the answer, and is sent only then: resolve
   * when it is stored. A rejection answers RX_T_APPN, so that the SMSC tries again.
   */
  onDeliver(pdu: DeliverSm | DataSm): Promise<Taken>
  onState(state: BindState): void
  /** Every PDU both ways, without texts, secrets and whole numbers. */
  onPdu?(direction: 'in' | 'out', summary: PduSummary): void
  /** An answer to a submit that had been given up as `unanswered`: now its id and fate are known after all. */
  onLateAnswer?(sm: SubmitSm, answer: SubmitAnswer): void
}

/** The answer to what was delivered, and who wants to know when the SMSC has surely read it. */
export type Taken = number | { command_status: number; onRead: () => void }

export type BindState = {
  name: BindStateName
  /** Milliseconds since 1970. */
  since: number
  /** Why it is not bound, in a sentence without secrets; null when nothing is wrong. */
  reason: string | null
  /** `credentials`: only a person can mend it. */
  fault: BindFault | null
  /** While `waiting`: until the next attempt. */
  retry_in_ms: number | null
  /** What the SMSC said it speaks (0x34), null if it said nothing: then it counts as 3.3. */
  peer_version: number | null
}

export type SubmitAnswer = { command_status: number; message_id: string | null }

export type SmppSession = {
  /**
   * Waits for its turn in window and rate, then for the answer, whatever its status. Rejects with a `SubmitFault`. What
   * is throttled by the SMSC is sent again, slower, until its time is up. `segments` (1) is what it takes of the rate: a
   * payload that the SMSC splits takes more.
   */
  submit(sm: PduFields<'submit_sm'>, segments?: number): Promise<SubmitAnswer>
  query(fields: PduFields<'query_sm'>): Promise<QuerySmResp>
  cancel(fields: PduFields<'cancel_sm'>): Promise<{ command_status: number }>
  state(): BindState
  /** Sent and not yet answered. */
  readonly inflight: number
  /** Asked for and not yet sent. */
  readonly waiting: number
  readonly window: number
  /** Segments per second it sends at present; null: not limited. */
  readonly rate: number | null
  /** For so long it sends nothing, because the SMSC said that it was too much; 0 otherwise. */
  readonly paused_ms: number
  /** Sends nothing new, waits (within bounds) for the answers on the way, unbinds, closes. */
  stop(): Promise<void>
}
