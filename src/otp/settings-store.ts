import type { Channel } from '../carriers/message-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'

export type SettingsRow = {
  template: string | null
  origin: string | null
  fallback_channel: Channel | null
  fallback_after_s: number | null
  resend_after_s: number | null
  /** The second message is sent when the report is late by the evidence; `resend_after_s` is the longest delay. */
  resend_when_late: boolean
  /** How often another token is sent at most. */
  resend_times: number
  updated_datetime: string | null
}

/** The organisation's own settings, and the fixed token of this number if it is a test number. */
export async function readSettings(
  db: Db,
  organisation_id: string,
  recipient: string,
): Promise<SettingsRow & { test_token: Buffer | null }> {
  const [row] = await db<(SettingsRow & { test_token: Buffer | null })[]>`
    select template, origin, fallback_channel, fallback_after_s, resend_after_s,
      coalesce(resend_when_late, false) as resend_when_late, coalesce(resend_times, 1) as resend_times, updated_datetime,
      (select sealed_token from otp_test_numbers
        where organisation_id = ${organisation_id} and recipient = ${recipient}) as test_token
    from (select 1) one left join otp_settings on organisation_id = ${organisation_id}`
  if (!row) throw new Error('a select without a table gives a row')
  return row
}

export async function listTestNumbers(db: Db, organisation_id: string): Promise<{ recipient: string }[]> {
  return db<{ recipient: string }[]>`
    select recipient from otp_test_numbers where organisation_id = ${organisation_id} order by recipient`
}

export async function writeSettings(
  tx: Tx,
  organisation_id: string,
  settings: Omit<SettingsRow, 'updated_datetime'>,
): Promise<void> {
  const { template, origin, fallback_channel, fallback_after_s, resend_after_s, resend_when_late, resend_times } =
    settings
  await tx`
    insert into otp_settings
      (organisation_id, template, origin, fallback_channel, fallback_after_s, resend_after_s, resend_when_late,
       resend_times, updated_datetime)
    values (${organisation_id}, ${template}, ${origin}, ${fallback_channel}, ${fallback_after_s}, ${resend_after_s},
      ${resend_when_late}, ${resend_times}, now())
    on conflict (organisation_id) do update
    set template = excluded.template, origin = excluded.origin, fallback_channel = excluded.fallback_channel,
      fallback_after_s = excluded.fallback_after_s, resend_after_s = excluded.resend_after_s,
      resend_when_late = excluded.resend_when_late, resend_times = excluded.resend_times,
      updated_datetime = excluded.updated_datetime`
}

export async function replaceTestNumbers(
  tx: Tx,
  organisation_id: string,
  numbers: readonly { recipient: string; sealed_token: Buffer }[],
): Promise<void> {
  await tx`delete from otp_test_numbers where organisation_id = ${organisation_id}`
  await tx`
    insert into otp_test_numbers (organisation_id, recipient, sealed_token)
    select ${organisation_id}, recipient, sealed_token
    from ${rows(tx, numbers, 'given', { recipient: 'text', sealed_token: 'bytea' })}
    on conflict (organisation_id, recipient) do update set sealed_token = excluded.sealed_token`
}
