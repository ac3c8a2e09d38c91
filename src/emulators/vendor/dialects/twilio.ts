import { createHash, createHmac } from 'node:crypto'
import { basic, digits, optionalNumber, type VendorRequest, type Dialect, type End } from '../dialect.ts'

const credentials = { account_sid: 'AC00000000000000000000000000000019', auth_token: 'token-of-the-emulator' }
const ROOT = `/2010-04-01/Accounts/${credentials.account_sid}`
const FEEDBACK = new RegExp(`^${ROOT}/Messages/(SM[0-9a-f]{32})/Feedback\\.json$`)
const WORDS: Record<End, string> = { delivered: 'delivered', lost: 'undelivered', disowned: 'failed' }

const error = (status: number, code: number, message: string) => ({
  status,
  json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

const sidOf = (id: string): string => `SM${createHash('md5').update(id).digest('hex')}`

/** Signs the URL and the form fields sorted by name. */
function signed(address: string, body: string): Record<string, string> {
  const fields = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1))
  const over = address + fields.map(([name, value]) => name + value).join('')
  return { 'x-twilio-signature': createHmac('sha1', credentials.auth_token).update(over).digest('base64') }
}

function isKnown(request: VendorRequest): boolean {
  return basic(request) === `${credentials.account_sid}:${credentials.auth_token}`
}

export const twilio: Dialect = {
  credentials,
  read(request) {
    const { method, path, form } = request
    if (!isKnown(request)) return { response: error(401, 20003, 'Authenticate') }
    if (path === `${ROOT}/Balance.json`) {
      return {
        response: { status: 200, json: { account_sid: credentials.account_sid, balance: '12.34', currency: 'USD' } },
      }
    }
    const [, sid] = FEEDBACK.exec(path) ?? []
    if (method === 'POST' && sid !== undefined) {
      const outcome = form.get('Outcome') ?? ''
      if (outcome !== 'confirmed' && outcome !== 'unconfirmed') {
        return { response: error(400, 20001, `Invalid parameter Outcome: ${outcome}`) }
      }
      const [account_sid, time] = [credentials.account_sid, new Date().toUTCString()]
      return {
        response: {
          status: 201,
          json: { account_sid, message_sid: sid, outcome, date_created: time, date_updated: time },
        },
        feedback: { id: sid, verified: outcome === 'confirmed', time },
      }
    }
    if (method !== 'POST' || path !== `${ROOT}/Messages.json`) return { response: error(404, 20404, 'Not found') }
    const [to, from, text] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Body') ?? '']
    if (!to.startsWith('+')) return { response: error(400, 21211, `Invalid 'To' Phone Number: ${to}`) }
    const expires_in_s = optionalNumber(form.get('ValidityPeriod'))
    const report_to = form.get('StatusCallback') || undefined
    const wants_feedback = form.get('ProvideFeedback') === 'true'
    return { messages: [{ to: digits(to), from, text, expires_in_s, report_to, wants_feedback }] }
  },
  answer([fate]) {
    switch (fate?.made) {
      case 'refused':
        return error(400, 21610, 'Attempt to send to unsubscribed recipient')
      case 'refused_here':
        return error(
          400,
          21606,
          "The 'From' phone number provided is not a valid message-capable number for this destination",
        )
      case 'put_off':
        return error(429, 20429, 'Too Many Requests')
      case 'taken':
      case 'known':
      case undefined: {
        const sid = sidOf(fate?.ids[0] ?? '')
        const sent = fate?.sent
        return {
          status: 201,
          json: {
            sid,
            status: 'queued',
            to: sent && `+${sent.to}`,
            from: sent?.from,
            body: sent?.text,
            price: null,
            price_unit: 'USD',
            num_segments: '1',
            error_code: null,
            error_message: null,
          },
        }
      }
    }
  },
  report(id, { to, from, report_to }, end) {
    const status = WORDS[end]
    const MessageSid = sidOf(id)
    return {
      to: report_to ?? 'reports',
      method: 'POST',
      headers: signed,
      form: {
        ApiVersion: '2010-04-01',
        AccountSid: credentials.account_sid,
        From: from,
        MessageSid,
        MessageStatus: status,
        SmsSid: MessageSid,
        SmsStatus: status,
        To: `+${to}`,
        ...(end === 'delivered' ? {} : { ErrorCode: '30003' }),
      },
    }
  },
  text: (id, from, to, text) => ({
    to: 'texts',
    method: 'POST',
    headers: signed,
    form: {
      AccountSid: credentials.account_sid,
      Body: text,
      From: `+${from}`,
      MessageSid: sidOf(id),
      NumMedia: '0',
      To: to,
    },
  }),
  state(request, find) {
    const [, sid] = new RegExp(`^${ROOT}/Messages/(SM[0-9a-f]{32})\\.json$`).exec(request.path) ?? []
    if (sid === undefined || !isKnown(request)) return undefined
    const stored = find(sid)
    if (!stored) return error(404, 20404, 'Not found')
    return {
      status: 200,
      json: { sid, status: stored.end ? WORDS[stored.end] : 'sent', error_code: null, error_message: null },
    }
  },
}
