import type { Db, Tx } from '../db/connect.ts'

export type SettingsRow = {
  name: string
  default_country: string
  default_sender_id: string | null
  currency: string
  smart_encoding: boolean
  inbound_url: string | null
  quiet_from: string | null
  quiet_until: string | null
  whatsapp_fallback: boolean
  low_balance: bigint | null
  time_zone: string | null
  confirm_above: number | null
}

/** Within a transaction, locks the row. */
export async function readSettings(sql: Db | Tx, organisation_id: string, lock = false): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select name, default_country, default_sender_id, currency, smart_encoding, inbound_url,
      to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_until, 'HH24:MI') as quiet_until, whatsapp_fallback,
      low_balance, time_zone, confirm_above
    from organisations where id = ${organisation_id} ${lock ? sql`for update` : sql``}`
  if (!row) throw new Error(`organisation ${organisation_id} does not exist`)
  return row
}

export async function writeSettings(tx: Tx, organisation_id: string, row: SettingsRow): Promise<void> {
  await tx`
    update organisations
    set name = ${row.name}, default_country = ${row.default_country}, default_sender_id = ${row.default_sender_id},
      smart_encoding = ${row.smart_encoding}, inbound_url = ${row.inbound_url},
      quiet_from = ${row.quiet_from}::time, quiet_until = ${row.quiet_until}::time,
      whatsapp_fallback = ${row.whatsapp_fallback},
      low_balance = ${row.low_balance === null ? null : String(row.low_balance)}::bigint,
      time_zone = ${row.time_zone}, confirm_above = ${row.confirm_above}
    where id = ${organisation_id}`
}

/** Whether free text that WhatsApp rejects is sent by SMS instead. */
export async function readWhatsappFallback(db: Db, organisation_id: string): Promise<boolean> {
  const [row] = await db<{ whatsapp_fallback: boolean }[]>`
    select whatsapp_fallback from organisations where id = ${organisation_id}`
  return row?.whatsapp_fallback ?? false
}

export async function readInboundUrl(tx: Tx, organisation_id: string): Promise<string | null> {
  const [row] = await tx<{ inbound_url: string | null }[]>`
    select inbound_url from organisations where id = ${organisation_id}`
  return row?.inbound_url ?? null
}

/** The time zone and the current time; the country is null if the organisation does not exist. */
export async function readClockRow(
  db: Db,
  organisation_id: string,
): Promise<{ time_zone: string | null; default_country: string | null; now_ms: number }> {
  const [row] = await db<{ time_zone: string | null; default_country: string | null; now_ms: number }[]>`
    select time_zone, default_country, floor(extract(epoch from now()) * 1000)::float8 as now_ms
    from (select 1) always left join organisations on id = ${organisation_id}`
  return row ?? { time_zone: null, default_country: null, now_ms: Date.now() }
}
