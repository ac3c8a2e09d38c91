import { readBalance } from '../billing/store.ts'
import { insufficientBalance, type Receipt, type Sale, type ChargeSale } from '../billing/charge.ts'
import type { Meters } from '../observe/meters.ts'
import { newId } from '../values/id.ts'
import { moneyToNumber, type Money, type SpendingLimit } from '../values/money.ts'
import type { Fault } from '../values/refusal.ts'
import { findPhones, type FindDeps } from './find-phones.ts'
import { readPhone, readPhones } from './read-phones.ts'
import type { FoundPhone, PhonesBody } from './schema.ts'

export type LookupDeps = FindDeps & { chargeLookup: ChargeSale<undefined>; meters: Meters; price: Money }

type Caller = { organisation_id: string; default_country: string; spending_limit?: SpendingLimit | null }

export type LookupRequest = {
  shape_faults: readonly Fault[]
  idempotency?: Sale<undefined>['idempotency']
  meta: { method: string; resource: string }
}

/** Looks one number up. The answer is JSON text, into which the charge is written. */
export async function lookUpPhone(
  deps: LookupDeps,
  caller: Caller,
  phone: string | undefined,
  request: LookupRequest,
): Promise<Receipt> {
  const msisdn = readPhone(phone, caller.default_country, request.shape_faults)
  return sell(deps, caller, [msisdn], request, ([found]) => {
    if (!found) throw new Error('A number was looked up and not answered.')
    const { source, age_s, ...fields } = found
    return { body: fields, meta: { ...request.meta, source, age_s } }
  })
}

/** The same for many numbers in one request. */
export async function lookUpPhones(
  deps: LookupDeps,
  caller: Caller,
  { phones, skip_invalid = false }: Partial<PhonesBody>,
  request: LookupRequest,
): Promise<Receipt> {
  const { msisdns, invalid } = readPhones(phones, caller.default_country, request.shape_faults, skip_invalid)
  return sell(deps, caller, msisdns, request, (found) => {
    return { body: { phones: found, ...(skip_invalid ? { invalid } : {}) }, meta: request.meta }
  })
}

async function sell(
  deps: LookupDeps,
  { organisation_id, spending_limit }: Caller,
  msisdns: readonly string[],
  { idempotency }: LookupRequest,
  answerOf: (found: readonly FoundPhone[]) => { body: object; meta: object },
): Promise<Receipt> {
  const amount = deps.price * BigInt(msisdns.length)
  // Queries of the provider cost money, so the balance is checked first. A retry may have paid already.
  if (amount > 0n && deps.directory && !idempotency) await requireBalance(deps, organisation_id, amount)
  const found = await findPhones(deps, organisation_id, msisdns)
  for (const { source } of found) deps.meters.lookups.inc({ source })
  const { body, meta } = answerOf(found)
  if (amount === 0n) return { answer: join(body, JSON.stringify(meta)), replayed: false }
  return deps.chargeLookup(organisation_id, {
    subject_id: newId(),
    amount,
    spending_limit,
    idempotency,
    answer: ({ balance_after, balance_before }) => {
      const charge = `{"amount":${moneyToNumber(amount)},"available_balance":${balance_after},"balance_before":${balance_before}}`
      return join(body, `${JSON.stringify(meta).slice(0, -1)},"charge":${charge}}`)
    },
    item: undefined,
    weight: 1,
  })
}

function join(body: object, meta: string): string {
  return `${JSON.stringify(body).slice(0, -1)},"meta":${meta}}`
}

async function requireBalance({ db }: LookupDeps, organisation_id: string, amount: Money): Promise<void> {
  const { balance, credit_limit } = await readBalance(db, organisation_id)
  if (balance + credit_limit < amount) throw insufficientBalance()
}
