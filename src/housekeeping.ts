import { rollUpAnalytics, deleteExpiredAnalytics } from './analytics/rollup.ts'
import { shortenOutbox } from './callbacks/outbox/store.ts'
import { forgetSeenNumbers } from './campaigns/estimate/gather-store.ts'
import { forgetCampaigns } from './campaigns/state-store.ts'
import { forgetHandsetMessages } from './carriers/simulator/store.ts'
import { forgetImports } from './contacts/import/import-store.ts'
import type { Db } from './db/connect.ts'
import { dropPartitions, makePartitions } from './db/partitions.ts'
import { deleteExpired, type RetentionRule } from './db/retention.ts'
import { makeFirstStatistics } from './db/statistics.ts'
import { deleteExpiredLinks } from './messaging/links/link-store.ts'
import { deleteExpiredSubmissions } from './messaging/settle/overdue.ts'
import { deleteExpiredTexts } from './messaging/text-retention.ts'
import type { Freshness } from './numbers/known-store.ts'
import { forgetOtps } from './otp/retention.ts'
import { EVIDENCE_DAYS } from './evidence/schema.ts'
import { PROBE_DAYS } from './probes/schema.ts'
import { DEVICE_DAYS } from './users/login/device.ts'
import { startPeriodicJob } from './values/concurrency/periodic-job.ts'
import type { Log } from './values/log.ts'

/** How long data is kept; undefined: without limit. */
export type Retention = {
  messages_days?: number | undefined
  /** Texts of messages; undefined: as long as the messages. */
  texts_days?: number | undefined
  /** Inbound messages; undefined: as long as messages. */
  inbound_days?: number | undefined
  audit_days?: number | undefined
  answers_days: number
  callbacks_days: number
  sandbox_days: number
  otps_days: number
  window_minutes: number
  imports_days: number
  /** The request log; 0: nothing is kept. */
  requests_days: number
  activity_days: number
  /** Analytics by the hour, and after that by the day. */
  analytics_hours_days: number
  analytics_days?: number | undefined
  /** Events for receivers of the SMPP server, and how many of them for each account. */
  smpp_hours?: number | undefined
  smpp_waiting?: number | undefined
}

type Deps = { db: Db; retention: Retention; fresh: Freshness }

const INTERVAL_MS = 60_000
const STATISTICS_INTERVAL_MS = 2_000
const BATCH = 50_000
const TEXTS_BATCH = 2_000
/** Files are large. */
const MEDIA_BATCH = 200
/** Apply when no SMPP server is configured any more. */
const SMPP_HOURS = 72
const SMPP_WAITING = 100_000

/** Deletes expired data and prepares partitions and statistics, periodically. Several processes may do so. */
export function startHousekeeping({ log, ...deps }: Deps & { log: Log }): { stop(): Promise<void> } {
  const onFailure = (err: unknown): void => log.warn({ err }, 'housekeeping failed; it is retried')
  const jobs = [
    startPeriodicJob(INTERVAL_MS, () => runHousekeeping(deps), onFailure),
    startPeriodicJob(STATISTICS_INTERVAL_MS, makeFirstStatistics(deps.db), onFailure),
  ]
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

export async function runHousekeeping({ db, retention, fresh }: Deps): Promise<void> {
  await makePartitions(db)
  const { messages_days, texts_days } = retention
  if (messages_days !== undefined) {
    await deleteExpired(db, { table: 'intake', column: { uuid: 'last_id' }, older_than: `${messages_days} days` })
    await dropPartitions(db, messages_days)
    await forgetCampaigns(db, messages_days)
    await deleteExpiredLinks(db, messages_days, BATCH)
  }
  if (texts_days !== undefined) await deleteExpiredTexts(db, texts_days, TEXTS_BATCH)
  for (const rule of rulesOf(retention, fresh)) await deleteExpired(db, rule)
  await deleteExpiredSubmissions({ db })
  await shortenOutbox(db, retention.smpp_waiting ?? SMPP_WAITING)
  await forgetHandsetMessages(db, retention.sandbox_days)
  await forgetOtps({ db }, retention)
  await forgetSeenNumbers(db, BATCH)
  await forgetImports(db, retention.imports_days)
  await rollUpAnalytics(db, retention.analytics_hours_days)
  if (retention.analytics_days !== undefined) await deleteExpiredAnalytics(db, retention.analytics_days)
}

/** Tables whose rows expire by age alone. */
function rulesOf(retention: Retention, fresh: Freshness): RetentionRule[] {
  const { callbacks_days, imports_days, inbound_days = retention.messages_days, audit_days } = retention
  const otp_minutes = Math.max(retention.window_minutes, 60)
  const rules: RetentionRule[] = [
    { table: 'idempotency_keys', column: 'created_datetime', older_than: `${retention.answers_days} days` },
    // No carrier delivers a text again after this time.
    { table: 'inbound_ids', column: 'received_datetime', older_than: '30 days' },
    { table: 'callback_attempts', column: 'created_datetime', older_than: `${callbacks_days} days` },
    {
      table: 'callbacks',
      column: 'created_datetime',
      older_than: `${callbacks_days} days`,
      condition: "status <> 'pending'",
    },
    { table: 'smpp_outbox', column: 'created_datetime', older_than: `${retention.smpp_hours ?? SMPP_HOURS} hours` },
    // Binds of processes that died.
    { table: 'smpp_binds', column: 'leased_until', older_than: '1 hours' },
    { table: 'provider_answers', column: 'asked_datetime', older_than: `${fresh.cache_hours} hours` },
    {
      table: 'carrier_facts',
      column: 'greatest(operator_noted, dnd_noted)',
      older_than: `${fresh.carrier_facts_days} days`,
    },
    { table: 'otp_sends', column: 'sent_datetime', older_than: '24 hours' },
    { table: 'otp_counters', column: 'slot', older_than: `${2 * otp_minutes} minutes` },
    { table: 'otp_guard', column: 'until_datetime', older_than: `${otp_minutes} minutes` },
    // After WhatsApp's window for free text.
    { table: 'whatsapp_users', column: 'greatest(received_datetime, sent_datetime)', older_than: '24 hours' },
    { table: 'blocklist', column: 'removed_datetime', older_than: '1 days' },
    { table: 'media', column: 'expires_datetime', older_than: '0 days', limit_per_organisation: MEDIA_BATCH },
    // Uploads that broke off: an upload takes at most half a minute.
    { table: 'media', older_than: '1 hours', condition: "state = 'uploading'", limit_per_organisation: MEDIA_BATCH },
    { table: 'blocklist', column: 'expires_datetime', older_than: '7 days' },
    // Longer than a report may take, and than the period of any limit.
    { table: 'phone_messages', older_than: '31 days' },
    { table: 'sandbox_topups', column: 'created_datetime', older_than: `${retention.sandbox_days} days` },
    { table: 'contact_queries', column: 'used_datetime', older_than: '24 hours' },
    {
      table: 'contact_changes',
      column: 'created_datetime',
      older_than: `${imports_days} days`,
      condition: "status in ('undone', 'final')",
    },
    {
      table: 'contact_conversions',
      column: 'created_datetime',
      older_than: `${imports_days} days`,
      condition: "status not in ('running', 'done')",
    },
    { table: 'request_bursts', older_than: `${retention.requests_days} days`, limit_per_organisation: BATCH },
    { table: 'probes', older_than: `${PROBE_DAYS} days` },
    { table: 'evidence', column: 'hour', older_than: `${EVIDENCE_DAYS} days` },
    { table: 'activity', column: 'minute', older_than: `${retention.activity_days} days` },
    { table: 'live_watchers', column: 'until_datetime', older_than: '1 minutes' },
    { table: 'user_sessions', column: 'expires_datetime', older_than: '0 days' },
    { table: 'user_links', column: 'expires_datetime', older_than: '30 days' },
    { table: 'login_tries', column: 'until_datetime', older_than: '0 days' },
    { table: 'passkey_challenges', column: 'expires_datetime', older_than: '0 days' },
    { table: 'user_devices', column: 'seen_datetime', older_than: `${DEVICE_DAYS} days` },
  ]
  if (retention.analytics_days !== undefined) {
    rules.push({ table: 'margins', column: 'day', older_than: `${retention.analytics_days} days` })
  }
  if (audit_days !== undefined) {
    rules.push({ table: 'audit_entries', older_than: `${audit_days} days`, limit_per_organisation: BATCH })
  }
  if (inbound_days !== undefined) {
    const condition = "direction = 'in'" // each goes with its text
    rules.push({ table: 'media', older_than: `${inbound_days} days`, condition, limit_per_organisation: MEDIA_BATCH })
    for (const table of ['inbound_messages', 'conversation_notes', 'conversations']) {
      rules.push({ table, older_than: `${inbound_days} days`, limit_per_organisation: BATCH })
    }
  }
  return rules
}
