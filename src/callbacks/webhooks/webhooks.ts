import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { isId, newId } from '../../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { urlFault, type AddressMode } from '../post/address-guard.ts'
import { CALLBACK_QUEUE } from '../enqueue.ts'
import { announceMuted } from './muted-webhooks.ts'
import { sealSecret } from '../signing/secrets.ts'
import { newSecret } from '../signing/signature.ts'
import {
  EVENT_FILTERS,
  type RotateBody,
  type Webhook,
  type WebhookBody,
  type WebhookChange,
  type WebhookWithSecret,
} from './schema.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooks,
  rotateSecret,
  stopWaiting,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

/** Every event is stored once for each matching endpoint. */
const MAX_WEBHOOKS = 50
const OVERLAP_H = 24
const STOPPED_PER_STATEMENT = 10_000

export type WebhookDeps = { db: Db; address_mode: AddressMode }

type Sealing = { secret_seal: SecretSeal }

export async function createWebhook(
  { db, address_mode, secret_seal }: WebhookDeps & Sealing,
  organisation_id: string,
  body: Partial<WebhookBody>,
  shape_faults: readonly Fault[],
  /** The caller's auth token, which signs Twilio's format. */
  auth_token?: string,
): Promise<WebhookWithSecret> {
  const faults = [...shape_faults]
  checkWebhook(body, address_mode, faults)
  const { format = 'standard' } = body
  const { events = format === 'twilio' ? ['text.*'] : ['*'] } = body
  if (format === 'twilio') checkTwilioEvents(events, faults)
  const id = newId()
  const secret = (format === 'twilio' ? auth_token : undefined) ?? newSecretOf(format)
  const sealed = sealSecret(secret_seal, organisation_id, id, secret)
  const row = await transaction(db, async (tx) => {
    await lockWebhooks(tx, organisation_id)
    if ((await countWebhooks(tx, organisation_id)) >= MAX_WEBHOOKS) {
      faults.push({ field: 'webhooks', message: `At most ${MAX_WEBHOOKS} webhooks.`, type: 'less_than_equal' })
    }
    refuseIfFaulty(faults)
    const { url = '', description = null, enabled = true } = body
    return insertWebhook(tx, organisation_id, { id, url, events, format, description, enabled, secret: sealed })
  })
  return { ...shownWebhook(row), secret }
}

export async function readWebhook(deps: { db: Db }, organisation_id: string, id: string): Promise<Webhook> {
  return shownWebhook(await requireWebhook(deps.db, organisation_id, id))
}

/** Newest first. */
export async function findWebhooks(
  { db }: { db: Db },
  organisation_id: string,
  query: PageQuery,
): Promise<{ webhooks: Webhook[]; pagination: Pagination }> {
  const { rows, pagination } = await listWebhooks(db, organisation_id, readPage(query))
  return { webhooks: rows.map(shownWebhook), pagination }
}

/** Fields that are not given keep their value. */
export async function changeWebhook(
  { db, address_mode, wakeups }: WebhookDeps & { wakeups: Pick<Wakeups, 'wake'> },
  organisation_id: string,
  id: string,
  body: WebhookChange,
  shape_faults: readonly Fault[],
): Promise<Webhook> {
  await requireWebhook(db, organisation_id, id)
  const faults = [...shape_faults]
  checkWebhook(body, address_mode, faults)
  refuseIfFaulty(faults)
  const row = await transaction(db, async (tx) => {
    await lockWebhooks(tx, organisation_id)
    const before = await requireWebhook(tx, organisation_id, id)
    if (before.format === 'twilio') checkTwilioEvents(body.events, faults)
    refuseIfFaulty(faults)
    return updateWebhook(tx, organisation_id, {
      id,
      url: body.url ?? before.url,
      events: body.events ?? before.events,
      description: body.description === undefined ? before.description : body.description,
      enabled: body.enabled ?? before.enabled,
    })
  })
  if (!row) throw unknownWebhook()
  if (!row.enabled) announceMuted(wakeups)
  return shownWebhook(row)
}

export async function rotateWebhook(
  { db, secret_seal }: { db: Db } & Sealing,
  organisation_id: string,
  id: string,
  { overlap_hours = OVERLAP_H }: RotateBody,
): Promise<WebhookWithSecret> {
  if (!isId(id)) throw unknownWebhook()
  const secret = newSecretOf((await requireWebhook(db, organisation_id, id)).format)
  const sealed = sealSecret(secret_seal, organisation_id, id, secret)
  const row = await rotateSecret(db, organisation_id, id, sealed, overlap_hours)
  if (!row) throw unknownWebhook()
  return { ...shownWebhook(row), secret }
}

/**
 * Deletes an endpoint, stops its enqueued callbacks and notifies the workers, which stop those they have leased. After a
 * crash in between, or for an event stored concurrently, the worker finds no endpoint and stops the callback.
 */
export async function removeWebhook(
  { db, wakeups }: { db: Db; wakeups: Pick<Wakeups, 'wake'> },
  organisation_id: string,
  id: string,
): Promise<void> {
  if (!isId(id) || !(await deleteWebhook(db, organisation_id, id))) throw unknownWebhook()
  announceMuted(wakeups)
  while ((await stopWaiting(db, CALLBACK_QUEUE, organisation_id, id, STOPPED_PER_STATEMENT)) === STOPPED_PER_STATEMENT);
}

/** Refuses a replay to an endpoint that is disabled or deleted. */
export async function requireEnabled({ db }: { db: Db }, organisation_id: string, id: string): Promise<void> {
  const webhook = isId(id) ? await findWebhook(db, organisation_id, id) : undefined
  if (webhook?.enabled) return
  const message = webhook ? 'The webhook is disabled: enable it first.' : 'The webhook it was for is deleted.'
  refuseIfFaulty([{ field: 'webhook_id', message, type: webhook ? 'invalid' : 'not_found' }])
}

export async function requireWebhook(sql: Db | Tx, organisation_id: string, id: string): Promise<WebhookRow> {
  const row = isId(id) ? await findWebhook(sql, organisation_id, id) : undefined
  if (!row) throw unknownWebhook()
  return row
}

/** Twilio's format has no airtime events. */
function checkTwilioEvents(events: unknown, faults: Fault[]): void {
  for (const [n, type] of (Array.isArray(events) ? events : []).entries()) {
    if (typeof type !== 'string' || type.startsWith('text.') || !EVENT_FILTERS.includes(type)) continue
    const message = 'The format twilio supports only text events: text.* and its types.'
    faults.push({ field: `events[${n}]`, message, type: 'enum' })
  }
}

/** Twilio's clients expect 32 characters. */
function newSecretOf(format: WebhookRow['format']): string {
  return format === 'twilio' ? randomBytes(16).toString('hex') : newSecret()
}

function unknownWebhook(): Refusal {
  return new Refusal('not_found', 'There is no such webhook.')
}

/** Checks beyond the shapes. Fields of the wrong shape are reported already. */
function checkWebhook({ url, events, description }: WebhookChange, mode: AddressMode, faults: Fault[]): void {
  const fault =
    typeof url === 'string' && !faults.some(({ field }) => field === 'url') ? urlFault(url, mode) : undefined
  if (fault !== undefined) faults.push({ field: 'url', message: fault, type: 'url_parsing' })
  for (const [n, type] of (Array.isArray(events) ? events : []).entries()) {
    if (typeof type !== 'string' || EVENT_FILTERS.includes(type)) continue
    const message = `There is no such event; known are ${EVENT_FILTERS.join(', ')}.`
    faults.push({ field: `events[${n}]`, message, type: 'enum' })
  }
  if (typeof description === 'string' && description.includes('\u0000')) {
    faults.push({ field: 'description', message: 'The description holds a NUL character.', type: 'invalid' })
  }
}

function shownWebhook(row: WebhookRow): Webhook {
  return {
    ...pickPresent(row, 'id', 'url', 'events', 'description', 'enabled', 'disabled_reason', 'failing_since'),
    ...(row.format === 'standard' ? {} : { format: row.format }),
    ...pickPresent(row, 'old_secret_until', 'created_datetime', 'updated_datetime'),
  }
}
