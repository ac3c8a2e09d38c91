import { lookUpPhone } from '../../../lookup/lookup.ts'
import { countriesOf } from '../../../otp/admission/country.ts'
import { zoneOf } from '../../../values/phone/numbering.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { isRecord } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../request.ts'
import type { TwilioRequest, TwilioRoute } from './add-routes.ts'
import { TwilioFault } from './errors.ts'

const KNOWN_FIELDS = ['line_type_intelligence', 'validation']

/** Lookup v2 and v1. Validating a number is free; looking up its line is charged. */
export function lookupRoutes(deps: HttpDeps): TwilioRoute[] {
  return [
    {
      method: 'GET',
      path: '/v2/PhoneNumbers/:number',
      scope: 'lookup',
      summary: 'Twilio: look up a phone number',
      run: (request) => lookUp(deps, request),
    },
    {
      method: 'GET',
      path: '/v1/PhoneNumbers/:number',
      scope: 'lookup',
      summary: 'Twilio: look up a phone number (v1)',
      run: (request) => lookUpV1(deps, request),
    },
  ]
}

async function lookUp(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, query, path } = request
  const given = request.params.number ?? ''
  const number = readNumber(given, countryOf(request) ?? caller.default_country)
  const fields = (field(query, 'Fields') ?? '').split(',').map((name) => name.trim())
  const unknown = fields.filter((name) => name !== '' && !KNOWN_FIELDS.includes(name))
  if (unknown.length > 0) throw new TwilioFault(60600, `These Fields are not known here: ${unknown.join(', ')}.`)
  const asks_line = fields.includes('line_type_intelligence') && number !== undefined
  return resourceOf(given, number, asks_line ? await askLine(deps, request, number) : undefined, path)
}

/** v1 answers 404 for an invalid number, and 400 for an unknown `Type`. */
async function lookUpV1(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, query, path } = request
  const number = readNumber(request.params.number ?? '', countryOf(request) ?? caller.default_country)
  const zone = number === undefined ? undefined : zoneOf(number)
  const national = zone && number?.slice(zone.calling_code.length)
  if (number === undefined || !zone || national === undefined || !zone.isNumber(national)) {
    throw new TwilioFault(20404, `The requested resource ${path} was not found`, 404)
  }
  const types = (query.get('Type') ?? []).flatMap((one) => one.split(',')).map((one) => one.trim())
  const unknown = types.filter((type) => type !== '' && type !== 'carrier')
  if (unknown.length > 0) throw new TwilioFault(60600, `These types are not known here: ${unknown.join(', ')}.`)
  const line = types.includes('carrier') ? lineOf(await askLine(deps, request, number)) : undefined
  return {
    phone_number: `+${number}`,
    country_code: countriesOf(number)[0] ?? null,
    national_format: zone.national_prefix + national,
    carrier: line ? { ...line, name: line.carrier_name, carrier_name: undefined } : null,
    caller_name: null,
    add_ons: null,
    url: path,
  }
}

function countryOf({ query }: TwilioRequest): string | undefined {
  return field(query, 'CountryCode')?.toUpperCase()
}

/** A charged lookup; under its idempotency key, the earlier answer. */
async function askLine(deps: HttpDeps, request: TwilioRequest, number: string): Promise<string> {
  const { caller, idempotency, path } = request
  const asked = { shape_faults: [], idempotency, meta: { method: 'GET', resource: path } }
  const receipt = await lookUpPhone(deps.lookupOf(caller), caller, number, asked)
  if (receipt.replayed) request.onReplay()
  return receipt.answer
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
    // The largest country with this calling code.
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

function lineOf(answer: string) {
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
