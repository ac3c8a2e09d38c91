import { createHmac } from 'node:crypto'
import { at } from '../../../vendor-words.ts'
import { digits, type Dialect, type End } from '../dialect.ts'

const credentials = { api_key: 'TL-of-the-stand-in', secret_key: 'tsk-of-the-stand-in' }
const WORDS: Record<End, string> = {
  delivered: 'DELIVERED | Message delivered to handset',
  lost: 'Message Failed',
  disowned: 'Rejected',
}

const signed = (_address: string, body: string): Record<string, string> => ({
  'x-termii-signature': createHmac('sha512', credentials.secret_key).update(body).digest('hex'),
})

export const termii: Dialect = {
  credentials,
  read({ method, path, json, query }) {
    const key = method === 'GET' ? query.get('api_key') : at(json, 'api_key')
    if (key !== credentials.api_key) return { said: { status: 401, json: { code: 401, message: 'Unauthorized' } } }
    if (path === '/api/get-balance') {
      return { said: { status: 200, json: { user: 'Stand-in', balance: 1047.57, currency: 'NGN' } } }
    }
    if (method !== 'POST' || path !== '/api/sms/send') return { said: { status: 404, json: { message: 'Not Found' } } }
    const [to, from, text, type, channel] = ['to', 'from', 'sms', 'type', 'channel'].map((name) => {
      const value = at(json, name)
      return typeof value === 'string' ? value : ''
    })
    if (!to || !from || !text || !['plain', 'unicode'].includes(type ?? '') || !channel) {
      return { said: { status: 422, json: { message: 'The given data was invalid' } } }
    }
    return { messages: [{ to: digits(to), from, text }] }
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
          json: { code: 'ok', message_id, message: 'Successfully Sent', balance: 9, user: 'Stand-in' },
        }
      }
    }
  },
  report: (id, { to, from, text }, end) => ({
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
      channel: 'generic',
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
