import { compose } from '../../../messaging/compose/compose.ts'
import { MAX_LONG_TEXTS, receiveSegment } from '../../../messaging/long-texts/long-texts.ts'
import type { SendBody } from '../../../messaging/schema.ts'
import type { Caller } from '../../../organisations/store.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Part } from './content.ts'

type Asked = {
  callback_form: string
  expires_in_s: number | undefined
  in_no_hurry: boolean
}

/**
 * Keeps one part of a long text, and sends and charges the text once all are here. Gives the id of the message, the same
 * for each part. Whatever can be known to be wrong with the text is refused with its first part: nothing is kept then.
 */
export async function takePart(
  deps: HttpDeps,
  caller: Caller,
  part: Part,
  body: Partial<SendBody>,
  { callback_form, expires_in_s, in_no_hurry }: Asked,
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
    in_no_hurry,
  })
}

/** Stands for the whole while its sender, recipient, callback and time are checked. */
const ANY_TEXT = '-'
