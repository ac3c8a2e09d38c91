import type { Db, Tx } from '../db/connect.ts'
import { isId, newId } from '../values/id.ts'
import { readListed } from '../values/input/listed.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { cleanDigits, cleanPhone, dialPlan, type DialPlan } from '../values/phone/phone.ts'
import { ERASED, type PseudonymOf } from '../values/secrets/pseudonym.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { MAX_OPTOUT_RECIPIENTS, type Optout, type OptoutBody } from './schema.ts'
import { deleteOptout, deleteOptouts, insertOptouts, listByRecipients, listOptouts } from './store.ts'

export type OptoutDeps = {
  db: Db
  /** Invalidates what every process caches about the organisation. */
  notifyChange: (organisation_id: string) => void
  pseudonymOf: PseudonymOf
}

type Owner = { organisation_id: string; default_country: string }

/** Adds opt-outs through the API. */
export async function addOptouts(
  deps: OptoutDeps,
  { organisation_id, default_country }: Owner,
  body: Partial<OptoutBody>,
  shape_faults: readonly Fault[],
): Promise<Optout[]> {
  const faults = [...shape_faults]
  const recipients = faults.length > 0 ? [] : readNumbers(body.recipients ?? '', default_country, faults)
  refuseIfFaulty(faults)
  const optouts = recipients.map((recipient) => ({ id: newId(), recipient, source: 'api' as const }))
  await insertOptouts(deps.db, organisation_id, optouts)
  deps.notifyChange(organisation_id)
  return listByRecipients(deps.db, organisation_id, recipients)
}

/** Adds opt-outs made at a network or in WhatsApp, as reported by carriers. */
export async function addCarrierOptouts(
  deps: Pick<OptoutDeps, 'db' | 'notifyChange'>,
  organisation_id: string,
  recipients: readonly string[],
): Promise<void> {
  const optouts = [...new Set(recipients)].map((recipient) => ({ id: newId(), recipient, source: 'carrier' as const }))
  await insertOptouts(deps.db, organisation_id, optouts)
  deps.notifyChange(organisation_id)
}

/** Applies the STOP and START texts of people; the last one of each number counts. */
export async function applyKeywords(
  tx: Tx,
  pseudonymOf: PseudonymOf,
  organisation_id: string,
  words: readonly { recipient: string; keyword: 'stop' | 'start' }[],
): Promise<void> {
  const last = [...new Map(words.map(({ recipient, keyword }) => [recipient, keyword]))]
  const stopped = last.filter(([, keyword]) => keyword === 'stop')
  const started = last.filter(([, keyword]) => keyword === 'start')
  await insertOptouts(
    tx,
    organisation_id,
    stopped.map(([recipient]) => ({ id: newId(), recipient, source: 'text' as const })),
  )
  await deleteOptouts(
    tx,
    organisation_id,
    started.flatMap(([recipient]) => [recipient, pseudonymOf(organisation_id, recipient)]),
  )
}

export async function findOptouts(
  deps: { db: Db },
  { organisation_id, default_country }: Owner,
  query: PageQuery & { recipient?: string },
): Promise<{ optouts: Optout[]; pagination: Pagination }> {
  const page = readPage(query)
  const prefix = query.recipient === undefined ? undefined : readPrefix(query.recipient, default_country)
  const { rows, pagination } = await listOptouts(deps.db, organisation_id, prefix, page)
  return { optouts: rows, pagination }
}

/** Removes an opt-out by its id or number. */
export async function removeOptout(
  deps: OptoutDeps,
  { organisation_id, default_country }: Owner,
  which: string,
): Promise<void> {
  // An erased person is identified by the pseudonym in the list.
  const number = which.startsWith(ERASED) ? which : cleanDigits(which, dialPlan(default_country))
  const lifted = isId(which)
    ? await deleteOptout(deps.db, organisation_id, which)
    : number !== undefined &&
      (await deleteOptouts(deps.db, organisation_id, namesOf(deps, organisation_id, number))) > 0
  if (!lifted) throw new Refusal('not_found', 'This number is not blocked.')
  deps.notifyChange(organisation_id)
}

/** The number, and its pseudonym in case the person was erased. */
function namesOf({ pseudonymOf }: OptoutDeps, organisation_id: string, number: string): string[] {
  return [number, pseudonymOf(organisation_id, number)]
}

function readNumbers(given: string | readonly string[], country: string, faults: Fault[]): string[] {
  const listed = readListed(given, MAX_OPTOUT_RECIPIENTS)
  const raw = typeof given === 'string' ? listed.filter((one) => one.trim() !== '') : listed
  if (raw.length === 0) {
    faults.push({ field: 'recipients', message: 'At least one number is required.', type: 'string_too_short' })
  }
  if (raw.length > MAX_OPTOUT_RECIPIENTS) {
    const message = `At most ${MAX_OPTOUT_RECIPIENTS} numbers are accepted in one request.`
    faults.push({ field: 'recipients', message, type: 'less_than_equal' })
    return []
  }
  const plan = dialPlan(country)
  const numbers = new Set<string>()
  for (const [n, one] of raw.entries()) {
    const number = cleanPhone(one, plan)
    if (number !== undefined) numbers.add(number)
    else faults.push({ field: `recipients[${n}]`, message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  return [...numbers]
}

/** The digits of a whole number in any form, or of its beginning. */
function readPrefix(given: string, country: string): string {
  const plan = dialPlan(country)
  const prefix = cleanDigits(given, plan) ?? withCode(given.trim().replace(/^\+/, ''), plan)
  if (!/^[0-9]{1,15}$/.test(prefix)) {
    const message = 'This is neither a phone number nor the beginning of one.'
    throw new Refusal('invalid_request', 'The request is invalid.', [
      { field: 'recipient', message, type: 'phone_invalid' },
    ])
  }
  return prefix
}

/** Replaces the national prefix by the country code. */
function withCode(beginning: string, { calling_code, national_prefix }: DialPlan): string {
  if (!beginning.startsWith('0') || !beginning.startsWith(national_prefix)) return beginning
  return calling_code + beginning.slice(national_prefix.length)
}
