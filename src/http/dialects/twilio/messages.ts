import { serviceSidOf } from '../../../callbacks/formats/address.ts'
import { twilioSid } from '../../../callbacks/formats/twilio.ts'
import { readInbound } from '../../../messaging/inbound/read.ts'
import { findMarks } from '../../../messaging/read/sent-and-received-store.ts'
import { readFirst } from '../../../messaging/read/read.ts'
import { redactMessage } from '../../../messaging/redact/redact.ts'
import { cancelMessage } from '../../../messaging/schedule/cancel.ts'
import { readAccount } from '../../../billing/ledger.ts'
import { Refusal } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../request.ts'
import { createMessage } from './create.ts'
import type { TwilioRequest, TwilioRoute } from './add-routes.ts'
import { TwilioFault } from './errors.ts'
import { listMessages, receivedFields } from './list.ts'
import { pageOf, readPageAsked } from './pages.ts'
import { idOf, messageResource } from './resources.ts'

const ACCOUNT = '/2010-04-01/Accounts/:AccountSid'

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
      summary: 'Twilio: cancel a message, or redact its body',
      run: (request) => changeMessage(deps, request),
    },
    {
      ...sms,
      method: 'DELETE',
      path: `${ACCOUNT}/Messages/:sid`,
      summary: 'Twilio: delete a message',
      status: 204,
      run: async (request) => {
        await redact(deps, request, { deletes: true })
        return undefined
      },
    },
    {
      ...sms,
      method: 'GET',
      path: `${ACCOUNT}/Messages/:sid/Media.json`,
      summary: 'Twilio: list the media of a message (always empty)',
      run: async (request) => {
        await fetchMessage(deps, request)
        return pageOf(request, readPageAsked(request.query), 'media_list', { found: [], more: undefined }, (one) => one)
      },
    },
    {
      method: 'GET',
      path: ACCOUNT,
      summary: 'Twilio: fetch the account',
      run: async ({ caller, account_sid }) => ({
        sid: account_sid,
        // With an auth token, only this account is accessible.
        owner_account_sid: twilioSid('AC', caller.organisation_id),
        // As Twilio returns it, to the holder of the key.
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
  const { is_deleted, callback } = await findMarks(deps.db, caller.organisation_id, id)
  if (is_deleted) throw new Refusal('not_found', 'There is no such message.')
  const [delivery] = found.deliveries
  const { created_datetime, updated_datetime, ...first } = { ...found, ...delivery }
  const text = delivery?.text ?? found.content
  const message = { ...first, content: text, recipient: delivery?.recipient ?? '', status: delivery?.status ?? '' }
  const { pages = 1, charge } = delivery ?? {}
  const shared = { pages, charge, currency: caller.currency, direction: 'outbound-api' as const }
  const service_sid = serviceSidOf(callback)
  return messageResource(account_sid, { ...message, ...shared, service_sid, created_datetime, updated_datetime })
}

/** Received texts are messages, too. */
async function fetchReceived(deps: HttpDeps, { caller, account_sid }: TwilioRequest, id: string): Promise<object> {
  const received = await readInbound(deps, caller.organisation_id, id)
  const { media, ...text } = received
  const more = { media: media ? 1 : 0, currency: caller.currency }
  return messageResource(account_sid, { ...text, ...receivedFields(received), ...more })
}

/** A message can be canceled, or its body removed, one at a time. */
async function changeMessage(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const status = field(request.form, 'Status')
  const body = request.form.get('Body')?.[0]
  if ((status === undefined) === (body === undefined) || (status ?? 'canceled').toLowerCase() !== 'canceled' || body) {
    throw new TwilioFault(30400, "A message is changed by Status 'canceled', or by an empty Body.")
  }
  if (body === '') await redact(deps, request, { deletes: false })
  else await cancel(deps, request)
  return fetchMessage(deps, request)
}

async function cancel(deps: HttpDeps, request: TwilioRequest): Promise<void> {
  const id = idOf('SM', sidOf(request))
  try {
    await cancelMessage(deps, request.caller.organisation_id, id)
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code !== 'conflict') throw fault
    throw new TwilioFault(30409, fault.message, 409)
  }
}

async function redact(deps: HttpDeps, request: TwilioRequest, how: { deletes: boolean }): Promise<void> {
  try {
    await redactMessage(deps, request.caller.organisation_id, idOf('SM', sidOf(request)), how)
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code !== 'conflict') throw fault
    throw new TwilioFault(20009, fault.message, 409)
  }
}
