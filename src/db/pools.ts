import { connectBeside, type Db } from './connect.ts'

/** For the statements every message costs: an organisation's burst takes one, and has one at a time. */
const CHARGE_CONNECTIONS = 6
const WORK_CONNECTIONS = 8
/** For requests that are answered by a look at one row. Who holds them up on purpose holds up neither charging nor workers. */
const QUICK_CONNECTIONS = 4

/** The connections whose plans are kept, for statements that only probe by key. */
export function openPools(db: Db): { charge_db: Db; work_db: Db; quick_db: Db; endPools: () => Promise<void> } {
  const open = (connections: number): Db => connectBeside(db, { connections, plans: 'kept' })
  const pools = {
    charge_db: open(CHARGE_CONNECTIONS),
    work_db: open(WORK_CONNECTIONS),
    quick_db: open(QUICK_CONNECTIONS),
  }
  return {
    ...pools,
    async endPools() {
      await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 1 })))
    },
  }
}
