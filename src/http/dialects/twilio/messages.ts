import { readInbound } from '../../../messaging/inbound/read.ts'
import { readFirst } from '../../../messaging/read/read.ts'
import { searchMessages } from '../../../messaging/read/search.ts'
import { cancelMessage } from '../../../messaging/schedule/cancel.ts'
import { readAccount } from '../../../billing/ledger.ts'
import type { FoundMessage } from '../../../messaging/read/schema.ts'
import { isId } from '../../../values/id.ts'
import { cleanPhone, dialPlan } from '../../../values/phone.ts'
import { Refusal } from '../../../values/refusal.ts'
import { readMoment } from '../../../values/time.ts'
import type { HttpDeps } from '../../deps.ts'
import { field, type Form } from '../form.ts'
import { createMessage } from './create.ts'
import type { TwilioRequest, TwilioRoute } from './door.ts'
import { TwilioFault } from './errors.ts'
import { idOf, messageResource, type ShownMessage } from './resources.ts'

const ACCOUNT = '/2010-04-01/Accounts/:AccountSid'
const PAGE_SIZE = 50
const MOST_PER_PAGE = 1_000

export function messageRoutes(deps: HttpDeps): TwilioRoute[] {
  const sms = { scope: 'sms' as const }
  return [
    {
      ...sms,
      method: 'POST',
      path: `${ACCOUNT}/Messages.json`,
      summary: 'Twilio: create a message',
      status: 201,
      run: (request) => createMessage(deps, request),
    },
    {
      ...sms,
      method: 'GET',
      path: `${ACCOUNT}/Messages.json`,
      summary: 'Twilio: list messages',
      run: (request) => listMessages(deps, request),
    },
    {
      ...sms,
      method: 'GET',
      path: `${ACCOUNT}/Messages/:sid`,
      summary: 'Twilio: fetch a message',
      run: (request) => fetchMessage(deps, request),
    },
    {
      ...sms,
      method: 'POST',
      path: `${ACCOUNT}/Messages/:sid`,
      summary: 'Twilio: cancel a message',
      run: (request) => changeMessage(deps, request),
    },
    {
      method: 'GET',
      path: ACCOUNT,
      summary: 'Twilio: fetch the account',
      run: async ({ caller, account_sid }) => ({
        sid: account_sid,
        owner_account_sid: account_sid,
        // As Twilio tells it: to whoever has the key, it is no more than that.
        auth_token: caller.key_id === null ? null : deps.authTokenOf(caller.key_id),
        friendly_name: caller.organisation_id,
        status: 'active',
        type: caller.mode === 'test' ? 'Trial' : 'Full',
        uri: `/2010-04-01/Accounts/${account_sid}.json`,
      }),
    },
    {
      scope: 'balance',
      method: 'GET',
      path: `${ACCOUNT}/Balance.json`,
      summary: 'Twilio: fetch the balance',
      run: async ({ caller, account_sid }) => {
        const { account } = await readAccount(deps, caller, { limit: 1 })
        return { account_sid, balance: String(account.balance), currency: account.currency }
      },
    },
  ]
}

function sidOf({ params }: TwilioRequest): string {
  return (params.sid ?? '').replace(/\.json$/, '')
}

async function fetchMessage(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const id = idOf('SM', sidOf(request))
  const { caller, account_sid } = request
  const found = await readFirst(deps, caller.organisation_id, id).catch((fault: unknown) => {
    if (fault instanceof Refusal && fault.code === 'not_found') return undefined
    throw fault
  })
  if (!found) return fetchReceived(deps, request, id)
  const [delivery] = found.deliveries
  const { created_datetime, updated_datetime, ...first } = { ...found, ...delivery }
  const text = delivery?.text ?? found.content
  const message = { ...first, content: text, recipient: delivery?.recipient ?? '', status: delivery?.status ?? '' }
  const { pages = 1, charge } = delivery ?? {}
  const shared = { pages, charge, currency: caller.currency, direction: 'outbound-api' as const }
  return messageResource(account_sid, { ...message, ...shared, created_datetime, updated_datetime })
}

/** What people wrote is a message, too. */
async function fetchReceived(deps: HttpDeps, { caller, account_sid }: TwilioRequest, id: string): Promise<object> {
  const { from, to, text, channel, created_datetime } = await readInbound(deps, caller.organisation_id, id)
  return messageResource(account_sid, {
    id,
    channel,
    sender_id: from,
    recipient: to,
    content: text,
    status: 'received',
    pages: 1,
    charge: undefined,
    currency: caller.currency,
    direction: 'inbound',
    created_datetime,
  })
}

/** All that can be changed about a message is that it is not sent. */
async function changeMessage(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  if (field(request.form, 'Status')?.toLowerCase() !== 'canceled') {
    throw new TwilioFault(20001, "A message can only be changed to Status 'canceled'; its body stays.")
  }
  const id = idOf('SM', sidOf(request))
  try {
    await cancelMessage(deps, request.caller.organisation_id, id)
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code !== 'conflict') throw fault
    throw new TwilioFault(30409, fault.message, 409)
  }
  return fetchMessage(deps, request)
}

async function listMessages(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, account_sid, query, path } = request
  const page_size = readSize(query)
  const token = field(query, 'PageToken')
  if (token !== undefined && !isId(token)) throw new TwilioFault(20001, 'This PageToken is none of ours.')
  const to = field(query, 'To')
  const recipient = to === undefined ? undefined : cleanPhone(to, dialPlan(caller.default_country))
  if (to !== undefined && recipient === undefined) throw new TwilioFault(21211, `'${to}' is not a phone number.`)
  const search = { recipient, from_ms: readTime(query, 'DateSent>'), until_ms: readTime(query, 'DateSent<') }
  const wanted = { before: token, limit: page_size }
  const { messages, next } = await searchMessages(deps, caller.organisation_id, search, wanted)
  const page = Number(field(query, 'Page') ?? 0)
  const uriOf = (number: number, after: string) => `${path}?${pageQuery(query, number, page_size, after)}`
  return {
    messages: messages.map((found) => messageResource(account_sid, shownOf(found, caller.currency))),
    uri: uriOf(page, token ?? ''),
    first_page_uri: uriOf(0, ''),
    next_page_uri: next === undefined ? null : uriOf(page + 1, next),
    previous_page_uri: null,
    page,
    page_size,
    start: page * page_size,
    end: page * page_size + Math.max(0, messages.length - 1),
  }
}

function shownOf(found: FoundMessage, currency: string): ShownMessage {
  const [status = 'queued'] = found.match ? [found.match.status] : Object.keys(found.statuses)
  return {
    ...found,
    recipient: found.match?.recipient ?? found.recipients[0] ?? '',
    status,
    code: found.match?.code,
    pages: 1,
    currency,
    direction: 'outbound-api',
  }
}

function pageQuery(query: Form, page: number, page_size: number, token: string): string {
  const kept = [...query].filter(([name]) => !['Page', 'PageSize', 'PageToken'].includes(name))
  const fields = new URLSearchParams()
  for (const [name, values] of kept) for (const value of values) fields.append(name, value)
  fields.set('PageSize', String(page_size))
  fields.set('Page', String(page))
  if (token !== '') fields.set('PageToken', token)
  return fields.toString()
}

function readSize(query: Form): number {
  const given = Number(field(query, 'PageSize') ?? PAGE_SIZE)
  if (!Number.isInteger(given) || given < 1) throw new TwilioFault(20001, 'PageSize is a number above 0.')
  return Math.min(given, MOST_PER_PAGE)
}

/** A moment, or a day. */
function readTime(query: Form, name: string): number | undefined {
  const given = field(query, name)
  if (given === undefined) return undefined
  const at = readMoment(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given)
  if (at === undefined) throw new TwilioFault(20001, `${name} is a date or a date-time.`)
  return at
}
