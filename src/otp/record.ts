import type { WriteAnswer } from '../billing/answer-slots.ts'
import { present } from '../values/record.ts'
import { STATUS, type OtpRecord } from './schema.ts'
import type { OtpRow } from './store.ts'

const DESCRIPTION = new Map<number, string>(Object.entries(STATUS).map(([name, status]) => [status, name]))

/** An OTP as the API returns it, without its token. */
export function otpRecord({ id, recipient, status, created_datetime, updated_datetime }: OtpRow): OtpRecord {
  return {
    id,
    recipient,
    status,
    status_desc: DESCRIPTION.get(status) ?? '',
    created_datetime,
    ...present('updated_datetime', updated_datetime),
  }
}

/** The response to a request as JSON text. */
export function sentAnswer(id: string, recipient: string): WriteAnswer {
  return ({ created_datetime }) =>
    `{"id":"${id}","recipient":"${recipient}","status":1,"status_desc":"SENT","created_datetime":"${created_datetime}"}`
}
