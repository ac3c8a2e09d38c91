import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import { rows } from '../../db/rows.ts'
import { PRIORITIES } from '../../queue/depth-store.ts'
import type { Page } from '../../values/page.ts'
import type { WebhookFormat } from './schema.ts'

export type WebhookRow = {
  id: string
  url: string
  events: string[]
  format: WebhookFormat
  description: string | null
  enabled: boolean
  disabled_reason: string | null
  failing_since: string | null
  old_secret_until: string | null
  created_datetime: string
  updated_datetime: string | null
}

/** Serializes changes of an organisation's endpoints. */
export async function lockWebhooks(tx: Tx, organisation_id: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ${organisation_id}::text, 0))`
}

export async function countWebhooks(sql: Db | Tx, organisation_id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from webhooks where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

export async function insertWebhook(
  tx: Tx,
  organisation_id: string,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'format' | 'description' | 'enabled'> & { secret: string },
): Promise<WebhookRow> {
  const { id, url, events, format, description, enabled, secret } = webhook
  await tx`
    insert into webhooks (organisation_id, id, url, events, format, description, enabled, secret)
    values (${organisation_id}, ${id}, ${url}, ${events}::text[], ${format}, ${description}, ${enabled}, ${secret})`
  const row = await findWebhook(tx, organisation_id, id)
  if (!row) throw new Error('A webhook was not stored.')
  return row
}

export async function findWebhook(sql: Db | Tx, organisation_id: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listWebhooks(db: Db, organisation_id: string, page: Page): Promise<Listed<WebhookRow>> {
  return listPage<WebhookRow>(db, page, {
    select: columns(db),
    from: db`webhooks`,
    where: db`organisation_id = ${organisation_id}`,
  })
}

/** Enabling an endpoint resets its failures. */
export async function updateWebhook(
  tx: Tx,
  organisation_id: string,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'description' | 'enabled'>,
): Promise<WebhookRow | undefined> {
  const { id, url, events, description, enabled } = webhook
  await tx`
    update webhooks
    set url = ${url}, events = ${events}::text[], description = ${description},
      failing_since = case when (${enabled}::boolean and not enabled) or url <> ${url} then null else failing_since end,
      disabled_reason = case when ${enabled}::boolean then null else disabled_reason end,
      enabled = ${enabled}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
  return findWebhook(tx, organisation_id, id)
}

/** Replaces the secret; the previous one also signs during the overlap. */
export async function rotateSecret(
  db: Db,
  organisation_id: string,
  id: string,
  secret: string,
  overlap_hours: number,
): Promise<WebhookRow | undefined> {
  const overlap = overlap_hours > 0 ? db`secret, now() + ${overlap_hours} * interval '1 hour'` : db`null, null`
  await db`
    update webhooks
    set (old_secret, old_secret_until) = row (${overlap}), secret = ${secret}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
  return findWebhook(db, organisation_id, id)
}

export async function deleteWebhook(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const gone = await db`delete from webhooks where organisation_id = ${organisation_id} and id = ${id}`
  return gone.count === 1
}

/** Which of these endpoints exist, and whether they are enabled. */
export async function readCalled(db: Db, webhooks: readonly { organisation_id: string; id: string }[]) {
  return db<{ id: string; enabled: boolean }[]>`
    select id, enabled from webhooks
    join ${rows(db, webhooks, 'held', { organisation_id: 'uuid', id: 'uuid' })} using (organisation_id, id)`
}

/** Stops the enqueued callbacks of a deleted endpoint, at most `limit`. A worker ends those it has leased. */
export async function stopWaiting(
  db: Db,
  queue: string,
  organisation_id: string,
  webhook_id: string,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with dequeued as (
      delete from jobs
      where organisation_id = ${organisation_id} and id = any (array(
        select id from jobs
        where organisation_id = ${organisation_id} and queue = ${queue} and priority = any (${PRIORITIES}::smallint[]) and lane = ${webhook_id} and not leased
        limit ${limit}
        for update skip locked
      ))
      returning subject_id
    ),
    stopped as (
      update callbacks set status = 'stopped', updated_datetime = now()
      from dequeued
      where organisation_id = ${organisation_id} and callbacks.id = dequeued.subject_id and status = 'pending'
    )
    select count(*)::integer as count from dequeued`
  return row?.count ?? 0
}

export async function readClock(db: Db): Promise<string> {
  const [row] = await db<{ now: string }[]>`select now() as now`
  return row?.now ?? ''
}

/** All columns but the secrets. */
function columns(sql: Db | Tx) {
  return sql`id, url, events, format, description, enabled, disabled_reason, failing_since,
    case when old_secret_until > now() then old_secret_until end as old_secret_until, created_datetime,
    updated_datetime`
}
