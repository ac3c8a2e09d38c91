import { digits, type Dialect, type End, type Fate } from '../dialect.ts'

const credentials = {
  username: 'sandbox',
  api_key: 'atsk_of_the_emulator',
  report_secret: 'a-word-for-the-emulator',
}
const REFUSALS = {
  refused: [403, 'InvalidPhoneNumber'],
  refused_here: [402, 'InvalidSenderId'],
  put_off: [500, 'InternalServerError'],
} as const
const WORDS: Record<End, string> = { delivered: 'Success', lost: 'Failed', disowned: 'Rejected' }

const idOf = (id: string): string => `ATXid_${id}`

export const africastalking: Dialect = {
  credentials,
  read(request) {
    if (request.headers.apikey !== credentials.api_key) {
      return { response: { status: 401, text: 'The supplied authentication is invalid' } }
    }
    if (request.path === '/version1/user')
      return { response: { status: 200, json: { UserData: { balance: 'KES 1785.50' } } } }
    if (request.method !== 'POST' || request.path !== '/version1/messaging')
      return { response: { status: 404, text: 'Not Found' } }
    const numbers = (request.form.get('to') ?? '').split(',')
    if (request.form.get('username') !== credentials.username || !numbers.every((number) => number.startsWith('+'))) {
      return { response: { status: 400, text: 'Request is missing required form field' } }
    }
    const rest = { from: request.form.get('from') ?? '', text: request.form.get('message') ?? '' }
    return { messages: numbers.map((number) => ({ to: digits(number), ...rest })) }
  },
  answer(fates) {
    const taken = fates.filter(({ made }) => made === 'taken').length
    const Message = `Sent to ${taken}/${fates.length} Total Cost: KES ${(taken * 0.8).toFixed(4)}`
    return { status: 201, json: { SMSMessageData: { Message, Recipients: fates.map(entry) } } }
  },
  report: (id, { to }, end) => ({
    to: 'reports',
    method: 'POST',
    form: {
      id: idOf(id),
      status: WORDS[end],
      phoneNumber: `+${to}`,
      networkCode: '62130',
      ...(end === 'delivered' ? {} : { failureReason: 'DeliveryFailure' }),
      retryCount: '0',
    },
  }),
  text: (id, from, to, text) => ({
    to: 'texts',
    method: 'POST',
    form: {
      date: '2026-01-31 10:00:00',
      from: `+${from}`,
      id,
      linkId: '28a92cdf-2d63-4ee3-93df-4233d3de0356',
      text,
      to,
      networkCode: '62130',
    },
  }),
  optout: (recipient, senderId) => ({ to: 'texts', method: 'POST', form: { senderId, phoneNumber: `+${recipient}` } }),
}

function entry({ sent, ids, made }: Fate): object {
  const number = `+${sent.to}`
  if (made === 'taken' || made === 'known') {
    return { statusCode: 101, number, status: 'Success', cost: 'KES 0.8000', messageId: idOf(ids[0] ?? '') }
  }
  const [statusCode, status] = REFUSALS[made]
  return { statusCode, number, status, cost: '0', messageId: 'None' }
}
