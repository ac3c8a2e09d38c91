import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { moneyFromNumber, moneyToNumber } from '../values/money.ts'
import { isCountry } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { isTimeZone } from '../values/time/time-zone.ts'
import { CONFIRM_ABOVE, type SettingsAnswer, type SettingsBody } from './schema.ts'
import { readSettings, writeSettings, type SettingsRow } from './settings-store.ts'
import { timeZoneOf } from './time-zone.ts'

export type SettingsDeps = {
  db: Db
  notifyChange: (organisation_id: string) => void
  /** The fault of a URL for incoming messages, if it has one. */
  urlFault: (url: string) => string | undefined
  /** The fault of a default sender, if it has one. */
  senderFault: (tx: Tx, sender_id: string) => Promise<string | undefined>
}

export async function readOrganisationSettings(deps: { db: Db }, organisation_id: string): Promise<SettingsAnswer> {
  return shown(await readSettings(deps.db, organisation_id))
}

/** Changes the given fields only; null removes a value. */
export async function changeOrganisationSettings(
  deps: SettingsDeps,
  organisation_id: string,
  body: SettingsBody,
  shape_faults: readonly Fault[],
): Promise<SettingsAnswer> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const wish = Object.fromEntries(
    FIELDS.filter((field) => body[field] !== undefined && !misshapen.has(field)).map((field) => [field, body[field]]),
  ) as Partial<SettingsRow>
  if (body.low_balance !== undefined && !misshapen.has('low_balance'))
    wish.low_balance = lowBalance(body.low_balance, faults)
  await transaction(deps.db, async (tx) => {
    const after = { ...(await readSettings(tx, organisation_id, true)), ...wish }
    checkFields(deps, wish, faults)
    if (!misshapen.has('quiet_from') && !misshapen.has('quiet_until')) checkQuietHours(after, faults)
    const sender_fault = wish.default_sender_id != null && (await senderFault(deps, tx, wish.default_sender_id))
    if (sender_fault) faults.push({ field: 'default_sender_id', message: sender_fault, type: 'invalid' })
    refuseIfFaulty(faults)
    await writeSettings(tx, organisation_id, after)
  })
  deps.notifyChange(organisation_id)
  return readOrganisationSettings(deps, organisation_id)
}

const FIELDS = [
  'name',
  'default_country',
  'default_sender_id',
  'smart_encoding',
  'inbound_url',
  'quiet_from',
  'quiet_until',
  'whatsapp_fallback',
  'time_zone',
  'confirm_above',
] as const

function lowBalance(given: number | null, faults: Fault[]): bigint | null {
  const amount = given === null ? null : moneyFromNumber(given)
  if (amount === undefined) faults.push({ field: 'low_balance', message: 'At most four decimals.', type: 'invalid' })
  return amount ?? null
}

const SENDER = /^[A-Za-z0-9 ._&-]{1,11}$/

async function senderFault(deps: SettingsDeps, tx: Tx, sender_id: string): Promise<string | undefined> {
  if (!SENDER.test(sender_id) || sender_id.trim() === '') {
    return 'A sender ID has 1 to 11 letters, digits, blanks or -_.& characters.'
  }
  return deps.senderFault(tx, sender_id)
}

function checkFields(deps: SettingsDeps, wish: Partial<SettingsRow>, faults: Fault[]): void {
  if (wish.name?.includes('\u0000')) {
    faults.push({ field: 'name', message: 'This value holds a NUL character.', type: 'invalid' })
  }
  if (wish.default_country !== undefined && !isCountry(wish.default_country)) {
    const message = `${wish.default_country} is not a country code such as NG.`
    faults.push({ field: 'default_country', message, type: 'invalid' })
  }
  if (wish.time_zone != null && !isTimeZone(wish.time_zone)) {
    const message = `${wish.time_zone} is not the name of a time zone such as Africa/Lagos.`
    faults.push({ field: 'time_zone', message, type: 'invalid' })
  }
  const url_fault = wish.inbound_url != null && deps.urlFault(wish.inbound_url)
  if (url_fault) faults.push({ field: 'inbound_url', message: url_fault, type: 'url_parsing' })
}

function checkQuietHours({ quiet_from, quiet_until }: SettingsRow, faults: Fault[]): void {
  if ((quiet_from === null) !== (quiet_until === null)) {
    const field = quiet_from === null ? 'quiet_from' : 'quiet_until'
    const message = 'Quiet hours need both a start and an end; set both to null to remove them.'
    faults.push({ field, message, type: 'missing' })
  } else if (quiet_from !== null && quiet_from === quiet_until) {
    const message = 'Quiet hours must not start and end at the same time.'
    faults.push({ field: 'quiet_until', message, type: 'invalid' })
  }
}

function shown(row: SettingsRow): SettingsAnswer {
  return {
    name: row.name,
    default_country: row.default_country,
    ...present('default_sender_id', row.default_sender_id),
    currency: row.currency,
    smart_encoding: row.smart_encoding,
    ...present('inbound_url', row.inbound_url),
    ...present('quiet_from', row.quiet_from),
    ...present('quiet_until', row.quiet_until),
    whatsapp_fallback: row.whatsapp_fallback,
    ...present('low_balance', row.low_balance === null ? null : moneyToNumber(row.low_balance)),
    time_zone: timeZoneOf(row),
    confirm_above: row.confirm_above ?? CONFIRM_ABOVE,
  }
}
