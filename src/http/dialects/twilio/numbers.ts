import { findNumber, listNumbers, type NumberRow } from '../../../senders/store.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { Refusal } from '../../../values/refusal.ts'
import { isStorable } from '../../../values/input/storable.ts'
import { isId } from '../../../values/id.ts'
import { twilioAddress, twilioSid } from '../../../callbacks/formats/twilio.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../request.ts'
import type { TwilioRequest, TwilioRoute } from './add-routes.ts'
import { pageOf, readPageAsked } from './pages.ts'
import { idOf, rfc2822 } from './resources.ts'

const NUMBERS = '/2010-04-01/Accounts/:AccountSid/IncomingPhoneNumbers'

/** Numbers and short codes that people can text: approved sender ids of digits. They are not changed here. */
export function numberRoutes(deps: HttpDeps): TwilioRoute[] {
  return [
    {
      scope: 'sms',
      method: 'GET',
      path: `${NUMBERS}.json`,
      summary: 'Twilio: list phone numbers',
      run: (request) => list(deps, request),
    },
    {
      scope: 'sms',
      method: 'GET',
      path: `${NUMBERS}/:sid`,
      summary: 'Twilio: fetch a phone number',
      run: (request) => fetchNumber(deps, request),
    },
  ]
}

async function list(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, query, account_sid } = request
  const { size, before, after, ...asked } = readPageAsked(query)
  const given = field(query, 'PhoneNumber')
  const number = given === undefined ? undefined : (cleanPhone(given, dialPlan(caller.default_country)) ?? given)
  const found =
    number !== undefined && !isStorable(number)
      ? []
      : await listNumbers(deps.db, caller.organisation_id, number, { before, after, limit: size + 1 })
  const page = { found: found.slice(0, size), more: found.length > size ? found[size - 1]?.id : undefined }
  return pageOf(request, { size, before, after, ...asked }, 'incoming_phone_numbers', page, (one) =>
    numberResource(account_sid, one),
  )
}

async function fetchNumber(deps: HttpDeps, { caller, params, account_sid }: TwilioRequest): Promise<object> {
  const id = idOf('PN', (params.sid ?? '').replace(/\.json$/, ''))
  const row = isId(id) ? await findNumber(deps.db, caller.organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such phone number.')
  return numberResource(account_sid, row)
}

function numberResource(account_sid: string, { id, sender_id, created_datetime, updated_datetime }: NumberRow): object {
  const sid = twilioSid('PN', id)
  const phone_number = twilioAddress(sender_id, 'sms')
  return {
    sid,
    account_sid,
    phone_number,
    friendly_name: phone_number,
    api_version: '2010-04-01',
    beta: false,
    capabilities: { sms: true, mms: false, voice: false, fax: false },
    date_created: rfc2822(created_datetime),
    date_updated: rfc2822(updated_datetime ?? created_datetime),
    origin: 'hosted',
    status: 'in-use',
    uri: `/2010-04-01/Accounts/${account_sid}/IncomingPhoneNumbers/${sid}.json`,
  }
}
