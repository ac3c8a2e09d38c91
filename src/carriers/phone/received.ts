import type { Db } from '../../db/connect.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import type { TakeTexts } from '../message-carrier.ts'
import type { GivenText } from './read-calls.ts'
import { learnNumber, type Phone } from './store.ts'

/**
 * A text that somebody sent to a SIM. The app knows the SIM's number only if the SIM does; what one text told is
 * remembered for the next. Without any number the text was sent to the carrier, by its name.
 */
export async function receiveText(
  { db, takeTexts, default_country }: { db: Db; takeTexts: TakeTexts; default_country: string },
  { id, carrier }: Phone,
  given: GivenText,
): Promise<void> {
  const plan = dialPlan(default_country)
  const told = given.recipient === null ? null : (cleanDigits(given.recipient, plan) ?? null)
  const number = await learnNumber(db, id, given.sim, told)
  await takeTexts([
    {
      carrier,
      from: cleanDigits(given.from, plan) ?? given.from.slice(0, LONGEST_NAME),
      to: number ?? carrier,
      text: given.text,
      channel: 'sms',
      received_id: `${id} ${given.id}`,
    },
  ])
}

/** Operators and banks write under names. */
const LONGEST_NAME = 40
