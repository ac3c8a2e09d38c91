import { isDatabaseUnreachable } from '../db/unreachable.ts'
import { makeKeyedBatchWriter, type Group } from '../values/concurrency/batch-writer.ts'
import { moneyToText, type Money } from '../values/money.ts'
import { Refusal } from '../values/refusal.ts'
import { factsOf } from './answer-slots.ts'
import type { Charged, SaleRow } from './store.ts'

/** A sale: the charge, and the item that is stored with it. */
export type Sale<Item> = SaleRow & {
  item: Item
  /** Rows the sale writes; bounds the size of a batch. */
  weight: number
}

export type SaleGroup<Item> = { organisation_id: string; sales: readonly Sale<Item>[] }

/** Charges sales of one organisation and stores the items of those that were charged, in one transaction. */
export type StoreSales<Item> = (organisation_id: string, sales: readonly Sale<Item>[]) => Promise<Charged>

/** The same for several organisations, sorted by id. Undefined for an organisation that has to be charged alone. */
export type StoreManySales<Item> = (groups: readonly SaleGroup<Item>[]) => Promise<readonly (Charged | undefined)[]>

export type Receipt = { answer: string; replayed: boolean }

/** Charges a sale and stores its item, both or neither. */
export type ChargeSale<Item> = (organisation_id: string, sale: Sale<Item>) => Promise<Receipt>

const MAX_SALES = 512
const MAX_WEIGHT = 10_000

/** Organisations whose sales are charged in one write, and the weight of each; an organisation with more is charged alone. */
const SHARED = { keys: 128, weight_per_key: 64 }

/**
 * Charges sales by group commit: those that arrive during a write join the next one. A balance row allows a few hundred
 * transactions per second, but each may carry hundreds of sales, of many organisations.
 */
export function makeChargeSale<Item>(
  storeSales: StoreSales<Item>,
  storeMany?: StoreManySales<Item>,
  max_sales: number = MAX_SALES,
): ChargeSale<Item> {
  const limits = { items: max_sales, weight: { limit: MAX_WEIGHT, of: (sale: Sale<Item>) => sale.weight } }
  const store = makeKeyedBatchWriter<Sale<Item>, Receipt | Refusal>(
    limits,
    async (organisation_id, sales) => receiptsOf(sales, await storeSales(organisation_id, sales)),
    isDatabaseUnreachable,
    storeMany && { ...SHARED, write: (groups) => storeGroups(storeMany, groups) },
  )
  const keys_in_flight = new Set<string>()

  async function charge(organisation_id: string, sale: Sale<Item>): Promise<Receipt> {
    const outcome = await store(organisation_id, sale)
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }

  return async (organisation_id, sale) => {
    if (!sale.idempotency) return charge(organisation_id, sale)
    const key = `${organisation_id} ${sale.idempotency.key}`
    if (keys_in_flight.has(key)) throw stillRunning()
    keys_in_flight.add(key)
    try {
      return await charge(organisation_id, sale)
    } finally {
      keys_in_flight.delete(key)
    }
  }
}

async function storeGroups<Item>(
  storeMany: StoreManySales<Item>,
  groups: readonly Group<Sale<Item>>[],
): Promise<((Receipt | Refusal)[] | undefined)[]> {
  // What a key with a limit has spent is read under the lock of the balance, and fees have a ledger line of their own: such
  // an organisation is charged alone.
  const simple = groups.filter(({ items }) => !items.some(({ spending_limit, fee }) => spending_limit || fee))
  if (simple.length === 0) return groups.map(() => undefined)
  const all = await storeMany(simple.map(({ key, items }) => ({ organisation_id: key, sales: items })))
  const charged_of = new Map(simple.map(({ key }, n) => [key, all[n]]))
  return groups.map(({ key, items }) => {
    const charged = charged_of.get(key)
    return charged && receiptsOf(items, charged)
  })
}

/** Usually the whole batch is charged; then the balance after each sale follows from the final balance. */
function receiptsOf(sales: readonly Sale<unknown>[], charged: Charged): (Receipt | Refusal)[] {
  const { outcomes } = charged
  if (outcomes) return sales.map((sale, n) => receiptOf(sale, n, charged, outcomes[n]))
  let balance_before = sales.reduce((sum, { amount }) => sum + amount, charged.balance_left)
  return sales.map(({ answer, amount }) => {
    const balance_after = balance_before - amount
    const facts = factsOf({ created_datetime: charged.moment, balance_before, balance_after })
    balance_before = balance_after
    return { answer: answer(facts), replayed: false }
  })
}

function receiptOf(
  { answer, amount, spending_limit }: Sale<unknown>,
  n: number,
  { moment, balances_left, known_answers }: Charged,
  outcome: NonNullable<Charged['outcomes']>[number] | undefined,
): Receipt | Refusal {
  switch (outcome) {
    case 'charged': {
      const balance_after = BigInt(balances_left?.[n] ?? 0)
      const facts = { created_datetime: moment, balance_before: balance_after + amount, balance_after }
      return { answer: answer(factsOf(facts)), replayed: false }
    }
    case 'replayed':
      return { answer: known_answers?.[n] ?? '', replayed: true }
    case 'conflict':
      return new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
    case 'insufficient':
      return insufficientBalance()
    case 'over_limit':
      return overLimit(spending_limit?.daily ?? 0n)
    case 'ended':
      return new Refusal('conflict', 'What it is for has ended.')
    case undefined:
      throw new Error('a sale was neither charged nor refused')
  }
}

export function insufficientBalance(): Refusal {
  const message = 'The balance does not cover the charge.'
  return new Refusal('insufficient_balance', message, [{ field: 'balance', message, type: 'insufficient_balance' }])
}

/** What the key has spent since midnight UTC is not in the sentence: other requests are being charged meanwhile. */
function overLimit(daily: Money): Refusal {
  const message = `The charge exceeds what this API key may still spend today (UTC); its daily limit is ${moneyToText(daily)}.`
  const fault = { field: 'daily_spending_limit', message, type: 'spending_limit' } as const
  return new Refusal('spending_limit', message, [fault])
}

function stillRunning(): Refusal {
  return new Refusal('idempotency_conflict', 'The first request with this Idempotency-Key is still running.')
}
