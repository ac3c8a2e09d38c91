import { rollUpAnalytics, deleteExpiredAnalytics } from './analytics/rollup.ts'
import { deleteExpiredIdempotencyKeys } from './billing/store.ts'
import { forgetOutbox, shortenOutbox } from './callbacks/outbox/store.ts'
import { forgetSeenNumbers } from './campaigns/estimate/gather-store.ts'
import { forgetCampaigns } from './campaigns/state-store.ts'
import { forgetCallbacks } from './callbacks/read/store.ts'
import { forgetPhoneMessages } from './carriers/phone/message-store.ts'
import { forgetHandsetMessages } from './carriers/simulator/store.ts'
import { forgetTopups } from './carriers/simulator/topup-store.ts'
import { forgetWhatsappUsers } from './carriers/whatsapp/store.ts'
import { forgetChanges } from './contacts/changes/change-store.ts'
import { forgetImports } from './contacts/import/import-store.ts'
import { forgetQueries } from './contacts/query/query-store.ts'
import type { Db } from './db/connect.ts'
import { dropPartitions, makePartitions } from './db/partitions.ts'
import { makeFirstStatistics } from './db/statistics.ts'
import { deleteExpiredActivity } from './observe/activity-store.ts'
import { deleteExpiredWatchers } from './observe/live-store.ts'
import { forgetNumberFacts } from './numbers/facts-store.ts'
import type { Freshness } from './numbers/known-store.ts'
import { deleteExpiredTexts } from './messaging/text-retention.ts'
import { forgetConversations } from './messaging/conversations/store.ts'
import { forgetInbound, forgetInboundIds } from './messaging/inbound/store.ts'
import { forgetIntake } from './messaging/intake/store.ts'
import { forgetMessageLinks } from './messaging/links/link-store.ts'
import { deleteExpiredSubmissions } from './messaging/settle/overdue.ts'
import { forgetOtps } from './otp/retention.ts'
import { forgetRequests } from './requests/store.ts'
import { forgetBinds } from './smpp-server/bind-store.ts'
import { forgetAudit } from './users/audit-store.ts'
import { DEVICE_DAYS } from './users/login/device.ts'
import { forgetDevices } from './users/login/device-store.ts'
import { forgetLinks } from './users/link-store.ts'
import { forgetSessions } from './users/login/session-store.ts'
import { deleteOldAttempts } from './users/login/attempts-store.ts'
import type { Log } from './values/log.ts'

export type Retention = {
  /** Undefined: for ever. */
  messages_days?: number | undefined
  /** What they said; undefined: as long as the messages. */
  texts_days?: number | undefined
  /** Texts people sent; undefined: as long as messages. */
  inbound_days?: number | undefined
  audit_days?: number | undefined
  answers_days: number
  callbacks_days: number
  sandbox_days: number
  otps_days: number
  window_minutes: number
  imports_days: number
  /** Calls of the API; 0: none are kept. */
  requests_days: number
  activity_days: number
  /** Analytics by the hour, and then by the day; undefined: for ever. */
  analytics_hours_days: number
  analytics_days?: number | undefined
  /** What waits for receivers of the SMPP server, and how much of it for each account. */
  smpp_hours?: number | undefined
  smpp_waiting?: number | undefined
}

const EVERY_MS = 60_000
const STATISTICS_EVERY_MS = 1_000
const CONTACT_QUERIES_H = 24
const INBOUND_IDS_DAYS = 30
const AT_A_TIME = 50_000
const TEXTS_AT_A_TIME = 2_000
const USED_LINKS_DAYS = 30
/** Where no SMPP server is configured any more. */
const SMPP_HOURS = 72
const SMPP_WAITING = 100_000

/** Forgets what has outlived its use, and keeps an eye on new tables. Several processes doing so is harmless. */
export function startHousekeeping(deps: { db: Db; log: Log; retention: Retention; fresh: Freshness }): {
  stop(): Promise<void>
} {
  const chores = [
    every(EVERY_MS, deps.log, () => tidy(deps)),
    every(STATISTICS_EVERY_MS, deps.log, () => makeFirstStatistics(deps.db)),
  ]
  return {
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()))
    },
  }
}

/** Does a chore again and again, one at a time. */
function every(ms: number, log: Log, chore: () => Promise<unknown>): { stop(): Promise<void> } {
  let doing: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    doing = chore()
      .catch((err: unknown) => log.warn({ err }, 'a chore failed'))
      .finally(() => {
        busy = false
      })
  }, ms)
  return {
    async stop() {
      clearInterval(timer)
      await doing
    },
  }
}

export async function tidy({
  db,
  retention,
  fresh,
}: {
  db: Db
  retention: Retention
  fresh: Freshness
}): Promise<void> {
  await makePartitions(db)
  if (retention.messages_days !== undefined) await forgetMessages(db, retention.messages_days)
  if (retention.texts_days !== undefined) await deleteExpiredTexts(db, retention.texts_days, TEXTS_AT_A_TIME)
  const inbound_days = retention.inbound_days ?? retention.messages_days
  if (inbound_days !== undefined) {
    await forgetInbound(db, inbound_days, AT_A_TIME)
    await forgetConversations(db, inbound_days, AT_A_TIME)
  }
  if (retention.audit_days !== undefined) await forgetAudit(db, retention.audit_days, AT_A_TIME)
  await deleteExpiredIdempotencyKeys(db, retention.answers_days * 24)
  await deleteExpiredSubmissions({ db })
  await forgetInboundIds(db, INBOUND_IDS_DAYS)
  await forgetCallbacks(db, retention.callbacks_days)
  await forgetOutbox(db, retention.smpp_hours ?? SMPP_HOURS)
  await shortenOutbox(db, retention.smpp_waiting ?? SMPP_WAITING)
  await forgetBinds(db)
  await forgetNumberFacts(db, fresh)
  await forgetHandsetMessages(db, retention.sandbox_days)
  await forgetOtps({ db }, retention)
  await forgetWhatsappUsers(db)
  await forgetPhoneMessages(db)
  await forgetTopups(db, retention.sandbox_days)
  await forgetQueries(db, CONTACT_QUERIES_H)
  await forgetSeenNumbers(db, AT_A_TIME)
  await forgetImports(db, retention.imports_days)
  await forgetRequests(db, retention.requests_days, AT_A_TIME)
  await forgetChanges(db, retention.imports_days)
  await deleteExpiredActivity(db, retention.activity_days)
  await rollUpAnalytics(db, retention.analytics_hours_days)
  if (retention.analytics_days !== undefined) await deleteExpiredAnalytics(db, retention.analytics_days)
  await deleteExpiredWatchers(db)
  await forgetSessions(db)
  await forgetLinks(db, USED_LINKS_DAYS)
  await deleteOldAttempts(db)
  await forgetDevices(db, DEVICE_DAYS)
}

/** Messages with all that quotes them, such as where their links led. */
async function forgetMessages(db: Db, older_than_days: number): Promise<void> {
  await forgetIntake(db, older_than_days)
  await dropPartitions(db, older_than_days)
  await forgetCampaigns(db, older_than_days)
  await forgetMessageLinks(db, older_than_days, AT_A_TIME)
}
