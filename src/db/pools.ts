import { connectBeside, type Db } from './connect.ts'

/** For the statements every message costs: an organisation's burst takes one, and has one at a time. */
const CHARGE_CONNECTIONS = 6
const WORK_CONNECTIONS = 8
/** For requests that are answered by a look at one row. Who holds them up on purpose holds up neither charging nor workers. */
const QUICK_CONNECTIONS = 4
/** For submits over SMPP, and for what waits for receivers there. */
const SMPP_CONNECTIONS = 4
/** For binds over SMPP, which are leased anew every second: they wait for nothing else. */
const BIND_CONNECTIONS = 2

type Pools = Record<'charge_db' | 'work_db' | 'quick_db' | 'smpp_db' | 'bind_db', Db>

/** The connections whose plans are kept, for statements that only probe by key. Each is made when it is first needed. */
export function openPools(db: Db): Pools & { endPools: () => Promise<void> } {
  const open = (connections: number): Db => connectBeside(db, { connections, plans: 'kept' })
  const pools = {
    charge_db: open(CHARGE_CONNECTIONS),
    work_db: open(WORK_CONNECTIONS),
    quick_db: open(QUICK_CONNECTIONS),
    smpp_db: open(SMPP_CONNECTIONS),
    bind_db: open(BIND_CONNECTIONS),
  }
  return {
    ...pools,
    async endPools() {
      await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 1 })))
    },
  }
}
