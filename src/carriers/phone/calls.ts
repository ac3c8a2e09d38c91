/** Wakes the stream of a phone, in whichever process it is: something is on its list. */
export function phoneQueue(phone_id: string): string {
  return `phone:${phone_id}`
}

/** For the stream: the phone has been sent away. */
export const SENT_AWAY = 'away'

/** Wakes the carrier in every process: a phone has spoken. */
export function carrierQueue(carrier: string): string {
  return `phones:${carrier}`
}
