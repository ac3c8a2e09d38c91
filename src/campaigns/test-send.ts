import { createHash } from 'node:crypto'
import type { Receipt } from '../billing/charge.ts'
import { sendMessage, type SendDeps } from '../messaging/accept/send.ts'
import { readRecipients } from '../messaging/compose/recipients.ts'
import type { Sender } from '../messaging/draft.ts'
import { dialPlan } from '../values/phone/phone.ts'
import { fillPattern, readPattern } from '../values/placeholders.ts'
import { refuseIfFaulty } from '../values/refusal.ts'
import type { Idempotency, Request } from './draft/create.ts'
import { readPeople } from './people.ts'
import { knownCampaign } from './read.ts'
import { MAX_TEST_RECIPIENTS, type TestBody } from './schema.ts'
import type { Db } from '../db/connect.ts'

/**
 * Sends one of the texts to a few test numbers, with the values of the first person of the list. The test is an ordinary,
 * charged message and not part of the campaign.
 */
export async function sendTest(
  deps: SendDeps & { db: Db },
  sender: Sender,
  id: string,
  body: Partial<TestBody>,
  request: Request,
): Promise<Receipt> {
  const campaign = await knownCampaign(deps.db, sender.organisation_id, id)
  const faults = [...request.shape_faults]
  const plan = dialPlan(sender.default_country)
  const recipients = faults.length > 0 ? [] : await readRecipients(deps, body.recipients ?? [], plan, faults)
  if (recipients.length > MAX_TEST_RECIPIENTS) {
    const message = `A test goes to at most ${MAX_TEST_RECIPIENTS} numbers.`
    faults.push({ field: 'recipients', message, type: 'less_than_equal' })
  }
  const text = campaign.texts[(typeof body.text === 'number' ? body.text : 1) - 1]
  if (!text) faults.push({ field: 'text', message: 'There is no such text.', type: 'less_than_equal' })
  refuseIfFaulty(faults)
  const { people } = await readPeople(deps, sender, { ...campaign, place: null })
  const first = people.find(({ recipient }) => recipient !== undefined)
  const pattern = readPattern(text?.content ?? '')
  const content = fillPattern(
    pattern,
    (name) => first?.valueOf(name),
    () => {},
  )
  const { channel, sender_id, route_class, is_trackable, smart_encoding } = campaign.message
  const message = { channel, sender_id, route_class, is_trackable, smart_encoding, recipients, content }
  const given = Object.entries(message).filter(([, value]) => value !== undefined)
  return sendMessage(deps, sender, Object.fromEntries(given), {
    shape_faults: [],
    ...(request.idempotency ? { idempotency: keyOf(request.idempotency, campaign.id) } : {}),
  })
}

/** With the same key, a test of another campaign is another request. */
function keyOf({ key, request_hash }: Idempotency, campaign_id: string): Idempotency {
  return { key, request_hash: createHash('sha256').update(request_hash).update(campaign_id).digest() }
}
