import type { Db, Tx } from '../../db/connect.ts'
import { BULK_SHARE, WINDOW_H } from './store.ts'

/** The messaging limit of an account, and how many people count toward it. */
export type Limit = { account: string; recipients: number; used: number }

/** Whether templates that are not one-time passwords wait for it. */
export function isReached({ recipients, used }: Limit): boolean {
  return used >= Math.floor(BULK_SHARE * recipients)
}

/** Accounts with a messaging limit. */
export async function listLimits(db: Db): Promise<Limit[]> {
  return db<Limit[]>`
    select account, recipients, used from whatsapp_limits where recipients is not null order by account`
}

/** Counts the people anew, exactly: messages that are being claimed wait for the lock. Undefined if there is no limit. */
export async function recountLimit(tx: Tx, account: string): Promise<Limit | undefined> {
  await tx`select from whatsapp_limits where account = ${account} for update`
  const [row] = await tx<Limit[]>`
    update whatsapp_limits set used = (
      select count(distinct recipient) from whatsapp_numbers join whatsapp_users using (carrier)
      where whatsapp_numbers.account = ${account}
        and initiated_datetime > clock_timestamp() - interval '1 hour' * ${WINDOW_H}::integer
    )
    where account = ${account} and recipients is not null
    returning account, recipients, used`
  return row
}

/** Null: unlimited. */
export async function saveLimit(db: Db, account: string, recipients: number | null): Promise<void> {
  await db`
    insert into whatsapp_limits (account, recipients) values (${account}, ${recipients})
    on conflict (account) do update set recipients = excluded.recipients
    where whatsapp_limits.recipients is distinct from excluded.recipients`
}

/** What Meta says of a number; null: nothing yet. */
export type KnownNumber = { carrier: string; account: string; quality: string | null; status: string | null }

export async function listNumbers(db: Db): Promise<KnownNumber[]> {
  return db<KnownNumber[]>`select carrier, account, quality, status from whatsapp_numbers order by carrier`
}

/** Makes the number known. If the carrier had another number before, people have not written to this one yet. */
export async function registerNumber(
  tx: Tx,
  { name: carrier, account, phone_number_id }: { name: string; account: string; phone_number_id: string },
): Promise<void> {
  const [before] = await tx<{ phone_number_id: string }[]>`
    select phone_number_id from whatsapp_numbers where carrier = ${carrier} for update`
  await tx`
    insert into whatsapp_numbers (carrier, account, phone_number_id)
    values (${carrier}, ${account}, ${phone_number_id})
    on conflict (carrier) do update
    set account = excluded.account, phone_number_id = excluded.phone_number_id, quality = null, status = null,
      updated_datetime = now()
    where (whatsapp_numbers.account, whatsapp_numbers.phone_number_id)
      is distinct from (excluded.account, excluded.phone_number_id)`
  if (before && before.phone_number_id !== phone_number_id)
    await tx`update whatsapp_users set received_datetime = null where carrier = ${carrier}`
}

/** What is undefined stays. */
export async function noteNumber(
  db: Db,
  carrier: string,
  { quality, status }: { quality?: string | undefined; status?: string | undefined },
): Promise<void> {
  await db`
    update whatsapp_numbers
    set quality = coalesce(upper(${quality ?? null}::text), quality),
      status = coalesce(upper(${status ?? null}::text), status), updated_datetime = now()
    where carrier = ${carrier}`
}
