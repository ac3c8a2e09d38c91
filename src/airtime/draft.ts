import type { AddressMode } from '../callbacks/post/address-guard.ts'
import { NETWORKS, type Network } from '../carriers/topup-carrier.ts'
import { checkCallback } from '../messaging/compose/check.ts'
import { BLOCKED } from '../messaging/compose/recipients.ts'
import { commissionOn, type FeesOf } from '../prices/fees.ts'
import { checkStorable } from '../values/input/storable.ts'
import { newId } from '../values/id.ts'
import { moneyFromNumber, type SpendingLimit } from '../values/money.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import type { BuyBody } from './schema.ts'
import type { AirtimeSettings } from './settings.ts'
import type { VendorsOf } from './vendors.ts'

export type Buyer = {
  organisation_id: string
  mode: 'live' | 'test'
  default_country: string
  currency: string
  price_list_id: string | null
  spending_limit?: SpendingLimit | null
}

/** A checked purchase, before it is charged and stored. */
export type Draft = {
  id: string
  network: Network
  recipient: string
  amount: bigint
  /** Charged beside the amount; negative: a discount. */
  commission?: bigint | undefined
  currency: string
  external_ref: string | undefined
  callback: string | undefined
  idempotency_key: string | undefined
  warnings: string[]
  vendors: readonly string[]
}

export type DraftDeps = {
  airtime: Pick<AirtimeSettings, 'min_amount' | 'max_amount' | 'refuse_network_mismatch'>
  address_mode: AddressMode
  vendorsOf: VendorsOf
  /** The operator a number belongs to by its prefix; empty when unknown. Ported numbers keep their prefix. */
  operatorOf: (msisdn: string) => string
  /** Whether the operator of the service blocks the number. */
  isBlocked: (recipient: string) => boolean
  feesOf: FeesOf
}

/** Ten-thousandths in a hundredth: amounts have two decimals. */
const HUNDREDTH = 100n

/** Checks a request; a refusal lists all faults, including `shape_faults`, which the schema found. */
export async function draftPurchase(
  deps: DraftDeps,
  buyer: Buyer,
  body: Partial<BuyBody>,
  request: { shape_faults: readonly Fault[]; idempotency_key: string | undefined },
): Promise<Draft> {
  const faults = [...request.shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <K extends keyof BuyBody>(field: K): BuyBody[K] | undefined =>
    misshapen.has(field) ? undefined : body[field]

  const network = readNetwork(sound('network'), faults)
  const amount = readAmount(deps.airtime, sound('amount'), faults)
  const recipient = readRecipient(sound('recipient'), buyer.default_country, faults)
  if (recipient !== undefined && deps.isBlocked(recipient)) faults.push({ field: 'recipient', ...BLOCKED })
  checkCallback(sound('callback'), deps.address_mode, faults)
  checkStorable('external_ref', sound('external_ref'), faults)
  const vendors = network === undefined ? [] : deps.vendorsOf(buyer, network)
  if (network !== undefined && vendors.length === 0) {
    faults.push({ field: 'network', message: `Airtime of ${network} is not sold here.`, type: 'invalid' })
  }
  const warnings = checkOperator(deps, network, recipient, faults)
  refuseIfFaulty(faults)
  if (network === undefined || recipient === undefined || amount === undefined) {
    throw new Error('a purchase lacks what its schema requires')
  }
  const { external_ref, callback } = body
  const { idempotency_key } = request
  const { currency } = buyer
  const wish = { network, recipient, amount, currency, external_ref, callback, idempotency_key }
  const commission = commissionOn(amount, await deps.feesOf(buyer.price_list_id))
  return { id: newId(), ...wish, commission, warnings, vendors }
}

function readNetwork(given: string | undefined, faults: Fault[]): Network | undefined {
  if (given === undefined) return undefined
  const network = NETWORKS.find((one) => one.toLowerCase() === given.trim().toLowerCase())
  if (network === undefined) {
    const message = `The network is one of ${NETWORKS.join(', ')}.`
    faults.push({ field: 'network', message, type: 'enum' })
  }
  return network
}

function readAmount(
  { min_amount, max_amount }: DraftDeps['airtime'],
  given: number | undefined,
  faults: Fault[],
): bigint | undefined {
  if (given === undefined) return undefined
  const amount = moneyFromNumber(given)
  if (given < min_amount) {
    faults.push({ field: 'amount', message: `The least amount is ${min_amount}.`, type: 'greater_than_equal' })
  } else if (given > max_amount) {
    faults.push({ field: 'amount', message: `The largest amount is ${max_amount}.`, type: 'less_than_equal' })
  } else if (amount === undefined || amount % HUNDREDTH !== 0n) {
    faults.push({ field: 'amount', message: 'An amount has at most two decimals.', type: 'invalid' })
  }
  return amount
}

function readRecipient(given: string | undefined, country: string, faults: Fault[]): string | undefined {
  if (given === undefined) return undefined
  const recipient = cleanPhone(given, dialPlan(country))
  if (recipient === undefined) {
    faults.push({ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  return recipient
}

/** Numbers are ported, so a prefix of another network is a warning; the operator may configure a refusal. */
function checkOperator(
  deps: DraftDeps,
  network: Network | undefined,
  recipient: string | undefined,
  faults: Fault[],
): string[] {
  if (network === undefined || recipient === undefined) return []
  const operator = deps.operatorOf(recipient)
  if (operator === '' || operator === network) return []
  const message = `By its prefix the number belongs to ${operator}, not to ${network}.`
  if (!deps.airtime.refuse_network_mismatch) return [message]
  faults.push({ field: 'network', message, type: 'invalid' })
  return []
}
