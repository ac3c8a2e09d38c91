import { lookUpPhone } from '../../../lookup/lookup.ts'
import { countriesOf } from '../../../otp/country.ts'
import { zoneOf } from '../../../values/numbering.ts'
import { cleanPhone, dialPlan } from '../../../values/phone.ts'
import { isRecord } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../form.ts'
import type { TwilioRequest, TwilioRoute } from './door.ts'
import { TwilioFault } from './errors.ts'

const KNOWN_FIELDS = ['line_type_intelligence', 'validation']

/** Lookup v2. Whether it is a number costs nothing; whose it is costs what a lookup does. */
export function lookupRoutes(deps: HttpDeps): TwilioRoute[] {
  return [
    {
      method: 'GET',
      path: '/v2/PhoneNumbers/:number',
      scope: 'lookup',
      summary: 'Twilio: look up a phone number',
      run: (request) => lookUp(deps, request),
    },
  ]
}

async function lookUp(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, query, idempotency, path } = request
  const given = request.params.number ?? ''
  const country = field(query, 'CountryCode')?.toUpperCase()
  const number = readNumber(given, country ?? caller.default_country)
  const fields = (field(query, 'Fields') ?? '').split(',').map((name) => name.trim())
  const unknown = fields.filter((name) => name !== '' && !KNOWN_FIELDS.includes(name))
  if (unknown.length > 0) throw new TwilioFault(60600, `These Fields are not known here: ${unknown.join(', ')}.`)
  const asks_line = fields.includes('line_type_intelligence') && number !== undefined
  const asked = { shape_faults: [], idempotency, meta: { method: 'GET', resource: path } }
  const receipt = asks_line ? await lookUpPhone(deps.lookupOf(caller), caller, number, asked) : undefined
  if (receipt?.replayed) request.onReplay()
  return resourceOf(given, number, receipt?.answer, path)
}

function readNumber(given: string, country: string): string | undefined {
  try {
    return cleanPhone(given, dialPlan(country))
  } catch (fault) {
    if (fault instanceof RangeError) throw new TwilioFault(60600, 'CountryCode is an ISO 3166 code, such as NG.')
    throw fault
  }
}

function resourceOf(given: string, number: string | undefined, answer: string | undefined, path: string): object {
  const zone = number === undefined ? undefined : zoneOf(number)
  const national = zone && number?.slice(zone.calling_code.length)
  const valid = zone !== undefined && national !== undefined && zone.isNumber(national)
  return {
    calling_country_code: zone?.calling_code ?? null,
    // The largest of those that share the calling code.
    country_code: countriesOf(number ?? '')[0] ?? null,
    phone_number: number === undefined ? given : `+${number}`,
    national_format: zone && national ? zone.national_prefix + national : null,
    valid,
    validation_errors: valid ? [] : [number === undefined ? 'NOT_A_NUMBER' : 'INVALID_BUT_POSSIBLE'],
    line_type_intelligence: answer === undefined ? null : lineOf(answer),
    caller_name: null,
    sim_swap: null,
    call_forwarding: null,
    line_status: null,
    identity_match: null,
    reassigned_number: null,
    sms_pumping_risk: null,
    phone_number_quality_score: null,
    pre_fill: null,
    url: path,
  }
}

function lineOf(answer: string): object {
  const found: unknown = JSON.parse(answer)
  const operator = isRecord(found) && typeof found.operator === 'string' ? found.operator : ''
  return {
    carrier_name: operator === '' ? null : operator,
    type: operator === '' ? null : 'mobile',
    mobile_country_code: null,
    mobile_network_code: null,
    error_code: null,
  }
}
