import type { Db } from '../../../db/connect.ts'
import type { BindWithPdus, BoundCarrier } from '../../schema.ts'
import { readBinds } from './binds-store.ts'

/** A carrier with its binds, as last stored by the processes that hold them. */
export type ShownCarrier = Omit<BoundCarrier, 'binds'> & { binds: BindWithPdus[] }

/** The SMPP carriers for the operator. Binds that no process holds are listed as `stopped`. */
export async function listCarriers({ db }: { db: Db }): Promise<ShownCarrier[]> {
  const carriers = new Map<string, ShownCarrier>()
  for (const { carrier, ...bind } of await readBinds(db)) {
    const shown: ShownCarrier = carriers.get(carrier) ?? { carrier, kind: 'smpp', up: false, binds: [] }
    carriers.set(carrier, shown)
    shown.up ||= bind.state === 'bound'
    shown.binds.push(bind)
  }
  return [...carriers.values()]
}
