import type { Db } from '../db/connect.ts'
import { remember } from '../values/remember.ts'
import { listCarriers, type ShownCarrier } from './smpp/list.ts'

/** How a carrier is doing. */
export type CarrierState = {
  name: string
  kind: string
  state: 'up' | 'degraded' | 'down' | 'unknown'
  detail?: string
}

const REMEMBERED_MS = 2_000

/** The state of every configured carrier: of SMPP by its binds, of others as far as it can be known. */
export function makeCarrierStates(
  deps: { db: Db },
  carriers: readonly { name: string; kind: string }[],
): () => Promise<CarrierState[]> {
  const any_smpp = carriers.some(({ kind }) => kind === 'smpp')
  const binds = remember(REMEMBERED_MS, async () => (any_smpp ? listCarriers(deps) : []))
  return async () => {
    const bound = new Map((await binds('')).map((shown) => [shown.carrier, shown]))
    return carriers.map(({ name, kind }) => {
      if (kind === 'smpp') return { name, kind, ...stateOf(bound.get(name)) }
      return { name, kind, state: kind === 'simulator' ? 'up' : 'unknown' }
    })
  }
}

function stateOf(shown: ShownCarrier | undefined): Pick<CarrierState, 'state' | 'detail'> {
  const all = shown?.binds.length ?? 0
  const up = shown?.binds.filter(({ state }) => state === 'bound').length ?? 0
  const state = up === 0 ? 'down' : up < all ? 'degraded' : 'up'
  return { state, detail: `${up} of ${all} binds are up` }
}
