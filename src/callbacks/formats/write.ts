import { signatureHeaders } from '../signing/signature.ts'
import type { PostForm } from '../post/write-request.ts'
import type { WebhookFormat } from '../webhooks/schema.ts'
import { readAddress } from './address.ts'
import { readEvent } from './event.ts'
import { kannelUrl } from './kannel.ts'
import { simpuBody, simpuSignature, type EventSubject } from './simpu.ts'
import { twilioParams, twilioSid, twilioSignature } from './twilio.ts'

export type OutgoingCallback = { url: string; headers: Record<string, string>; body: string; form?: PostForm }

type ToWrite = { event_id: string; url: string; body: string; format: WebhookFormat | null }

type Signers<Callback> = {
  secretsOf: (organisation_id: string, callback: Callback) => Promise<readonly string[]>
  authTokenOf: (key_id: string) => string
  findSubject: (organisation_id: string, callback: Callback) => Promise<EventSubject | undefined>
}

/**
 * Writes the request of a callback in the receiver's format. The stored body is the event in the standard format; other
 * formats are derived from it at each attempt. Undefined: there is no secret to sign it with.
 */
export async function writeCallback<Callback extends ToWrite>(
  callback: Callback,
  organisation_id: string,
  signers: Signers<Callback>,
): Promise<OutgoingCallback | undefined> {
  const { event_id, body } = callback
  const address = readAddress(callback.url)
  const { url } = address
  if (address.format === 'kannel') {
    return { url: kannelUrl(url, address.username, readEvent(body)), headers: {}, body: '', form: GET }
  }
  if (address.format === 'twilio') {
    return writeTwilio(url, address.account_sid, signers.authTokenOf(address.key_id), body)
  }
  const secrets = await signers.secretsOf(organisation_id, callback)
  const [newest] = secrets
  if (newest === undefined) return undefined
  if (callback.format === 'twilio') return writeTwilio(url, twilioSid('AC', organisation_id), newest, body)
  const now_s = Math.floor(Date.now() / 1_000)
  if (callback.format !== 'simpu') return { url, headers: signatureHeaders(secrets, event_id, now_s, body), body }
  const subject = await signers.findSubject(organisation_id, callback)
  const written = simpuBody(readEvent(body), organisation_id, subject?.callback || url, subject)
  const headers = {
    ...signatureHeaders(secrets, event_id, now_s, written),
    'x-simpu-webhook-signature': simpuSignature(newest, written),
  }
  return { url, headers, body: written }
}

function writeTwilio(url: string, account_sid: string, auth_token: string, body: string): OutgoingCallback {
  const params = twilioParams(account_sid, readEvent(body))
  const headers = { 'x-twilio-signature': twilioSignature(auth_token, url, params) }
  return { url, headers, body: new URLSearchParams(params).toString(), form: TWILIO_POST }
}

const GET: PostForm = { method: 'GET' }
/** The response may be TwiML. */
const TWILIO_POST: PostForm = { content_type: 'application/x-www-form-urlencoded', keeps_text: true }
