import type { Db, Tx } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { isStorable } from '../values/input/storable.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { cleanPhone, type DialPlan } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import { MAX_FAULTS, Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import { MAX_ENTRIES, MAX_REASON, type BlockedEntry } from './schema.ts'
import {
  BEHIND_ALL,
  countEntries,
  listEntries,
  removeEntries,
  saveEntries,
  type EntryRow,
  type NewEntry,
} from './store.ts'

/** What processes follow, see `live-versions.ts`. */
export const BLOCKLIST = 'blocklist'

/** Entries saved by one statement. */
const ENTRIES_PER_STATEMENT = 5_000

/** `line`: of the file that it comes from. */
type Given = { entry: string; reason: string; until: string | undefined; field?: string; line?: number }

/**
 * Blocks numbers and prefixes, all or none; an entry that exists gets the new reason and expiry. Returns how many did not
 * exist before.
 */
export async function block(
  { db }: { db: Db },
  who: Actor,
  plan: DialPlan,
  given: readonly Given[],
  source: 'add' | 'import' = 'add',
): Promise<{ added: number; entries: number }> {
  const entries = readAll(plan, given)
  return transaction(db, async (tx) => {
    const version = await raiseLiveVersion(tx, BLOCKLIST)
    let added = 0
    for (let at = 0; at < entries.length; at += ENTRIES_PER_STATEMENT) {
      added += await saveEntries(tx, entries.slice(at, at + ENTRIES_PER_STATEMENT), { version, actor: who.actor })
    }
    if ((await countEntries(tx)) > MAX_ENTRIES) {
      const most = MAX_ENTRIES.toLocaleString('en')
      throw new Refusal('conflict', `The block list has at most ${most} entries; block prefixes instead of numbers.`)
    }
    const [first] = entries
    await recordAudit(tx, who, {
      organisation_id: null,
      action: `blocklist.${source}`,
      subject: entries.length === 1 ? first?.entry : undefined,
      after: { entries: entries.length, added, reason: first?.reason, ...present('until', first?.expires) },
    })
    return { added, entries: entries.length }
  })
}

/** Unblocks numbers or prefixes that were added so. Refused if one is not in the list. */
export async function unblock({ db }: { db: Db }, who: Actor, plan: DialPlan, given: readonly string[]): Promise<void> {
  const entries = readAll(
    plan,
    given.map((entry) => ({ entry, reason: '-', until: undefined, field: 'entry' })),
  ).map(({ entry }) => entry)
  await transaction(db, async (tx) => {
    const version = await raiseLiveVersion(tx, BLOCKLIST)
    const removed = await removeEntries(tx, entries, version)
    const gone = new Set(removed.map(({ entry }) => entry))
    const missing = entries.find((entry) => !gone.has(entry))
    if (missing !== undefined) throw new Refusal('not_found', `${missing} is not in the block list.`)
    for (const row of removed) await recordRemoval(tx, who, row)
  })
}

async function recordRemoval(tx: Tx, who: Actor, { entry, reason, expires_datetime, hits }: EntryRow): Promise<void> {
  await recordAudit(tx, who, {
    organisation_id: null,
    action: 'blocklist.remove',
    subject: entry,
    before: { reason, hits: Number(hits), ...present('until', expires_datetime) },
  })
}

/** In the order of the numbers; `search` is the beginning of an entry. */
export async function findBlocked(
  { db }: { db: Db },
  { search = '', ...query }: PageQuery & { search?: string },
): Promise<{ entries: BlockedEntry[]; pagination: Pagination }> {
  const digits = search.replace(/\D/g, '')
  const { rows, pagination } = await listEntries(
    db,
    digits,
    readPage(query, (key) => isEntry(key) || key === BEHIND_ALL),
  )
  return { entries: rows.map(shownEntry), pagination }
}

export function shownEntry(row: EntryRow): BlockedEntry {
  return {
    entry: row.entry,
    reason: row.reason,
    actor: row.actor,
    created_datetime: row.created_datetime,
    ...present('expires_datetime', row.expires_datetime),
    hits: Number(row.hits),
    ...present('last_hit_datetime', row.last_hit_datetime),
  }
}

function isEntry(text: string): boolean {
  return /^[1-9]\d{0,14}\*?$/.test(text)
}

/** Each entry once, the last one of those that are given twice. */
function readAll(plan: DialPlan, given: readonly Given[]): NewEntry[] {
  const faults: Fault[] = []
  const entries = new Map<string, NewEntry>()
  for (const { field = 'entries', line, ...one } of given) {
    const of_line = line === undefined ? '' : `Line ${line}: `
    const entry = readEntry(plan, one.entry)
    if (entry === undefined) {
      const message = `${of_line}${one.entry.slice(0, 60)} is neither a phone number nor a prefix such as 234803*.`
      faults.push({ field, message, type: 'phone_invalid' })
    }
    const reason = one.reason.trim()
    if (reason === '') faults.push({ field: 'reason', message: `${of_line}A reason is required.`, type: 'missing' })
    else if (reason.length > MAX_REASON || !isStorable(reason)) {
      const message = `${of_line}A reason has at most ${MAX_REASON} characters, without NUL.`
      faults.push({ field: 'reason', message, type: 'invalid' })
    }
    const at = one.until === undefined ? undefined : readMoment(one.until)
    if (one.until !== undefined && (at === undefined || at <= Date.now())) {
      const message = `${of_line}This is no date-time with its offset in the future, such as 2026-12-24T18:00:00+01:00.`
      faults.push({ field: 'until', message, type: 'date_invalid' })
    }
    if (faults.length >= MAX_FAULTS) break
    if (entry !== undefined) entries.set(entry, { entry, reason, expires: at === undefined ? null : answerTime(at) })
  }
  refuseIfFaulty(faults.filter((one, n) => faults.findIndex((other) => isSame(one, other)) === n))
  return [...entries.values()]
}

/** One reason or expiry is given for all entries of a request. */
function isSame(a: Fault, b: Fault): boolean {
  return a.field === b.field && a.message === b.message
}

/** A number as recipients are written; with `*` behind it a prefix, with its country code. */
function readEntry(plan: DialPlan, given: string): string | undefined {
  const text = given.trim()
  if (!text.endsWith('*')) return cleanPhone(text, plan)
  const digits = text.slice(0, -1).replace(/^\+|[\s()-]/g, '')
  return isEntry(digits) ? `${digits}*` : undefined
}
