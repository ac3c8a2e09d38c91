import { optionalNumber, type Dialect, type End, type Fate } from '../dialect.ts'

const credentials = {
  api_key: 'abcd1234',
  api_secret: 'secret-of-the-emulator',
  report_secret: 'a-word-for-the-emulator',
}
const REFUSALS = {
  refused: ['7', 'Number barred'],
  refused_here: ['15', 'Illegal Sender Address - rejected'],
  put_off: ['1', 'Throughput Rate Exceeded - please wait [ 250 ] and retry'],
} as const
const WORDS: Record<End, readonly [status: string, code: string]> = {
  delivered: ['delivered', '0'],
  lost: ['failed', '6'],
  disowned: ['rejected', '5'],
}

export const vonage: Dialect = {
  credentials,
  address_options: ['api_url'],
  splits: true,
  read({ path, form, query, method }) {
    const given = method === 'GET' ? query : form
    if (given.get('api_key') !== credentials.api_key || given.get('api_secret') !== credentials.api_secret) {
      return { response: answerWith([{ status: '4', 'error-text': 'Bad Credentials' }]) }
    }
    if (path === '/account/get-balance') return { response: { status: 200, json: { value: 10.28, autoReload: false } } }
    if (path === '/conversions/sms') {
      const [id, verified, time] = [form.get('message-id'), form.get('delivered'), form.get('timestamp')]
      if (!id || !time || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time)) {
        return { response: { status: 423, text: 'Invalid Parameters' } }
      }
      return { response: { status: 200, text: 'OK' }, feedback: { id, verified: verified === 'true', time } }
    }
    const [to, from, text] = [form.get('to'), form.get('from'), form.get('text')]
    if (path !== '/sms/json' || !to || !from || !text) {
      return { response: answerWith([{ status: '2', 'error-text': 'Missing to param' }]) }
    }
    const ttl = optionalNumber(form.get('ttl'))
    const ref = form.get('client-ref') || undefined
    const report_to = form.get('callback') || undefined
    return { messages: [{ to, from, text, expires_in_s: ttl && ttl / 1_000, ref, report_to }] }
  },
  answer: ([fate]) => answerWith(fate ? entries(fate) : []),
  report(messageId, { to, from, report_to, ref }, end) {
    const [status, code] = WORDS[end]
    const json = {
      msisdn: to,
      to: from,
      'network-code': '62130',
      messageId,
      price: '0.03330000',
      status,
      scts: '2601311000',
      'err-code': code,
      'api-key': credentials.api_key,
      'client-ref': ref,
      'message-timestamp': '2026-01-31 10:00:00',
    }
    return { to: report_to ?? 'reports', method: 'POST', json }
  },
  text: (messageId, msisdn, to, text) => ({ to: 'texts', method: 'GET', query: received(messageId, msisdn, to, text) }),
  segment: (messageId, msisdn, to, text, { reference, total, segment }) => ({
    to: 'texts',
    method: 'GET',
    query: {
      ...received(messageId, msisdn, to, text),
      concat: 'true',
      'concat-ref': String(reference),
      'concat-total': String(total),
      'concat-part': String(segment),
    },
  }),
}

const received = (messageId: string, msisdn: string, to: string, text: string) => ({
  msisdn,
  to,
  messageId,
  text,
  type: 'text',
  keyword: 'HELLO',
  'message-timestamp': '2026-01-31 10:00:00',
})

const answerWith = (messages: readonly object[]) => ({
  status: 200,
  json: { 'message-count': String(messages.length), messages },
})

function entries({ sent, ids, made }: Fate): object[] {
  if (made === 'taken' || made === 'known') {
    return ids.map((id) => ({
      to: sent.to,
      'message-id': id,
      status: '0',
      'remaining-balance': '10.28',
      'message-price': '0.03330000',
      network: '62130',
    }))
  }
  const [status, text] = REFUSALS[made]
  return [{ to: sent.to, status, 'error-text': text }]
}
