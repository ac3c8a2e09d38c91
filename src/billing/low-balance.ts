import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Log } from '../values/log.ts'
import { moneyToNumber } from '../values/money.ts'
import { findCrossed, noteCrossed, type Crossed } from './low-balance-store.ts'

/** What is posted, and where it stands in line with all that is. */
export type LowBalanceEvent = {
  type: 'balance.low'
  url: null
  subject_id: string
  created_datetime: string
  data: { balance: number; low_balance: number; currency: string }
}

type Deps = {
  db: Db
  log: Log
  enqueue: (tx: Tx, organisation_id: string, events: readonly LowBalanceEvent[]) => Promise<number>
  /** Something stands in line. */
  wake: () => void
}

const EVERY_MS = 3_000
/** Organisations in one look; the others follow with the next. */
const AT_A_TIME = 500

/**
 * Tells organisations whose balance has fallen below what they named, once until it is above it again. By a look every
 * few seconds, not with each charge: the balance is the row that every message waits for.
 */
export function startLowBalances(deps: Deps, every_ms = EVERY_MS): { stop(): Promise<void> } {
  let stopped = false
  let looking: Promise<void> = Promise.resolve()
  let timer = setTimeout(look, every_ms)
  function look(): void {
    looking = tellLowBalances(deps)
      .catch((err: unknown) => deps.log.warn({ err }, 'balances could not be looked at'))
      .finally(() => {
        if (!stopped) timer = setTimeout(look, every_ms)
      })
  }
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

async function tellLowBalances(deps: Deps): Promise<void> {
  const crossed = await findCrossed(deps.db, AT_A_TIME)
  let told = 0
  for (const one of crossed) told += await tell(deps, one)
  if (told > 0) deps.wake()
}

/** The mark and the event together: several processes may look, and one of them tells. */
async function tell({ db, enqueue }: Deps, crossed: Crossed): Promise<number> {
  const { organisation_id, low_balance, currency } = crossed
  return transaction(db, async (tx) => {
    const noted = await noteCrossed(tx, crossed)
    if (!noted || !crossed.low || low_balance === null) return 0
    const data = { balance: moneyToNumber(noted.balance), low_balance: moneyToNumber(low_balance), currency }
    const { moment: created_datetime } = noted
    return enqueue(tx, organisation_id, [
      { type: 'balance.low', url: null, subject_id: organisation_id, created_datetime, data },
    ])
  })
}
