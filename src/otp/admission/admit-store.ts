import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { Slot, Traffic, Verdict } from './limits.ts'

/** A request with the keys of its counters. */
export type Entry = { otp_id: string; recipient: string; prefix: string; country: string }

const HOUR_MINUTES = 60

/**
 * Locks the organisation's admission until the end of the transaction, across all processes, and reads the traffic of
 * these numbers, prefixes and countries. The statements are pipelined and run in order, so everything is read under the
 * lock.
 */
export async function lockTraffic(
  tx: Tx,
  organisation_id: string,
  entries: readonly Entry[],
  window_minutes: number,
): Promise<{
  now_s: number
  numbers: Map<string, number[]>
  counters: Map<string, Slot[]>
  guards: Map<string, NonNullable<Traffic['guard']>>
}> {
  const prefixes = entries.map(({ prefix }) => prefix)
  const [, [clock], sends, slots, guards] = await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended('otp admission ' || ${organisation_id}, 0))`,
    tx<{ now_s: number }[]>`select extract(epoch from clock_timestamp())::float8 as now_s`,
    tx<{ recipient: string; sent_s: number }[]>`
      select recipient, extract(epoch from sent_datetime)::float8 as sent_s
      from otp_sends
      where organisation_id = ${organisation_id} and recipient = any (${entries.map(({ recipient }) => recipient)}::text[])
        and sent_datetime > now() - interval '1 day'
      order by sent_datetime`,
    // Probes each counter by its key (`offset 0`): as a join, the cached plan would scan all counters of the organisation.
    tx<(Slot & { name: string })[]>`
      select kind || ' ' || key as name, extract(epoch from slot)::float8 as slot_s, sent, verified
      from (
        select distinct kind, key from ${rows(tx, entries.flatMap(countersOf), 'counter', { kind: 'text', key: 'text' })}
      ) wanted
      cross join lateral (
        select slot, sent, verified from otp_counters
        where organisation_id = ${organisation_id} and kind = wanted.kind and key = wanted.key
          and slot > now() - ${Math.max(window_minutes, HOUR_MINUTES)} * interval '1 minute'
        offset 0
      ) found
      order by slot`,
    tx<(NonNullable<Traffic['guard']> & { prefix: string })[]>`
      select prefix, state, extract(epoch from until_datetime)::float8 as until_s
      from otp_guard where organisation_id = ${organisation_id} and prefix = any (${prefixes}::text[])`,
  ])
  const numbers = new Map<string, number[]>()
  for (const { recipient, sent_s } of sends) numbers.set(recipient, [...(numbers.get(recipient) ?? []), sent_s])
  const counters = new Map<string, Slot[]>()
  for (const { name, ...slot } of slots) counters.set(name, [...(counters.get(name) ?? []), slot])
  return {
    now_s: clock?.now_s ?? 0,
    numbers,
    counters,
    guards: new Map(guards.map(({ prefix, ...guard }) => [prefix, guard])),
  }
}

export async function countAdmitted(
  tx: Tx,
  organisation_id: string,
  entries: readonly Entry[],
  now_s: number,
  slot_s: number,
): Promise<void> {
  if (entries.length === 0) return
  await Promise.all([
    tx`
      insert into otp_sends (organisation_id, recipient, otp_id, sent_datetime)
      select ${organisation_id}, recipient, otp_id, to_timestamp(${now_s}::float8)
      from ${rows(tx, entries, 'entry', { recipient: 'text', otp_id: 'uuid' })}`,
    tx`
      insert into otp_counters (organisation_id, kind, key, slot, sent)
      select ${organisation_id}, kind, key, to_timestamp(${slot_s}::float8), count(*)
      from ${rows(tx, entries.flatMap(countersOf), 'counter', { kind: 'text', key: 'text' })}
      group by kind, key
      order by kind, key
      on conflict (organisation_id, kind, key, slot) do update set sent = otp_counters.sent + excluded.sent`,
  ])
}

/** The counters of a request. */
function countersOf({ prefix, country }: Entry): { kind: string; key: string }[] {
  return [
    { kind: 'prefix', key: prefix },
    { kind: 'country', key: country },
    { kind: 'organisation', key: '' },
  ]
}

/** Reverts the counts of one request. All statements lock counters in the same order, which avoids deadlocks. */
export async function uncount(db: Db, organisation_id: string, entry: Entry, slot_s: number): Promise<void> {
  await db`
    with send as (
      delete from otp_sends
      where organisation_id = ${organisation_id} and recipient = ${entry.recipient} and otp_id = ${entry.otp_id}
      returning 1
    ),
    counter as materialized (
      select kind, key from otp_counters
      where organisation_id = ${organisation_id} and slot = to_timestamp(${slot_s}::float8) and sent > 0
        and (kind, key) in (('prefix', ${entry.prefix}), ('country', ${entry.country}), ('organisation', ''))
        and exists (select 1 from send)
      order by kind, key
      for update
    )
    update otp_counters set sent = sent - 1
    from counter
    where organisation_id = ${organisation_id} and slot = to_timestamp(${slot_s}::float8)
      and otp_counters.kind = counter.kind and otp_counters.key = counter.key`
}

/** Stores the new state of each prefix; those without a state are no longer guarded. */
export async function writeGuard(
  tx: Tx,
  organisation_id: string,
  touched: ReadonlyMap<string, Verdict['guard']>,
): Promise<void> {
  const guarded = [...touched].flatMap(([prefix, guard]) => (guard ? [{ prefix, ...guard }] : []))
  const free = [...touched].filter(([, guard]) => !guard).map(([prefix]) => prefix)
  if (free.length > 0) {
    await tx`delete from otp_guard where organisation_id = ${organisation_id} and prefix = any (${free}::text[])`
  }
  if (guarded.length === 0) return
  await tx`
    insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime)
    select ${organisation_id}, prefix, state, sent, verified, to_timestamp(until_s)
    from ${rows(tx, guarded, 'given', {
      prefix: 'text',
      state: 'text',
      sent: 'integer',
      verified: 'integer',
      until_s: 'float8',
    })}
    on conflict (organisation_id, prefix) do update
    set state = excluded.state, sent = excluded.sent, verified = excluded.verified,
      until_datetime = excluded.until_datetime, updated_datetime = excluded.created_datetime`
}
