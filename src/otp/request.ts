import { createHmac } from 'node:crypto'
import { orReplay } from '../billing/replay.ts'
import { knowsKey } from '../billing/store.ts'
import type { ChargeSale, Receipt, Sale } from '../billing/charge.ts'
import type { WhatsappRules } from '../carriers/whatsapp/rules.ts'
import type { Db } from '../db/connect.ts'
import { composeSecretText } from '../messaging/compose/secret-text.ts'
import { PRIORITY, type Draft, type Sender } from '../messaging/draft.ts'
import { checkApproved } from '../messaging/compose/check.ts'
import { BLOCKED } from '../messaging/compose/recipients.ts'
import { tariffFor } from '../messaging/compose/number.ts'
import type { TariffOf } from '../messaging/compose/tariff.ts'
import { refuseClosedWindow } from '../messaging/compose/whatsapp.ts'
import { noteOtp } from '../messaging/counters.ts'
import type { Meters } from '../observe/meters.ts'
import type { Limits } from '../organisations/limits.ts'
import type { Fees, FeesOf } from '../prices/fees.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { newId } from '../values/id.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import type { Seal } from '../values/secrets/seal.ts'
import type { OtpItem } from './accept.ts'
import type { Admission } from './admission/admit.ts'
import { readRequest, type OtpRequest } from './read-request.ts'
import type { InstallationKeys } from './pepper.ts'
import { otpRecord, sentAnswer } from './record.ts'
import type { ReportTimes } from './report-times.ts'
import type { OtpSettings, RequestBody } from './schema.ts'
import { readSettings, type SettingsRow } from './settings-store.ts'
import { testNumberSeal } from './settings.ts'
import { insertOtp, type NewOtp, type OtpFees } from './store.ts'
import { hideToken, writeText } from './text.ts'
import { fallbackSeal, hashToken, otherToken } from './token.ts'

export type RequestDeps = {
  /** Read by primary key only. */
  db: Db
  chargeOtp: ChargeSale<OtpItem>
  wakeups: Wakeups
  meters: Meters
  tariffOf: TariffOf
  feesOf: FeesOf
  seal: Seal
  pepper_keys: InstallationKeys
  otp_settings: OtpSettings
  admission: Admission
  report_times: ReportTimes
  limits: Pick<Limits, 'takeMessages'>
  whatsapp: WhatsappRules
  /** No real carrier is configured: any sender ID is accepted. */
  sandbox: boolean
  /** Whether the operator of the service blocks the number. */
  isBlocked: (recipient: string) => boolean
}

/** Sends a token: message and OTP are charged and stored in one transaction. Nothing is sent to a test number. */
export async function requestOtp(
  deps: RequestDeps,
  sender: Sender & { has_otp_settings: boolean },
  body: Partial<RequestBody>,
  request: Asked,
): Promise<Receipt> {
  const idempotency = request.idempotency && pepperKey(deps.pepper_keys, request.idempotency)
  const sell = (): Promise<Receipt> => sellOtp(deps, sender, body, { ...request, idempotency })
  return orReplay(deps.db, sender.organisation_id, idempotency, sell)
}

type Asked = {
  shape_faults: readonly Fault[]
  idempotency?: Sale<OtpItem>['idempotency']
  /** The whole text, if the caller wrote it; without a token in the body, the token in it is unknown. */
  text?: string | undefined
  /** The Twilio Verify service it is sent for. */
  service_sid?: string | undefined
}

async function sellOtp(
  deps: RequestDeps,
  sender: Sender & { has_otp_settings: boolean },
  body: Partial<RequestBody>,
  request: Asked,
): Promise<Receipt> {
  const asked = readRequest(sender, body, request.shape_faults)
  if (deps.isBlocked(asked.recipient)) refuseIfFaulty([{ field: 'recipient', ...BLOCKED }])
  const { organisation_id } = sender
  const settings = sender.has_otp_settings
    ? await readSettings(deps.db, organisation_id, asked.recipient)
    : { ...NO_SETTINGS, test_token: null }
  const { service_sid } = request
  if (settings.test_token !== null) return requestFixedOtp(deps, sender, { ...asked, service_sid }, settings.test_token)

  const id = newId()
  const is_known = request.text === undefined || body.token !== undefined
  const is_generated = body.token === undefined
  const draft = await draftMessage(deps, sender, id, asked, settings, request.text, is_known)
  const fees = otpFees(await deps.feesOf(sender.price_list_id))
  await refuseClosedWindow(deps.whatsapp, draft)
  const { idempotency } = request
  // A retry gets the first response again, even if the first request exhausted the limit.
  const retried = idempotency !== undefined && (await knowsKey(deps.db, organisation_id, idempotency.key))
  const exceeded = retried ? undefined : await deps.limits.takeMessages(sender, 1)
  if (exceeded) throw exceeded
  const admitted = retried ? undefined : await deps.admission.admit(sender, { otp_id: id, recipient: asked.recipient })
  const fee = (fees.request_fee ?? 0n) + (fees.verified_fee ?? 0n)
  try {
    const receipt = await deps.chargeOtp(organisation_id, {
      subject_id: id,
      amount: draft.charge + fee,
      fee,
      spending_limit: sender.spending_limit,
      idempotency,
      answer: sentAnswer(id, asked.recipient),
      item: {
        draft,
        otp: newOtp(
          deps,
          id,
          { ...asked, service_sid, is_generated, route: draft.deliveries[0]?.route },
          is_known ? settings : NO_SETTINGS,
          admitted?.counted_slot ?? null,
          fees,
        ),
      },
      weight: 2,
    })
    if (receipt.replayed) await admitted?.release()
    else {
      deps.meters.accepted.inc({ channel: draft.channel }, draft.deliveries.length)
      countRequested(deps, organisation_id, { id, recipient: asked.recipient })
    }
    deps.meters.otps.inc({ event: receipt.replayed ? 'replayed' : 'requested' })
    return receipt
  } catch (fault) {
    await admitted?.release()
    throw fault
  }
}

async function draftMessage(
  deps: RequestDeps,
  sender: Sender,
  id: string,
  asked: OtpRequest,
  own: SettingsRow,
  theirs: string | undefined,
  is_known: boolean,
): Promise<Draft> {
  const { template, origin } = deps.otp_settings
  const { recipient, channel, minutes, token } = asked
  const facts = { token, minutes, sender_id: sender.default_sender_id }
  const { text, shown } =
    theirs === undefined
      ? writeText(own.template ?? template, own.origin ?? origin, facts)
      : { text: theirs, shown: hideToken(theirs, is_known ? token : undefined) }
  const faults: Fault[] = []
  checkApproved(deps, sender, { sender_id: sender.default_sender_id, channel }, faults)
  const draft = composeSecretText(
    {
      tariff: await tariffFor(deps, sender, { sender_id: sender.default_sender_id, channel }, faults),
      seal: deps.seal,
    },
    {
      id,
      channel,
      sender_id: sender.default_sender_id,
      recipient,
      text,
      token: is_known ? token : undefined,
      shown,
      priority: PRIORITY.otp,
      expires_in_s: minutes * 60,
    },
    faults,
  )
  refuseIfFaulty(faults)
  if (!draft) throw new Error('a message without faults was not composed')
  return draft
}

function newOtp(
  { pepper_keys, seal, report_times }: RequestDeps,
  id: string,
  wish: Wish,
  settings: SettingsRow,
  counted_slot: string | null,
  fees: OtpFees,
): NewOtp {
  const { recipient, channel, minutes, token, service_sid, is_generated } = wish
  const second = secondMessage(report_times, settings, wish)
  return {
    id,
    recipient,
    token_hash: hashToken(pepper_keys.token_key, id, token),
    minutes,
    counted_slot,
    service_sid,
    channel,
    fees,
    fallback: second && {
      ...second,
      message_id: newId(),
      // A generated token is followed by another one, so that the one that is entered names its message.
      sealed_token: seal.close(is_generated ? otherToken(token) : token, fallbackSeal(id)),
    },
  }
}

type Wish = OtpRequest & Pick<Asked, 'service_sid'> & { is_generated: boolean; route?: string | undefined }

/** The second message: on the second channel if there is one, or through the next carrier. */
function secondMessage(
  report_times: ReportTimes,
  { fallback_channel, fallback_after_s, resend_after_s, resend_when_late, resend_times }: SettingsRow,
  { recipient, channel, is_generated, route }: Wish,
): Omit<NonNullable<NewOtp['fallback']>, 'message_id' | 'sealed_token'> | undefined {
  if (fallback_channel !== null && fallback_channel !== channel && fallback_after_s !== null) {
    return { channel: fallback_channel, after_s: fallback_after_s, through_next_carrier: false, resends_left: 0 }
  }
  if (resend_after_s === null || !is_generated) return undefined
  const after_s =
    resend_when_late && route !== undefined
      ? report_times.lateAfterS({ recipient, channel, route, longest_s: resend_after_s })
      : resend_after_s
  return { channel, after_s, through_next_carrier: true, resends_left: resend_times - 1 }
}

/** Stores the OTP of a test number (for app store reviewers and end-to-end tests): no message, no charge. */
async function requestFixedOtp(
  deps: RequestDeps,
  sender: Sender,
  asked: OtpRequest & Pick<Asked, 'service_sid'>,
  sealed: Buffer,
): Promise<Receipt> {
  const { organisation_id } = sender
  const token = deps.seal.open(sealed, testNumberSeal(organisation_id, asked.recipient))
  if (token === undefined) throw new Error('a fixed token was sealed under another pepper: set the test numbers again')
  const id = newId()
  const otp = newOtp(deps, id, { ...asked, token, is_generated: false }, NO_SETTINGS, null, {})
  const answer = JSON.stringify(otpRecord(await insertOtp(deps.db, organisation_id, otp)))
  countRequested(deps, organisation_id, otp)
  return { answer, replayed: false }
}

/** A fee of zero is none. */
function otpFees({ otp_per_request, otp_per_verified }: Fees): OtpFees {
  return { request_fee: otp_per_request || undefined, verified_fee: otp_per_verified || undefined }
}

function countRequested(
  { meters }: RequestDeps,
  organisation_id: string,
  otp: { id: string; recipient: string },
): void {
  meters.activity.note(organisation_id, 'otp_sent', 1)
  noteOtp(meters.analytics, organisation_id, otp, 'otp_requested')
}

const NO_SETTINGS: SettingsRow = {
  template: null,
  origin: null,
  fallback_channel: null,
  fallback_after_s: null,
  resend_after_s: null,
  resend_when_late: false,
  resend_times: 1,
  updated_datetime: null,
}

/** Keys the request hash: the body may hold a token, and an unkeyed hash of so short a secret could be guessed. */
function pepperKey(
  { request_key }: InstallationKeys,
  { key, request_hash }: NonNullable<Sale<OtpItem>['idempotency']>,
) {
  return { key, request_hash: createHmac('sha256', request_key).update(request_hash).digest() }
}
