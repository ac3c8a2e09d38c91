import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import type { Seal } from '../values/secrets/seal.ts'
import { checkToken } from './read-request.ts'
import type { OrganisationOtpSettings, OtpSettings, SettingsBody } from './schema.ts'
import { listTestNumbers, readSettings, replaceTestNumbers, writeSettings, type SettingsRow } from './settings-store.ts'
import { checkTemplate } from './text.ts'

export type SettingsDeps = {
  db: Db
  seal: Seal
  otp_settings: OtpSettings
  notifyChange: (organisation_id: string) => void
}

type Owner = { organisation_id: string; default_country: string }

/** The effective settings: the organisation's own where it has any, else those of the configuration. */
export async function readOtpSettings(
  deps: Omit<SettingsDeps, 'notifyChange'>,
  { organisation_id }: Owner,
): Promise<OrganisationOtpSettings> {
  const [own, test_numbers] = await Promise.all([
    readSettings(deps.db, organisation_id, ''),
    listTestNumbers(deps.db, organisation_id),
  ])
  return {
    template: own.template ?? deps.otp_settings.template,
    ...present('origin', (own.origin ?? deps.otp_settings.origin) || null),
    ...present('fallback_channel', own.fallback_channel),
    ...present('fallback_after_s', own.fallback_after_s),
    ...present('resend_after_s', own.resend_after_s),
    resend_when_late: own.resend_when_late,
    resend_times: own.resend_times,
    test_numbers: test_numbers.map(({ recipient }) => ({ recipient })),
    ...present('updated_datetime', own.updated_datetime),
  }
}

/** Changes the given fields only. */
export async function changeOtpSettings(
  deps: SettingsDeps,
  owner: Owner,
  body: SettingsBody,
  shape_faults: readonly Fault[],
): Promise<OrganisationOtpSettings> {
  refuseIfFaulty(shape_faults)
  const { organisation_id } = owner
  const known = await readSettings(deps.db, organisation_id, '')
  const wish = {
    template: body.template === undefined ? known.template : body.template,
    origin: body.origin === undefined ? known.origin : body.origin,
    fallback_channel: body.fallback_channel === undefined ? known.fallback_channel : body.fallback_channel,
    fallback_after_s: body.fallback_after_s === undefined ? known.fallback_after_s : body.fallback_after_s,
    ...resendWish(known, body),
  }
  const faults: Fault[] = []
  if (typeof body.template === 'string') checkTemplate(body.template, faults)
  if (typeof body.origin === 'string') checkOrigin(body.origin, faults)
  checkFallback(wish, faults)
  checkResend(wish, faults)
  const numbers = body.test_numbers && readTestNumbers(deps.seal, owner, body.test_numbers, faults)
  refuseIfFaulty(faults)
  await transaction(deps.db, async (tx) => {
    await writeSettings(tx, organisation_id, wish)
    if (numbers) await replaceTestNumbers(tx, organisation_id, numbers)
  })
  deps.notifyChange(organisation_id)
  return readOtpSettings(deps, owner)
}

/** The binding under which the fixed token of a test number is sealed. */
export function testNumberSeal(organisation_id: string, recipient: string): string {
  return `test number ${organisation_id} ${recipient}`
}

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/
const LONGEST_DOMAIN = 100

function checkOrigin(origin: string, faults: Fault[]): void {
  if (origin === '' || (DOMAIN.test(origin) && origin.length <= LONGEST_DOMAIN)) return
  faults.push({ field: 'origin', message: 'This is not a domain such as example.com.', type: 'invalid' })
}

function checkFallback(
  { fallback_channel, fallback_after_s }: { fallback_channel: string | null; fallback_after_s: number | null },
  faults: Fault[],
): void {
  if ((fallback_channel === null) === (fallback_after_s === null)) return
  const field = fallback_channel === null ? 'fallback_channel' : 'fallback_after_s'
  const message = 'A fallback needs both a channel and a delay in seconds; set both to null to remove it.'
  faults.push({ field, message, type: 'missing' })
}

/** The longest delay, if only `resend_when_late` is set. */
const LONGEST_DELAY_S = 60

type ResendWish = Pick<SettingsRow, 'resend_after_s' | 'resend_when_late' | 'resend_times'>

function resendWish(known: ResendWish, body: SettingsBody): ResendWish {
  const resend_when_late =
    body.resend_when_late === undefined ? known.resend_when_late : (body.resend_when_late ?? false)
  const unless_given = known.resend_after_s ?? (resend_when_late ? LONGEST_DELAY_S : null)
  const resend_after_s = body.resend_after_s === undefined ? unless_given : body.resend_after_s
  const resend_times = body.resend_times === undefined ? known.resend_times : (body.resend_times ?? 1)
  return { resend_when_late, resend_after_s, resend_times }
}

function checkResend({ resend_after_s, resend_when_late, resend_times }: ResendWish, faults: Fault[]): void {
  if (resend_after_s !== null) return
  if (resend_when_late) {
    const message = 'A late report needs a longest delay in seconds; set resend_when_late to false to remove both.'
    faults.push({ field: 'resend_after_s', message, type: 'missing' })
  } else if (resend_times > 1) {
    const message = 'Several further tokens need a delay in seconds; set resend_times to 1 to remove both.'
    faults.push({ field: 'resend_after_s', message, type: 'missing' })
  }
}

function readTestNumbers(
  seal: Seal,
  { organisation_id, default_country }: Owner,
  given: readonly { recipient: string; token: string }[],
  faults: Fault[],
): { recipient: string; sealed_token: Buffer }[] {
  const numbers = new Map<string, Buffer>()
  for (const [n, { recipient: raw, token }] of given.entries()) {
    const recipient = cleanPhone(raw, dialPlan(default_country))
    checkToken(`test_numbers[${n}].token`, token, faults)
    if (recipient === undefined) {
      const message = 'This is not a phone number.'
      faults.push({ field: `test_numbers[${n}].recipient`, message, type: 'phone_invalid' })
    } else {
      numbers.set(recipient, seal.close(token, testNumberSeal(organisation_id, recipient)))
    }
  }
  return [...numbers].map(([recipient, sealed_token]) => ({ recipient, sealed_token }))
}
