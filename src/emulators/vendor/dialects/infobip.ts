import { at } from '../../../carriers/vendor-values.ts'
import { digits, type Dialect, type End, type Fate, type Sent } from '../dialect.ts'

const credentials = { api_key: 'key-of-the-emulator', report_secret: 'a-word-for-the-emulator' }
const STATUSES = {
  taken: statusOf(1, 'PENDING', 26, 'PENDING_ACCEPTED', 'Message sent to next instance'),
  known: statusOf(5, 'REJECTED', 21, 'REJECTED_DUPLICATE_MESSAGE_ID', 'Duplicate message ID'),
  refused: statusOf(5, 'REJECTED', 52, 'REJECTED_DESTINATION', 'Invalid destination address.'),
  refused_here: statusOf(5, 'REJECTED', 17, 'REJECTED_ROUTE_NOT_AVAILABLE', 'Route not available'),
  put_off: statusOf(5, 'REJECTED', 19, 'REJECTED_SYSTEM_ERROR', 'System error'),
}
const ENDS: Record<End, ReturnType<typeof statusOf>> = {
  delivered: statusOf(3, 'DELIVERED', 5, 'DELIVERED_TO_HANDSET', 'Message delivered to handset'),
  lost: statusOf(2, 'UNDELIVERABLE', 9, 'UNDELIVERABLE_NOT_DELIVERED', 'Message sent not delivered'),
  disowned: statusOf(5, 'REJECTED', 6, 'REJECTED_NETWORK', 'Network is forbidden'),
}

function statusOf(groupId: number, groupName: string, id: number, name: string, description: string) {
  return { groupId, groupName, id, name, description }
}

function refuse(status: number, errorCode: string, description: string) {
  return {
    response: {
      status,
      json: { errorCode, description, action: 'See the documentation.', violations: [], resources: [] },
    },
  }
}

export const infobip: Dialect = {
  credentials,
  read({ method, path, headers, json }) {
    if (headers.authorization !== `App ${credentials.api_key}`) return refuse(401, 'E401', 'Unauthorized')
    if (path === '/account/1/balance')
      return { response: { status: 200, json: { balance: 47.79134, currency: 'EUR' } } }
    const messages = at(json, 'messages')
    if (method !== 'POST' || path !== '/sms/3/messages') return refuse(404, 'E404', 'Not Found')
    if (!Array.isArray(messages) || messages.length === 0) return refuse(400, 'E400', 'Request cannot be processed.')
    return { messages: messages.map(readMessage) }
  },
  answer: (fates) => ({
    status: 200,
    json: {
      bulkId: '2034072219640523072',
      messages: fates.map((fate) => ({
        messageId: nameOf(fate),
        status: STATUSES[fate.made],
        destination: fate.sent.to,
        details: { messageCount: 1 },
      })),
    },
  }),
  report(id, { to, report_to, ref, own_id }, end) {
    const error =
      end === 'delivered'
        ? statusOf(0, 'OK', 0, 'NO_ERROR', 'No Error')
        : statusOf(1, 'HANDSET_ERRORS', 27, 'EC_ABSENT_SUBSCRIBER', 'Absent Subscriber')
    const result = {
      bulkId: '2034072219640523072',
      price: { pricePerMessage: 0.01, currency: 'EUR' },
      status: ENDS[end],
      error: { ...error, permanent: false },
      messageId: own_id ?? id,
      to,
      messageCount: 1,
      mccMnc: '62130',
      callbackData: ref,
    }
    return { to: report_to ?? 'reports', method: 'POST', json: { results: [result] } }
  },
  text: (messageId, from, to, text) => ({
    to: 'texts',
    method: 'POST',
    json: {
      results: [
        {
          messageId,
          from,
          to,
          text,
          cleanText: text,
          keyword: '',
          receivedAt: '2026-01-31T10:00:00.000+0000',
          smsCount: 1,
        },
      ],
      messageCount: 1,
      pendingMessageCount: 0,
    },
  }),
  state({ path, headers, query }, find) {
    if (path !== '/sms/3/logs' || headers.authorization !== `App ${credentials.api_key}`) return undefined
    const stored = find(query.get('messageId') ?? '')
    const results = stored
      ? [{ messageId: stored.sent.own_id, status: stored.end ? ENDS[stored.end] : STATUSES.taken }]
      : []
    return { status: 200, json: { results } }
  },
}

const nameOf = ({ sent, ids }: Fate): string => sent.own_id ?? ids[0] ?? ''

function readMessage(message: unknown): Sent {
  const validity = at(message, 'options', 'validityPeriod', 'amount')
  const text = (...path: string[]): string | undefined => {
    const value = at(message, ...path)
    return typeof value === 'string' ? value : undefined
  }
  return {
    to: digits(text('destinations', '0', 'to') ?? ''),
    from: text('sender') ?? '',
    text: text('content', 'text') ?? '',
    expires_in_s: typeof validity === 'number' ? 60 * validity : undefined,
    own_id: text('destinations', '0', 'messageId'),
    ref: text('webhooks', 'callbackData'),
    report_to: text('webhooks', 'delivery', 'url'),
  }
}
