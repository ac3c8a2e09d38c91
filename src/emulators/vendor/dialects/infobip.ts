import { at } from '../../../carriers/vendor-words.ts'
import { digits, type Dialect, type End, type Fate, type Sent } from '../dialect.ts'

const credentials = { api_key: 'key-of-the-emulator', report_secret: 'a-word-for-the-emulator' }
const STATUSES = {
  taken: {
    groupId: 1,
    groupName: 'PENDING',
    id: 26,
    name: 'PENDING_ACCEPTED',
    description: 'Message sent to next instance',
  },
  known: {
    groupId: 5,
    groupName: 'REJECTED',
    id: 21,
    name: 'REJECTED_DUPLICATE_MESSAGE_ID',
    description: 'Duplicate message ID',
  },
  refused: {
    groupId: 5,
    groupName: 'REJECTED',
    id: 52,
    name: 'REJECTED_DESTINATION',
    description: 'Invalid destination address.',
  },
  refused_here: {
    groupId: 5,
    groupName: 'REJECTED',
    id: 17,
    name: 'REJECTED_ROUTE_NOT_AVAILABLE',
    description: 'Route not available',
  },
  put_off: { groupId: 5, groupName: 'REJECTED', id: 19, name: 'REJECTED_SYSTEM_ERROR', description: 'System error' },
} as const
const ENDS: Record<End, { groupId: number; groupName: string; id: number; name: string; description: string }> = {
  delivered: {
    groupId: 3,
    groupName: 'DELIVERED',
    id: 5,
    name: 'DELIVERED_TO_HANDSET',
    description: 'Message delivered to handset',
  },
  lost: {
    groupId: 2,
    groupName: 'UNDELIVERABLE',
    id: 9,
    name: 'UNDELIVERABLE_NOT_DELIVERED',
    description: 'Message sent not delivered',
  },
  disowned: { groupId: 5, groupName: 'REJECTED', id: 6, name: 'REJECTED_NETWORK', description: 'Network is forbidden' },
}

function refuse(status: number, errorCode: string, description: string) {
  return {
    said: { status, json: { errorCode, description, action: 'See the documentation.', violations: [], resources: [] } },
  }
}

export const infobip: Dialect = {
  credentials,
  read({ method, path, headers, json }) {
    if (headers.authorization !== `App ${credentials.api_key}`) return refuse(401, 'E401', 'Unauthorized')
    if (path === '/account/1/balance') return { said: { status: 200, json: { balance: 47.79134, currency: 'EUR' } } }
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
        ? { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', description: 'No Error', permanent: false }
        : {
            groupId: 1,
            groupName: 'HANDSET_ERRORS',
            id: 27,
            name: 'EC_ABSENT_SUBSCRIBER',
            description: 'Absent Subscriber',
            permanent: false,
          }
    const result = {
      bulkId: '2034072219640523072',
      price: { pricePerMessage: 0.01, currency: 'EUR' },
      status: ENDS[end],
      error,
      messageId: own_id ?? id,
      to,
      messageCount: 1,
      mccMnc: '62130',
      ...(ref === undefined ? {} : { callbackData: ref }),
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
    const held = find(query.get('messageId') ?? '')
    const results = held ? [{ messageId: held.sent.own_id, status: held.end ? ENDS[held.end] : STATUSES.taken }] : []
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
  const own_id = text('destinations', '0', 'messageId')
  const [ref, report_to] = [text('webhooks', 'callbackData'), text('webhooks', 'delivery', 'url')]
  return {
    to: digits(text('destinations', '0', 'to') ?? ''),
    from: text('sender') ?? '',
    text: text('content', 'text') ?? '',
    ...(typeof validity === 'number' ? { expires_in_s: 60 * validity } : {}),
    ...(own_id === undefined ? {} : { own_id }),
    ...(ref === undefined ? {} : { ref }),
    ...(report_to === undefined ? {} : { report_to }),
  }
}
