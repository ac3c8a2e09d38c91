import type { Db } from '../../src/db/connect.ts'
import { newId } from '../../src/values/id.ts'

export type StoredMessage = {
  recipients?: readonly string[]
  status?: string
  channel?: 'sms' | 'whatsapp'
  sender_id?: string | null
  external_ref?: string | null
  callback?: string | null
}

/** A stored message, each delivery charged 4, for tests without HTTP. */
export async function storeMessage(db: Db, organisation_id: string, wish: StoredMessage = {}): Promise<string> {
  const { recipients = ['2348031234567'], status = 'queued', channel = 'sms' } = wish
  const { sender_id = 'Gangan', external_ref = null, callback = null } = wish
  const id = newId()
  await db`
    insert into messages
      (organisation_id, id, channel, sender_id, external_ref, callback, content, encoding, message_length, pages, charge)
    values (${organisation_id}, ${id}, ${channel}, ${sender_id}, ${external_ref}, ${callback}, 'Hello', 'GSM', 5, 1,
      ${4_0000 * recipients.length})`
  await db`
    insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route)
    select ${organisation_id}, ${id}, recipient, n, ${status}, 1, 40000, 'simulator'
    from unnest(${[...recipients]}::text[]) with ordinality as given (recipient, n)`
  return id
}
