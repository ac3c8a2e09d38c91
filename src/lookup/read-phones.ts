import { readListed } from '../values/input/listed.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { MAX_PHONES } from './schema.ts'

const NOT_A_PHONE = { message: 'This is not a phone number.', type: 'phone_invalid' } as const

/** The cleaned number, or a refusal with all faults. */
export function readPhone(given: string | undefined, country: string, shape_faults: readonly Fault[]): string {
  refuseIfFaulty(shape_faults)
  if (given === undefined) refuseIfFaulty([{ field: 'phone', message: 'This field is required.', type: 'missing' }])
  const phone = cleanPhone(given ?? '', dialPlan(country))
  if (phone === undefined) refuseIfFaulty([{ field: 'phone', ...NOT_A_PHONE }])
  return phone ?? ''
}

/** The cleaned numbers in the order given, without duplicates, and with `skip_invalid` the invalid ones. No valid number at all is refused. */
export function readPhones(
  given: string | readonly string[] | undefined,
  country: string,
  shape_faults: readonly Fault[],
  skip_invalid: boolean,
): { msisdns: string[]; invalid: string[] } {
  refuseIfFaulty(shape_faults)
  const raw = readListed(given ?? [], MAX_PHONES)
  const limit = sizeFault(raw)
  if (limit) refuseIfFaulty([{ field: 'phones', ...limit }])
  const plan = dialPlan(country)
  const cleaned = raw.map((one) => cleanPhone(one, plan))
  const msisdns = [...new Set(cleaned.filter((one) => one !== undefined))]
  if (!skip_invalid || msisdns.length === 0) {
    refuseIfFaulty(cleaned.flatMap((one, n) => (one === undefined ? [{ field: `phones[${n}]`, ...NOT_A_PHONE }] : [])))
  }
  const invalid = raw.filter((_, n) => cleaned[n] === undefined).map((one) => one.trim().slice(0, MAX_SHOWN_LENGTH))
  return { msisdns, invalid }
}

/** An invalid number may be any text; its beginning identifies it. */
const MAX_SHOWN_LENGTH = 60

function sizeFault(raw: readonly string[]): Omit<Fault, 'field'> | undefined {
  if (raw.length === 0) return { message: 'At least one number is required.', type: 'greater_than_equal' }
  if (raw.length <= MAX_PHONES) return undefined
  return { message: `At most ${MAX_PHONES} numbers are looked up in one request.`, type: 'less_than_equal' }
}
