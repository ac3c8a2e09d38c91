import type { PduFields, PduOf } from '../carriers/codec/pdu.ts'
import { STATUS } from '../carriers/codec/status.ts'
import type { Db } from '../db/connect.ts'
import { cancelMessage } from '../messaging/schedule/cancel.ts'
import { readFirst } from '../messaging/read/read.ts'
import type { Meters } from '../observe/meters.ts'
import { Refusal } from '../values/refusal.ts'
import { writeTime } from './smpp-time.ts'
import { STATES } from './write-delivery.ts'

type Deps = {
  db: Db
  meters: Meters
  public_url: string
  /** Deliveries are pending for receivers of the organisation. */
  wakeReceivers: (organisation_id: string) => void
}

const EN_ROUTE = 1
const UNKNOWN = 7

/** The state of a message of this organisation. */
export async function queryMessage(
  deps: Deps,
  organisation_id: string,
  { message_id }: PduOf<'query_sm'>,
): Promise<PduFields<'query_sm_resp'>> {
  try {
    const { deliveries } = await readFirst(deps, organisation_id, messageOf(message_id))
    const [delivery] = deliveries
    if (!delivery) return { command_status: STATUS.RQUERYFAIL, message_id }
    const { status, code, updated_datetime } = delivery
    const end = STATES[status]
    return {
      message_id,
      message_state: end?.state ?? (status === 'unknown' ? UNKNOWN : EN_ROUTE),
      final_date: end && updated_datetime ? writeTime(new Date(updated_datetime)) : '',
      error_code: end && /^[0-9]{1,3}$/.test(code ?? '') ? Math.min(255, Number(code)) : 0,
    }
  } catch (fault) {
    if (fault instanceof Refusal) return { command_status: STATUS.RINVMSGID, message_id }
    throw fault
  }
}

/** Cancels and refunds a scheduled message, by the rules of `DELETE /sms/{id}`. Returns the status. */
export async function cancelSubmitted(
  deps: Deps,
  organisation_id: string,
  { message_id }: PduOf<'cancel_sm'>,
): Promise<number> {
  try {
    await cancelMessage(deps, organisation_id, messageOf(message_id))
    deps.wakeReceivers(organisation_id)
    return STATUS.ROK
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return fault.code === 'not_found' ? STATUS.RINVMSGID : STATUS.RCANCELFAIL
  }
}

/** Removes the segment number of an id. */
function messageOf(message_id: string): string {
  return message_id.replace(/^(.{36})-\d{1,3}$/, '$1')
}
