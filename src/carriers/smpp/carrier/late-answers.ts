import type { Log } from '../../../values/log.ts'
import type { OutgoingMessage, TakenSegments } from '../../message-carrier.ts'
import { keptId } from '../../message-id.ts'
import { findTlv, TAG, type PduFields, type SubmitSm } from '../../codec/pdu.ts'
import type { SmppSettings } from '../schema.ts'
import type { SubmitAnswer } from '../session/session.ts'

/** Stores the ids of segments that the carrier accepted after all, so that their reports can be matched. */
export type TakeSegments = (
  carrier: string,
  message: { organisation_id: string; message_id: string; recipient: string },
  taken: TakenSegments,
) => Promise<void>

export type LateAnswers = {
  /** Remembers the message of a submit that timed out. */
  expect(sm: PduFields<'submit_sm'>, message: OutgoingMessage, segment: number, segments: number): void
  take(sm: SubmitSm, answer: SubmitAnswer): void
  /** Seconds after the submit within which a report is expected. */
  reportDue(message: OutgoingMessage): number
}

/** Reports may arrive some time after a message has expired. */
const AFTER_EXPIRY_S = 3_600

/** Matches answers that arrive after their submit timed out, for the message id in them. */
export function makeLateAnswers(
  deps: { log: Log; takeSegments: TakeSegments },
  { name, report_due_h }: SmppSettings,
): LateAnswers {
  const expected = new WeakMap<Buffer, { message: OutgoingMessage; segment: number; segments: number }>()
  // The Buffer of the text is passed along unchanged and identifies the PDU; optional parameters may be dropped on the way.
  const bufferOf = ({ short_message, tlvs = [] }: PduFields<'submit_sm'>): Buffer | undefined =>
    short_message && short_message.length > 0 ? short_message : findTlv({ tlvs }, TAG.message_payload)

  function reportDue({ expires_in_s }: OutgoingMessage): number {
    const longest = report_due_h * 3_600
    return expires_in_s === null ? longest : Math.min(longest, expires_in_s + AFTER_EXPIRY_S)
  }

  return {
    reportDue,
    expect(sm, message, segment, segments) {
      const buffer = bufferOf(sm)
      if (buffer) expected.set(buffer, { message, segment, segments })
    },
    take(sm, { command_status, message_id }) {
      const buffer = bufferOf(sm)
      const known = buffer && expected.get(buffer)
      if (!known || command_status !== 0 || !message_id) return
      const { message, segment, segments } = known
      const taken = {
        segments,
        ids: [{ segment, carrier_message_id: keptId(message_id) }],
        report_due_s: reportDue(message),
      }
      deps.takeSegments(name, message, taken).catch((fault: unknown) => {
        deps.log.warn({ carrier: name, err: fault }, 'a late answer could not be stored')
      })
    },
  }
}
