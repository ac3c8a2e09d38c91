/** The wake-up queue of a phone's event stream: messages are assigned to the phone. */
export function phoneQueue(phone_id: string): string {
  return `phone:${phone_id}`
}

/** The payload of that wake-up if the operator has removed the phone. */
export const PHONE_REMOVED = 'away'

/** The wake-up queue of the carrier in every process: a phone has called. */
export function carrierQueue(carrier: string): string {
  return `phones:${carrier}`
}
