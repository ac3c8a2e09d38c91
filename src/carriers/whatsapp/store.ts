import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { KnownTemplate } from './templates.ts'

/** Free text may be sent this long after a person's last message. */
const WINDOW_H = 24

/**
 * Claims recipients for one message each: a recipient to whom any process sent one in the last `every_s` seconds has to
 * wait. Returns the remaining wait of each recipient; 0: claimed. `recipients` are distinct.
 */
export async function claimRecipients(
  db: Db,
  carrier: string,
  recipients: readonly string[],
  every_s: number,
): Promise<Map<string, number>> {
  const claims = await db<{ recipient: string; wait_s: number }[]>`
    with wanted as (select recipient from unnest(${recipients}::text[]) as wanted (recipient) order by recipient),
    claimed as (
      insert into whatsapp_users (carrier, recipient, sent_datetime)
      select ${carrier}, recipient, clock_timestamp() from wanted
      on conflict (carrier, recipient) do update set sent_datetime = excluded.sent_datetime
      where coalesce(whatsapp_users.sent_datetime, '-infinity') <= excluded.sent_datetime - ${every_s} * interval '1 s'
      returning recipient
    )
    select wanted.recipient, case when claimed.recipient is not null then 0
      else greatest(0.1, extract(epoch from (
        select sent_datetime from whatsapp_users
        where carrier = ${carrier} and whatsapp_users.recipient = wanted.recipient
      ) + ${every_s} * interval '1 s' - clock_timestamp()))::float8 end as wait_s
    from wanted left join claimed using (recipient)`
  return new Map(claims.map(({ recipient, wait_s }) => [recipient, wait_s]))
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

/** Replaces all templates of a number. */
export async function replaceTemplates(tx: Tx, carrier: string, templates: readonly KnownTemplate[]): Promise<void> {
  await tx`delete from whatsapp_templates where carrier = ${carrier}`
  await tx`
    insert into whatsapp_templates (carrier, name, language, category, status, components)
    select ${carrier}, name, language, category, status, components::jsonb
    from ${rows(tx, templates, 'template', {
      name: 'text',
      language: 'text',
      category: 'text',
      status: 'text',
      components: ['text', ({ components }) => JSON.stringify(components).replaceAll('\\u0000', '')],
    })}
    on conflict (carrier, name, language) do nothing`
}

/** A template in these languages, in their order. */
export async function findKnownTemplates(
  db: Db,
  carrier: string,
  name: string,
  languages: readonly string[],
): Promise<KnownTemplate[]> {
  return db<KnownTemplate[]>`
    select name, language, category, status, components from whatsapp_templates
    where carrier = ${carrier} and name = ${name} and language = any (${languages}::text[])
    order by array_position(${languages}::text[], language)`
}

/** Stores that Meta has approved, paused or disabled templates; the next sync reads the other changes. */
export async function noteTemplateStatuses(
  db: Db,
  changed: readonly { carrier: string; name: string; language: string; status: string }[],
): Promise<void> {
  if (changed.length === 0) return
  await db`
    update whatsapp_templates set status = upper(changed.status)
    from ${rows(db, changed, 'changed', { carrier: 'text', name: 'text', language: 'text', status: 'text' })}
    where whatsapp_templates.carrier = changed.carrier and whatsapp_templates.name = changed.name
      and whatsapp_templates.language = changed.language`
}

export async function listKnownTemplates(db: Db, carrier: string): Promise<KnownTemplate[]> {
  return db<KnownTemplate[]>`
    select name, language, category, status, components from whatsapp_templates
    where carrier = ${carrier} order by name, language`
}
