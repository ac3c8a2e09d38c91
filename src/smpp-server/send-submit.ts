import { smppForm, type SmppAddress } from '../callbacks/formats/address.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import { sendText, type WholeText } from '../messaging/long-texts/send-text.ts'
import type { Caller } from '../organisations/store.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { Refusal } from '../values/refusal.ts'

/** Sent to somebody who has opted out. Through our own door such a recipient is rejected after the message is taken. */
export class OptedOut extends Refusal {
  override readonly name = 'OptedOut'

  constructor() {
    super('forbidden', 'The recipient has opted out.')
  }
}

/** Where the reports of a submit go: to the account's receivers, if the client asked for any. */
export function callbackOf(address: SmppAddress): string | undefined {
  return address.wants === 0 ? undefined : smppForm(address)
}

/** Sends what an account submitted, unless the recipient has opted out. */
export async function sendSubmit(deps: SendDeps, caller: Caller, whole: WholeText): Promise<void> {
  await refuseOptedOut(deps, caller, whole.recipient)
  await sendText(deps, caller, whole)
}

async function refuseOptedOut(deps: SendDeps, caller: Caller, to: string): Promise<void> {
  if (!caller.has_optouts) return
  const recipient = cleanPhone(to, dialPlan(caller.default_country))
  if (recipient === undefined) return
  const opted_out = await deps.findOptedOut(caller.organisation_id, [recipient])
  if (opted_out.has(recipient)) throw new OptedOut()
}
