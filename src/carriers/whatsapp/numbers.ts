import { present } from '../../values/record.ts'
import type { WhatsappAccount, WhatsappSettings } from './schema.ts'

/** The numbers of an account, each as a carrier. */
export function numbersOf({ phone_number_id, digits, numbers = [], ...account }: WhatsappAccount): WhatsappSettings[] {
  const { name } = account
  const all = phone_number_id === undefined ? numbers : [{ phone_number_id, ...present('digits', digits) }, ...numbers]
  return all.map((number, n) => ({
    ...account,
    ...number,
    account: name,
    name: n === 0 ? name : `${name}-${number.digits}`,
  }))
}

/** What is wrong with the numbers of an account: faults with their field. `taken` collects the digits of all accounts. */
export function numberFaults(account: WhatsappAccount, taken: Set<string>): string[] {
  const numbers = numbersOf(account)
  if (numbers.length === 0) return ['phone_number_id: name a phone_number_id, or several numbers']
  const faults: string[] = []
  const ids = new Set<string>()
  for (const { phone_number_id, digits } of numbers) {
    if (ids.has(phone_number_id)) faults.push(`numbers: the phone_number_id ${phone_number_id} is used twice`)
    ids.add(phone_number_id)
    if (digits !== undefined && taken.has(digits)) faults.push(`numbers: the digits ${digits} are used twice`)
    if (digits !== undefined) taken.add(digits)
  }
  return faults
}
