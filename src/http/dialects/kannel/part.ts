import { compose } from '../../../messaging/compose/compose.ts'
import { MAX_LONG_TEXTS, receiveSegment } from '../../../messaging/long-texts/long-texts.ts'
import type { SendBody } from '../../../messaging/schema.ts'
import type { Caller } from '../../../organisations/store.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Part } from './content.ts'

type Asked = {
  callback_form: string
  expires_in_s: number | undefined
  is_bulk: boolean
}

/**
 * Stores one part of a long text, and sends and charges the text once all are stored. Returns the id of the message,
 * the same for each part. An invalid text is refused with its first part, and nothing is stored.
 */
export async function takePart(
  deps: HttpDeps,
  caller: Caller,
  part: Part,
  body: Partial<SendBody>,
  { callback_form, expires_in_s, is_bulk }: Asked,
): Promise<string> {
  const sender = { ...caller, sends_from_numbers: true }
  const { callback, deliveries } = await compose(deps, sender, { ...body, content: ANY_TEXT }, [])
  const [to] = deliveries
  if (!to) throw new Error('a part of a long text has no recipient')
  return receiveSegment({ ...deps, db: deps.quick_db, most_long_texts: MAX_LONG_TEXTS }, caller, {
    ...part,
    account_id: caller.key_id ?? caller.organisation_id,
    sender: body.sender_id,
    recipient: to.recipient,
    wants: 0,
    callback: callback === undefined ? undefined : `${callback_form} ${callback}`,
    send_at_ms: body.send_at === undefined ? undefined : Date.parse(body.send_at),
    expires_at_ms: expires_in_s === undefined ? undefined : Date.now() + expires_in_s * 1_000,
    is_bulk,
  })
}

/** Placeholder for the whole text while its sender, recipient, callback and time are validated. */
const ANY_TEXT = '-'
