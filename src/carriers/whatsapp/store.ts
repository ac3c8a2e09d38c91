import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'

/** Free text may be sent this long after a person's last message. */
export const WINDOW_H = 24

/** A recipient of a message: `is_template` may begin a conversation, and counts toward the messaging limit if it does. */
export type Wanted = { recipient: string; is_template: boolean; urgent: boolean }

/** `wait_s`: 0 if it is claimed. `is_limited`: it waits for the messaging limit. */
export type Claim = { recipient: string; wait_s: number; is_limited: boolean }

/** Messages that are not one-time passwords leave this part of the messaging limit to those. */
export const BULK_SHARE = 0.95
/** How long a message waits that would exceed the messaging limit. */
const LIMITED_S = 300

/**
 * Claims recipients for one message each: a recipient to whom any process sent one from this number in the last `every_s`
 * seconds has to wait, and so has one to whom the account may not write first now. `wanted` are distinct.
 *
 * People to whom any number of the account wrote first in the last 24 hours do not count again. The row of the limit is
 * locked before those of the people, so that all processes together stay below it.
 */
export async function claimRecipients(
  db: Db,
  { name: carrier, account }: { name: string; account: string },
  wanted: readonly Wanted[],
  every_s: number,
): Promise<Map<string, Claim>> {
  const day = db`interval '1 hour' * ${WINDOW_H}::integer`
  const claims = await db<Claim[]>`
    with wanted as (
      select given.recipient, urgent,
        is_template and coalesce(received_datetime, '-infinity') <= clock_timestamp() - ${day} as initiates
      from ${rows(db, wanted, 'given', { recipient: 'text', is_template: 'boolean', urgent: 'boolean' })}
      left join whatsapp_users on carrier = ${carrier} and whatsapp_users.recipient = given.recipient
    ),
    fresh as (
      select recipient, urgent, row_number() over (order by urgent desc, recipient) as place
      from wanted
      where initiates
        and exists (select from whatsapp_limits where account = ${account} and recipients is not null)
        and not exists (
          select from whatsapp_numbers join whatsapp_users using (carrier)
          where account = ${account} and whatsapp_users.recipient = wanted.recipient
            and initiated_datetime > clock_timestamp() - ${day}
        )
    ),
    budget as (
      select recipients, used from whatsapp_limits
      where account = ${account} and recipients is not null and exists (select from fresh)
      for update
    ),
    limited as (
      select recipient from fresh cross join budget
      where used + place > case when urgent then recipients else floor(${BULK_SHARE}::float8 * recipients) end
    ),
    counted as (
      update whatsapp_limits
      set used = budget.used + (select count(*) from fresh) - (select count(*) from limited)
      from budget
      where account = ${account} and (select count(*) from fresh) > (select count(*) from limited)
    ),
    claimed as (
      insert into whatsapp_users (carrier, recipient, sent_datetime, initiated_datetime)
      select ${carrier}, recipient, clock_timestamp(), case when initiates then clock_timestamp() end
      from wanted where recipient not in (select recipient from limited)
      order by recipient
      on conflict (carrier, recipient) do update
      set sent_datetime = excluded.sent_datetime,
        initiated_datetime = coalesce(excluded.initiated_datetime, whatsapp_users.initiated_datetime)
      where coalesce(whatsapp_users.sent_datetime, '-infinity') <= excluded.sent_datetime - ${every_s} * interval '1 s'
      returning recipient
    )
    select recipient, limited.recipient is not null as is_limited,
      case when claimed.recipient is not null then 0
        when limited.recipient is not null then ${LIMITED_S}::float8
        else greatest(0.1, extract(epoch from (
          select sent_datetime from whatsapp_users
          where carrier = ${carrier} and whatsapp_users.recipient = wanted.recipient
        ) + ${every_s} * interval '1 s' - clock_timestamp())) end::float8 as wait_s
    from wanted left join claimed using (recipient) left join limited using (recipient)`
  return new Map(claims.map((claim) => [claim.recipient, claim]))
}

export async function isSubmission(db: Db, carrier: string, carrier_message_id: string): Promise<boolean> {
  const found = await db`
    select 1 from submissions where carrier = ${carrier} and carrier_message_id = ${carrier_message_id} limit 1`
  return found.length > 0
}

/** The organisations and recipients of messages; unknown ones are left out. */
export async function findOrganisations(
  db: Db,
  named: readonly { carrier: string; carrier_message_id: string }[],
): Promise<{ carrier: string; organisation_id: string; recipient: string }[]> {
  return db<{ carrier: string; organisation_id: string; recipient: string }[]>`
    select carrier, organisation_id, recipient from submissions
    join ${rows(db, named, 'named', { carrier: 'text', carrier_message_id: 'text' })} using (carrier, carrier_message_id)`
}

/** Opens the window of people who wrote to the number. */
export async function noteReceived(
  db: Db,
  received: readonly { carrier: string; recipient: string; timestamp_s: number }[],
): Promise<void> {
  if (received.length === 0) return
  await db`
    insert into whatsapp_users (carrier, recipient, received_datetime)
    select carrier, recipient, least(now(), to_timestamp(max(timestamp_s)))
    from ${rows(db, received, 'received', { carrier: 'text', recipient: 'text', timestamp_s: 'float8' })}
    group by carrier, recipient
    order by carrier, recipient
    on conflict (carrier, recipient) do update
    set received_datetime = greatest(whatsapp_users.received_datetime, excluded.received_datetime)`
}

/** Which of these recipients have written to the number in the last 24 hours. */
export async function findOpenWindows(
  db: Db,
  carrier: string,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = await db<{ recipient: string }[]>`
    select wanted.recipient
    from unnest(${recipients}::text[]) as wanted (recipient)
    where (
      select received_datetime > now() - ${WINDOW_H} * interval '1 hour' from whatsapp_users
      where carrier = ${carrier} and whatsapp_users.recipient = wanted.recipient
    )`
  return new Set(open.map(({ recipient }) => recipient))
}
