import { createHmac } from 'node:crypto'
import { at } from '../../../carriers/vendor-values.ts'
import { digits, type Dialect, type End } from '../dialect.ts'

const credentials = { api_key: 'TL-of-the-emulator', secret_key: 'tsk-of-the-emulator' }
const WORDS: Record<End, string> = {
  delivered: 'DELIVERED | Message delivered to handset',
  lost: 'Message Failed',
  disowned: 'Rejected',
}

const signed = (_address: string, body: string): Record<string, string> => ({
  'x-termii-signature': createHmac('sha512', credentials.secret_key).update(body).digest('hex'),
})

/** The documented limit of numbers in one request. */
const MAX_NUMBERS = 100

export const termii: Dialect = {
  credentials,
  shares_ids: true,
  read({ method, path, json, query }) {
    const key = method === 'GET' ? query.get('api_key') : at(json, 'api_key')
    if (key !== credentials.api_key) return { response: { status: 401, json: { code: 401, message: 'Unauthorized' } } }
    if (path === '/api/get-balance') {
      return { response: { status: 200, json: { user: 'Emulator', balance: 1047.57, currency: 'NGN' } } }
    }
    const is_bulk = path === '/api/sms/send/bulk'
    if (method !== 'POST' || (path !== '/api/sms/send' && !is_bulk)) {
      return { response: { status: 404, json: { message: 'Not Found' } } }
    }
    const [from, text, type, channel] = ['from', 'sms', 'type', 'channel'].map((name) => {
      const value = at(json, name)
      return typeof value === 'string' ? value : ''
    })
    const to = at(json, 'to')
    const numbers = (is_bulk && Array.isArray(to) ? to : [to]).map((one) =>
      typeof one === 'string' ? digits(one) : '',
    )
    const is_valid = from && text && ['plain', 'unicode'].includes(type ?? '') && numbers.every((one) => one !== '')
    if (!is_valid || !['generic', 'dnd'].includes(channel ?? '') || numbers.length > MAX_NUMBERS) {
      return { response: { status: 422, json: { message: 'The given data was invalid' } } }
    }
    return { messages: numbers.map((number) => ({ to: number, from, text, channel: channel || undefined })) }
  },
  answer([fate]) {
    switch (fate?.made) {
      case 'refused':
        return { status: 400, json: { code: 400, message: 'Invalid phone number' } }
      case 'refused_here':
        return {
          status: 404,
          json: { code: 404, message: 'ApplicationSenderId not found for applicationId: 1 and senderName: Gangan' },
        }
      case 'put_off':
        return { status: 429, json: { code: 429, message: 'Too many requests' }, headers: { 'retry-after': '1' } }
      case 'taken':
      case 'known':
      case undefined: {
        const message_id = fate?.ids[0] ?? ''
        return {
          status: 200,
          json: { code: 'ok', message_id, message: 'Successfully Sent', balance: 9, user: 'Emulator' },
        }
      }
    }
  },
  report: (id, { to, from, text, channel = 'generic' }, end) => ({
    to: 'reports',
    method: 'POST',
    headers: signed,
    json: {
      type: 'outbound',
      id,
      message_id: id,
      receiver: to,
      sender: from,
      message: text,
      sent_at: '2026-01-31 10:00:00',
      cost: '3.9',
      status: WORDS[end],
      channel,
    },
  }),
  text: (id, from, to, text) => ({
    to: 'reports',
    method: 'POST',
    headers: signed,
    json: {
      type: 'inbound',
      id,
      message_id: id,
      receiver: to,
      sender: from,
      message: text,
      received_at: '2026-01-31 10:00:00',
      cost: '0',
      status: 'Received',
    },
  }),
}
