import { encodeGsm } from '../../../carriers/codec/gsm7.ts'
import { optionalNumber, type Dialect, type End } from '../dialect.ts'

const credentials = { username: 'gangan', password: 'secret-of-the-emulator', report_secret: 'a-word-for-the-emulator' }
const VALUES: Record<End, string> = { delivered: '1', lost: '2', disowned: '16' }

export const kannel: Dialect = {
  credentials,
  read({ path, query }) {
    if (path !== '/cgi-bin/sendsms') return { response: { status: 404, text: 'Unknown request.' } }
    if (query.get('username') !== credentials.username || query.get('password') !== credentials.password) {
      return { response: { status: 403, text: 'Authorization failed for sendsms' } }
    }
    const [to, text] = [query.get('to'), query.get('text')]
    if (!to) return { response: { status: 400, text: 'Missing receiver number, rejected' } }
    if (!text) return { response: { status: 400, text: 'Empty text not allowed, rejected' } }
    const minutes = optionalNumber(query.get('validity'))
    const message = {
      to,
      from: query.get('from') ?? '',
      text,
      urgent: Number(query.get('priority')) > 0 || undefined,
      expires_in_s: minutes && 60 * minutes,
      report_to: query.get('dlr-url') || undefined,
    }
    return { messages: [message] }
  },
  answer([fate]) {
    switch (fate?.made) {
      case 'refused':
        return { status: 403, text: 'Number(s) has/have been denied by white- and/or black-lists.' }
      case 'refused_here':
        return { status: 403, text: 'Not routable. Do not try again.' }
      case 'put_off':
        return { status: 503, text: 'Temporal failure, try again later.' }
      case 'taken':
      case 'known':
      case undefined:
        return { status: 202, text: '0: Accepted for delivery' }
    }
  },
  /** The message's dlr-url with the escape codes filled in; a stray report gets an unknown reference. */
  report: (_id, { report_to }, end) => ({
    to: (report_to ?? 'reports').replace('%d', VALUES[end]).replace('%A', encodeURIComponent('NACK/8')),
    method: 'GET',
    ...(report_to === undefined ? { query: { ref: STRAY, status: VALUES[end] } } : {}),
  }),
  /** `%b` and `%C`: a text that GSM 7-bit cannot encode is sent as UTF-16. */
  text: (id, from, to, text) => {
    const is_gsm = encodeGsm(text) !== undefined
    const octets = is_gsm ? Buffer.from(text) : Buffer.from(text, 'utf16le').swap16()
    return {
      to: 'texts',
      method: 'GET',
      query: { id, from, to, charset: is_gsm ? 'UTF-8' : 'UTF-16BE' },
      raw_query: `text=${octets.toString('hex').replace(/../g, '%$&')}`,
    }
  },
}

const UNKNOWN = '01900000-0000-7000-8000-000000000000'
const STRAY = `${UNKNOWN}.${UNKNOWN}.2348099999999.1`
