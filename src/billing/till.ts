import { isDatabaseAway } from '../db/away.ts'
import type { Db, Tx } from '../db/connect.ts'
import { inOneTrip, type Statement } from '../db/transaction.ts'
import { makeBurst, type Burst } from '../values/burst.ts'
import { Refusal } from '../values/refusal.ts'
import { fillAnswer } from './answer.ts'
import { chargeSales, lockBalance, type ChargeRow, type SaleRow } from './store.ts'

/** Stores what was sold, of many sales at once, and only of those that have their ledger line. */
export type StoreGoods<T> = (tx: Tx, organisation_id: string, goods: readonly T[]) => Statement[]

export type Goods = { store: StoreGoods<unknown>; item: unknown }

export function goods<T>(store: StoreGoods<T>, item: T): Goods {
  return { store: store as StoreGoods<unknown>, item }
}

export type Sale = SaleRow & {
  /** What to store with the charge, in this order. */
  goods: readonly Goods[]
  /** Rows the sale will write, so that a burst stays of bounded size. */
  weight: number
}

export type Receipt = { answer: string; replayed: boolean }

export type Till = { charge(organisation_id: string, sale: Sale): Promise<Receipt> }

const LIMITS = { items: 512, weight: { limit: 10_000, of: (sale: Sale) => sale.weight } }

/**
 * Charges and stores what organisations buy. Sales that arrive while a write of the same organisation is under way
 * join the next one: one balance row takes a few hundred transactions a second, but each may carry hundreds of sales.
 */
export function makeTill(deps: { db: Db }): Till {
  const counters = new Map<string, Burst<Sale, Receipt | Refusal>>()
  const keys_in_flight = new Set<string>()

  async function charge(organisation_id: string, sale: Sale): Promise<Receipt> {
    let counter = counters.get(organisation_id)
    if (!counter) {
      counter = makeBurst(LIMITS, (sales) => ringUp(deps.db, organisation_id, sales), isDatabaseAway)
      counters.set(organisation_id, counter)
    }
    const outcome = await counter(sale)
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }

  return {
    async charge(organisation_id, sale) {
      if (!sale.idempotency) return charge(organisation_id, sale)
      const key = `${organisation_id} ${sale.idempotency.key}`
      if (keys_in_flight.has(key)) throw stillRunning()
      keys_in_flight.add(key)
      try {
        return await charge(organisation_id, sale)
      } finally {
        keys_in_flight.delete(key)
      }
    },
  }
}

async function ringUp(db: Db, organisation_id: string, sales: readonly Sale[]): Promise<(Receipt | Refusal)[]> {
  const [, charges] = await inOneTrip(db, (tx) => [
    lockBalance(tx, organisation_id),
    chargeSales(tx, organisation_id, sales),
    ...storeGoods(tx, organisation_id, sales),
  ])
  return sales.map((sale, n) => receiptOf(sale, (charges as ChargeRow[])[n]))
}

function storeGoods(tx: Tx, organisation_id: string, sales: readonly Sale[]): Statement[] {
  const shelves = new Map<StoreGoods<unknown>, unknown[]>()
  for (const { store, item } of sales.flatMap((sale) => sale.goods)) {
    const shelf = shelves.get(store)
    if (shelf) shelf.push(item)
    else shelves.set(store, [item])
  }
  return [...shelves].flatMap(([store, items]) => store(tx, organisation_id, items))
}

function receiptOf(sale: Sale, row: ChargeRow | undefined): Receipt | Refusal {
  switch (row?.outcome) {
    case 'charged':
      return { answer: fillAnswer(sale.answer, row), replayed: false }
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

function insufficientBalance(): Refusal {
  const message = 'The balance does not cover the charge.'
  return new Refusal('insufficient_balance', message, [{ field: 'balance', message, type: 'insufficient_balance' }])
}

function stillRunning(): Refusal {
  return new Refusal('idempotency_conflict', 'The first request with this Idempotency-Key is still running.')
}
