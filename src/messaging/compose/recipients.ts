import { readListed } from '../../values/input/listed.ts'
import { cleanPhone, type DialPlan } from '../../values/phone/phone.ts'
import type { Fault } from '../../values/refusal.ts'
import { MAX_RECIPIENTS } from '../schema.ts'

/** Numbers cleaned per event loop iteration: about a millisecond. */
const NUMBERS_PER_ITERATION = 1_000

/** The cleaned numbers in the given order, each once. Every invalid number is a fault of its own. */
export async function readRecipients(
  given: string | readonly string[],
  plan: DialPlan,
  faults: Fault[],
): Promise<string[]> {
  const raw = readListed(given, MAX_RECIPIENTS)
  if (typeof given === 'string' && given.trim() === '') {
    faults.push({ field: 'recipients', message: 'At least one recipient is required.', type: 'string_too_short' })
    return []
  }
  if (raw.length === 0) {
    faults.push({ field: 'recipients', message: 'At least one recipient is required.', type: 'missing' })
    return []
  }
  if (raw.length > MAX_RECIPIENTS) {
    const message = `At most ${MAX_RECIPIENTS} recipients are accepted in one request.`
    faults.push({ field: 'recipients', message, type: 'less_than_equal' })
    return []
  }
  const recipients = new Set<string>()
  for (let n = 0; n < raw.length; n++) {
    if (n > 0 && n % NUMBERS_PER_ITERATION === 0) await new Promise(setImmediate)
    const one = raw[n]!
    const recipient = cleanPhone(one, plan)
    if (recipient !== undefined) recipients.add(recipient)
    else faults.push({ field: `recipients[${n}]`, message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  return [...recipients]
}
