import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Db, Tx } from '../db/connect.ts'
import type { Query, Sql } from '../db/sql.ts'
import { inOneTrip, type Statement } from '../db/transaction.ts'
import { makeBurst, type Burst } from '../values/burst.ts'
import { Refusal } from '../values/refusal.ts'
import { factsOf } from './answer-slots.ts'
import { chargeAtOnce, chargeSales, lockBalance, type ChargeRow, type SaleRow, type SpentRow } from './store.ts'
import { isRecord } from '../values/record.ts'
import { codeOf } from '../values/thrown.ts'

/** Stores what was sold, of many sales at once, and only of those that have their ledger line. */
export type StoreItems<T> = (tx: Tx, organisation_id: string, items: readonly T[]) => Statement[]

/** Stores the same as further CTEs of the charging statement, which has a row in `spent` if all is charged. */
export type StoreAtOnce<T> = (sql: Sql, organisation_id: string, items: readonly T[]) => Query

export type SaleWrite = { store: StoreAny; at_once: StoreAnyAtOnce | undefined; item: unknown }

/**
 * For items of a type that is forgotten: `saleWrite` has seen that they fit. As methods, because only of these TypeScript
 * lets the parameters be of a wider type.
 */
type StoreAny = { of(...given: Parameters<StoreItems<unknown>>): Statement[] }['of']
type StoreAnyAtOnce = { of(...given: Parameters<StoreAtOnce<unknown>>): Query }['of']

export function saleWrite<T>(store: StoreItems<T>, item: T, at_once?: StoreAtOnce<T>): SaleWrite {
  return { store, at_once, item }
}

export type Sale = SaleRow & {
  /** What to store with the charge, in this order. */
  writes: readonly SaleWrite[]
  /** Rows the sale will write, so that a burst stays of bounded size. */
  weight: number
}

export type Receipt = { answer: string; replayed: boolean }

/** Takes the money and stores what it was taken for, both or neither. */
export type ChargeSale = (organisation_id: string, sale: Sale) => Promise<Receipt>

const LIMITS = { items: 512, weight: { limit: 10_000, of: (sale: Sale) => sale.weight } }

/**
 * Charges and stores what organisations buy, by group commit: sales that arrive while a write of the same organisation is
 * under way join the next one. One balance row takes a few hundred transactions a second, but each may carry hundreds of
 * sales.
 */
export function makeChargeSale(deps: { db: Db }): ChargeSale {
  const bursts = new Map<string, Burst<Sale, Receipt | Refusal>>()
  const keys_in_flight = new Set<string>()

  async function charge(organisation_id: string, sale: Sale): Promise<Receipt> {
    let burst = bursts.get(organisation_id)
    if (!burst) {
      burst = makeBurst(LIMITS, (sales) => chargeBurst(deps.db, organisation_id, sales), isDatabaseUnreachable)
      bursts.set(organisation_id, burst)
    }
    const outcome = await burst(sale)
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

/** Nearly always a burst is covered whole; only if not, each sale is looked at on its own. */
async function chargeBurst(db: Db, organisation_id: string, sales: readonly Sale[]): Promise<(Receipt | Refusal)[]> {
  const spent = await chargeBurstAtOnce(db, organisation_id, sales)
  if (spent) return receiptsOf(sales, spent)
  const [, charges] = await inOneTrip(db, (tx) => [
    lockBalance(tx, organisation_id),
    chargeSales(tx, organisation_id, sales),
    ...storeAll(tx, organisation_id, sales),
  ])
  return sales.map((sale, n) => receiptOf(sale, charges[n]))
}

async function chargeBurstAtOnce(
  db: Db,
  organisation_id: string,
  sales: readonly Sale[],
): Promise<SpentRow | undefined> {
  const batches = batchesOf(sales)
  try {
    if (batches.every(({ at_once }) => at_once)) {
      const ctes = batches.flatMap(({ at_once, items }) => at_once?.(db, organisation_id, items) ?? [])
      const [spent] = await chargeAtOnce(db, organisation_id, sales, ctes)
      return spent
    }
    const [spent] = await inOneTrip(db, (tx) => [
      chargeAtOnce(tx, organisation_id, sales, []),
      ...storeAll(tx, organisation_id, sales),
    ])
    return spent[0]
  } catch (fault) {
    if (isKnownKey(fault)) return undefined
    throw fault
  }
}

function storeAll(tx: Tx, organisation_id: string, sales: readonly Sale[]): Statement[] {
  return batchesOf(sales).flatMap(({ store, items }) => store(tx, organisation_id, items))
}

type WriteBatch = Omit<SaleWrite, 'item'> & { items: unknown[] }

/** Items of one kind are stored together, the kinds in the order of the sales. There are few, so each is looked for. */
function batchesOf(sales: readonly Sale[]): WriteBatch[] {
  const batches: WriteBatch[] = []
  for (const { writes } of sales) {
    for (const { store, at_once, item } of writes) {
      const batch = batches.find((known) => known.store === store)
      if (batch) batch.items.push(item)
      else batches.push({ store, at_once, items: [item] })
    }
  }
  return batches
}

/** An idempotency key that was used before; whatever else is twice is a bug and shows the second time. */
function isKnownKey(fault: unknown): boolean {
  return codeOf(fault) === UNIQUE_VIOLATION && isRecord(fault) && fault.table === 'idempotency_keys'
}

const UNIQUE_VIOLATION = '23505'

function receiptsOf(sales: readonly Sale[], { balance, created_datetime }: SpentRow): Receipt[] {
  let before = sales.reduce((sum, { amount }) => sum + amount, balance)
  return sales.map(({ answer, amount }) => {
    const facts = factsOf({ created_datetime, balance_before: before, balance_after: before - amount })
    before -= amount
    return { answer: answer(facts), replayed: false }
  })
}

function receiptOf(sale: Sale, row: ChargeRow | undefined): Receipt | Refusal {
  switch (row?.outcome) {
    case 'charged':
      return { answer: sale.answer(factsOf(row)), replayed: false }
    case 'replayed':
      return { answer: row.answer ?? '', replayed: true }
    case 'conflict':
      return new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
    case 'insufficient':
      return insufficientBalance()
    case undefined:
      throw new Error('a sale was neither charged nor refused')
  }
}

export function insufficientBalance(): Refusal {
  const message = 'The balance does not cover the charge.'
  return new Refusal('insufficient_balance', message, [{ field: 'balance', message, type: 'insufficient_balance' }])
}

function stillRunning(): Refusal {
  return new Refusal('idempotency_conflict', 'The first request with this Idempotency-Key is still running.')
}
