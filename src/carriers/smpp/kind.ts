import type { CarrierKind } from '../kind.ts'
import type { CarrierState } from '../schema.ts'
import { startSmpp, type SmppDeps } from './carrier/carrier.ts'
import { listCarriers, type ShownCarrier } from './carrier/list.ts'
import type { SmppSettings } from './schema.ts'

export type { SmppDeps }

export const smppKind: CarrierKind<SmppSettings, SmppDeps> = {
  start: startSmpp,
  async describe(deps, carriers) {
    const shown = new Map((await listCarriers(deps)).map((one) => [one.carrier, one]))
    return carriers.map(({ name, kind }) => ({ name, kind, ...stateOf(shown.get(name)) }))
  },
}

/** Up if all binds are bound, degraded if some are; `detail` gives the reasons of the others. */
function stateOf(shown: ShownCarrier | undefined): Pick<CarrierState, 'state' | 'detail'> {
  const binds = shown?.binds ?? []
  const down = binds.filter(({ state }) => state !== 'bound')
  const up = binds.length - down.length
  const state = up === 0 ? 'down' : down.length > 0 ? 'degraded' : 'up'
  const reasons = new Set(down.flatMap(({ figures }) => figures?.reason ?? []))
  const counted = binds.length === 1 ? `${up} of 1 bind is up` : `${up} of ${binds.length} binds are up`
  return { state, detail: [counted, ...reasons].join('; ') }
}
