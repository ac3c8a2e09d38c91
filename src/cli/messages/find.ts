import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { findOwners } from '../../messaging/operate/store.ts'
import { isId } from '../../values/id.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { notFound, OperatorFault, usageFault } from '../terminal/operator-fault.ts'

/** The organisation of a message. */
export async function ownerOf(db: Db, id: string): Promise<string> {
  const [owner] = isId(id) ? await findOwners(db, id) : []
  if (owner === undefined) throw unknownMessage(id)
  return owner
}

export function unknownMessage(id: string): OperatorFault {
  return notFound(`There is no message ${id}; gangan messages list shows those of an organisation.`)
}

export function numberOf(given: string, { settings }: Config): string {
  const number = cleanPhone(given, dialPlan(settings.organisation.default_country))
  if (number === undefined) throw usageFault(`${given} is not a phone number.`)
  return number
}
