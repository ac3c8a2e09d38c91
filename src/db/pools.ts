import { CONNECTIONS, connectBeside, type Db } from './connect.ts'

/** For the statements of every message: a batch of an organisation uses one connection, one at a time. */
const CHARGE_CONNECTIONS = 6
/** For batches of many organisations, kept apart from those of one, which may wait for the lock of its balance. */
const SHARED_CONNECTIONS = 2
const WORK_CONNECTIONS = 8
/** For requests that read one row, kept apart so that slow clients delay neither charging nor workers. */
const QUICK_CONNECTIONS = 4
/** For submits over SMPP, and for its outbox. */
const SMPP_CONNECTIONS = 4
/** For SMPP binds, whose leases are renewed every second and must not wait. */
const BIND_CONNECTIONS = 2

/** Of a process with all roles: these, those for reads, and the one that listens for wake-ups. */
export function connectionsOfProcess(): number {
  const pooled = [
    CHARGE_CONNECTIONS,
    SHARED_CONNECTIONS,
    WORK_CONNECTIONS,
    QUICK_CONNECTIONS,
    SMPP_CONNECTIONS,
    BIND_CONNECTIONS,
  ]
  return pooled.reduce((sum, count) => sum + count, CONNECTIONS + 1)
}

type Pools = Record<'charge_db' | 'shared_db' | 'work_db' | 'quick_db' | 'smpp_db' | 'bind_db', Db>

/**
 * Pools with generic plans, for statements that only look up by key. Connections are opened on demand, under the given name or
 * that of `db`.
 */
export function openPools(db: Db, application_name?: string): Pools & { endPools: () => Promise<void> } {
  const named = application_name === undefined ? {} : { application_name }
  const open = (connections: number): Db => connectBeside(db, { connections, plans: 'kept', ...named })
  const pools = {
    charge_db: open(CHARGE_CONNECTIONS),
    shared_db: open(SHARED_CONNECTIONS),
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
