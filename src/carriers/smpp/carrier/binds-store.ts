import type { Db } from '../../../db/connect.ts'
import type { BindFigures, BindStateName, SeenPdu } from '../../schema.ts'
import { rows } from '../../../db/rows.ts'

export type Heartbeat = {
  bind: number
  state: string
  figures: object
  /** Undefined: keeps the stored ones. */
  pdus: object | undefined
}

export type BindRow = {
  carrier: string
  bind: number
  /** The process that holds its lease; null: none. */
  holder: string | null
  state: BindStateName
  figures: BindFigures | null
  pdus: SeenPdu[] | null
  updated_datetime: string
}

/** Creates a row for each bind of a carrier. Rows beyond the configured number are deleted once their lease has expired. */
export async function ensureBinds(db: Db, carrier: string, count: number): Promise<void> {
  await db`
    insert into carrier_binds (carrier, bind)
    select ${carrier}, bind from generate_series(1, ${count}::integer) as bind
    on conflict (carrier, bind) do nothing`
  await db`delete from carrier_binds where carrier = ${carrier} and bind > ${count} and lease_until < now()`
}

/** Leases one bind whose lease is free. */
export async function leaseBind(
  db: Db,
  carrier: string,
  count: number,
  holder: string,
  lease_s: number,
): Promise<number | undefined> {
  const [row] = await db<{ bind: number }[]>`
    update carrier_binds
    set holder = ${holder}, lease_until = now() + ${lease_s} * interval '1 s', state = 'connecting',
      figures = null, pdus = null, updated_datetime = now()
    where (carrier, bind) = (
      select carrier, bind from carrier_binds
      where carrier = ${carrier} and bind <= ${count} and lease_until < now()
      order by bind limit 1
      for update skip locked
    )
    returning bind`
  return row?.bind
}

/** Renews the leases of our binds and stores their figures. Returns those that are still ours. */
export async function renewBinds(
  db: Db,
  carrier: string,
  holder: string,
  lease_s: number,
  beats: readonly Heartbeat[],
): Promise<number[]> {
  if (beats.length === 0) return []
  const kept = await db<{ bind: number }[]>`
    update carrier_binds
    set lease_until = now() + ${lease_s} * interval '1 s', state = beat.state,
      bound_datetime = case when beat.state = 'bound' then now() else bound_datetime end,
      figures = beat.figures, pdus = coalesce(beat.pdus, carrier_binds.pdus), updated_datetime = now()
    from ${rows(db, beats, 'beat', { bind: 'smallint', state: 'text', figures: 'jsonb', pdus: 'jsonb' })}
    where carrier = ${carrier} and carrier_binds.bind = beat.bind and holder = ${holder}
    returning carrier_binds.bind`
  return kept.map(({ bind }) => bind)
}

/** Releases our leases, so that another process need not wait until they expire. */
export async function releaseBinds(db: Db, carrier: string, holder: string): Promise<void> {
  await db`
    update carrier_binds
    set holder = null, lease_until = '-infinity', state = 'stopped', updated_datetime = now()
    where carrier = ${carrier} and holder = ${holder}`
}

/** Milliseconds since any bind of the carrier was up, in any process; null when none ever was. */
export async function readDownFor(db: Db, carrier: string): Promise<number | null> {
  const [row] = await db<{ down_ms: number | null }[]>`
    select (1000 * extract(epoch from now() - max(
      case when state = 'bound' and lease_until >= now() then now() else bound_datetime end
    )))::float8 as down_ms
    from carrier_binds where carrier = ${carrier}`
  return row?.down_ms ?? null
}

/** Binds that were held in the last day; carriers of the others are no longer configured. */
export async function readBinds(db: Db): Promise<BindRow[]> {
  return db<BindRow[]>`
    select carrier, bind, case when lease_until >= now() then holder end as holder,
      case when lease_until >= now() then state else 'stopped' end as state, figures, pdus, updated_datetime
    from carrier_binds
    where updated_datetime > now() - interval '1 day'
    order by carrier, bind`
}

/** When the certificates of SMSCs expire, as the binds that are up over TLS saw them. */
export async function listBindCertificates(db: Db): Promise<{ carrier: string; expires: string }[]> {
  return db<{ carrier: string; expires: string }[]>`
    select carrier, min(figures->>'certificate_expires') as expires from carrier_binds
    where lease_until >= now() and state = 'bound' and figures->>'certificate_expires' is not null
    group by carrier order by carrier`
}
