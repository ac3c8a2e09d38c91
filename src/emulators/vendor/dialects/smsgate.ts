import { createHmac } from 'node:crypto'
import { at } from '../../../carriers/vendor-values.ts'
import { basic, digits, type VendorRequest, type Dialect, type End } from '../dialect.ts'

const credentials = { username: 'SMSGAT', password: 'password-of-the-emulator', signing_key: 'key-of-the-emulator' }
const EVENTS: Record<End, string> = { delivered: 'sms:delivered', lost: 'sms:failed', disowned: 'sms:cancelled' }
const STATES: Record<End, string> = { delivered: 'Delivered', lost: 'Failed', disowned: 'Cancelled' }
const DEVICE = 'PyDmBQZZXYmyxMwED8Fzy'

/** Signs the body and the time. */
function signed(_address: string, body: string): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', credentials.signing_key)
    .update(body + time)
    .digest('hex')
  return { 'x-signature': signature, 'x-timestamp': time }
}

const isKnown = (request: VendorRequest): boolean =>
  basic(request) === `${credentials.username}:${credentials.password}`

/** The cloud server and the server on the phone differ in their paths only. */
export function makeSmsgate(base_path: string): Dialect {
  return {
    credentials,
    base_path,
    knows_ids: true,
    read(request) {
      const { method, path, json } = request
      if (!isKnown(request)) return { response: { status: 401, json: { message: 'Unauthorized' } } }
      if (path !== `${base_path}/messages`) return { response: { status: 404, json: { message: 'Not Found' } } }
      if (method === 'GET') return { response: { status: 200, json: [] } }
      const [number, text, id, ttl, priority] = [
        at(json, 'phoneNumbers', '0'),
        at(json, 'textMessage', 'text'),
        at(json, 'id'),
        at(json, 'ttl'),
        at(json, 'priority'),
      ]
      if (typeof number !== 'string' || !number.startsWith('+') || typeof text !== 'string') {
        return { response: { status: 400, json: { message: 'invalid phone number' } } }
      }
      const message = {
        to: digits(number),
        from: '',
        text,
        own_id: typeof id === 'string' ? id : undefined,
        expires_in_s: typeof ttl === 'number' ? ttl : undefined,
        urgent: Number(priority) >= 100 || undefined,
      }
      return { messages: [message] }
    },
    answer([fate]) {
      switch (fate?.made) {
        case 'known':
          return { status: 409, json: { message: 'message with the same ID already exists' } }
        case 'refused':
        case 'refused_here':
          return { status: 400, json: { message: 'failed to parse phone number' } }
        case 'put_off':
          return { status: 503, json: { message: 'queue limit exceeded' }, headers: { 'retry-after': '1' } }
        case 'taken':
        case undefined: {
          const id = fate?.sent.own_id ?? fate?.ids[0]
          return {
            status: 202,
            json: {
              id,
              deviceId: DEVICE,
              state: 'Pending',
              isHashed: false,
              isEncrypted: false,
              recipients: [{ phoneNumber: `+${fate?.sent.to ?? ''}`, state: 'Pending' }],
              states: {},
            },
          }
        }
      }
    },
    report: (id, { to, own_id }, end) => ({
      to: 'reports',
      method: 'POST',
      headers: signed,
      json: {
        deviceId: DEVICE,
        event: EVENTS[end],
        id: `event-${id}`,
        webhookId: 'gangan',
        payload: {
          messageId: own_id ?? id,
          phoneNumber: `+${to}`,
          recipient: `+${to}`,
          simNumber: 1,
          ...(end === 'delivered'
            ? { deliveredAt: '2026-01-31T10:00:00.000+01:00' }
            : { reason: 'RESULT_ERROR_GENERIC_FAILURE' }),
        },
      },
    }),
    text: (id, from, to, text) => ({
      to: 'reports',
      method: 'POST',
      headers: signed,
      json: {
        deviceId: DEVICE,
        event: 'sms:received',
        id,
        webhookId: 'gangan',
        payload: {
          messageId: 'abc123',
          message: text,
          phoneNumber: from,
          sender: from,
          recipient: to,
          simNumber: 1,
          receivedAt: '2026-01-31T10:00:00.000+01:00',
        },
      },
    }),
    state(request, find) {
      const [, id] = /^(?:.*)\/messages\/([\w-]{1,36})$/.exec(request.path) ?? []
      if (id === undefined || !isKnown(request)) return undefined
      const stored = find(id)
      if (!stored) return { status: 404, json: { message: 'message not found' } }
      const state = stored.end ? STATES[stored.end] : 'Sent'
      return {
        status: 200,
        json: { id, deviceId: DEVICE, state, recipients: [{ phoneNumber: `+${stored.sent.to}`, state, error: null }] },
      }
    },
  }
}
