import type { Db } from '../db/connect.ts'
import type { MessageCarrier } from './message-carrier.ts'
import type { CarrierState } from './schema.ts'

/** What every kind of carrier exports; `kinds.ts` registers them. */
export type CarrierKind<Settings, Deps> = {
  start(deps: Deps, settings: Settings): MessageCarrier
  /** The states of the configured carriers of this kind, by what the processes have stored about them. */
  describe(deps: DescribeDeps, carriers: readonly Settings[]): Promise<CarrierState[]>
}

export type DescribeDeps = { db: Db; public_url: string }
