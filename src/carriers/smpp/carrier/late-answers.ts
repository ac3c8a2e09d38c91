import type { Log } from '../../../values/log.ts'
import type { OutgoingMessage, TakenSegments } from '../../message-carrier.ts'
import { keptId } from '../../message-id.ts'
import { findTlv, TAG, type PduFields, type SubmitSm } from '../codec/pdu.ts'
import type { SmppSettings } from '../schema.ts'
import type { SubmitAnswer } from '../session/session.ts'

/** Notes segments of a message that the carrier has after all, so that reports on it find their way. */
export type TakeSegments = (
  carrier: string,
  message: { organisation_id: string; message_id: string; recipient: string },
  taken: TakenSegments,
) => Promise<void>

export type LateAnswers = {
  /** It was given up: should its answer come yet, this is what it was. */
  expect(sm: PduFields<'submit_sm'>, message: OutgoingMessage, segment: number, segments: number): void
  take(sm: SubmitSm, answer: SubmitAnswer): void
  /** How long after a hand-over a report may be waited for. */
  reportDue(message: OutgoingMessage): number
}

/** Reports may come some time after a message has expired. */
const AFTER_EXPIRY_S = 3_600

/** A submit is given up after a while; when its answer comes after all, its id is worth having. */
export function makeLateAnswers(
  deps: { log: Log; takeSegments: TakeSegments },
  { name, report_due_h }: SmppSettings,
): LateAnswers {
  const expected = new WeakMap<Buffer, { message: OutgoingMessage; segment: number; segments: number }>()
  // The octets of a text are handed on as they are, so they tell which PDU it is. Parameters may be left out on the way.
  const pieceOf = ({ short_message, tlvs = [] }: PduFields<'submit_sm'>): Buffer | undefined =>
    short_message && short_message.length > 0 ? short_message : findTlv({ tlvs }, TAG.message_payload)

  function reportDue({ expires_in_s }: OutgoingMessage): number {
    const longest = report_due_h * 3_600
    return expires_in_s === null ? longest : Math.min(longest, expires_in_s + AFTER_EXPIRY_S)
  }

  return {
    reportDue,
    expect(sm, message, segment, segments) {
      const piece = pieceOf(sm)
      if (piece) expected.set(piece, { message, segment, segments })
    },
    take(sm, { command_status, message_id }) {
      const piece = pieceOf(sm)
      const known = piece && expected.get(piece)
      if (!known || command_status !== 0 || !message_id) return
      const { message, segment, segments } = known
      const taken = {
        segments,
        ids: [{ segment, carrier_message_id: keptId(message_id) }],
        report_due_s: reportDue(message),
      }
      deps.takeSegments(name, message, taken).catch((fault: unknown) => {
        deps.log.warn({ carrier: name, err: fault }, 'a late answer could not be noted')
      })
    },
  }
}
