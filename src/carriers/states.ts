import type { Db } from '../db/connect.ts'
import { cached } from '../values/concurrency/cached.ts'
import { listLastCalls } from './calls-store.ts'
import { stateOfCalls } from './heard.ts'
import { describeHttp } from './http/state.ts'
import { listBalances } from './http/store.ts'
import { listPauses } from './pauses-store.ts'
import { phoneState } from './phone/state.ts'
import { listPhoneLines } from './phone/store.ts'
import type { CarrierState } from './schema.ts'
import { isHttp, isPhone, isWhatsapp, type CarrierSettings } from './start.ts'
import { listCarriers, type ShownCarrier } from './smpp/carrier/list.ts'

const REMEMBERED_MS = 2_000

/** The state of every configured carrier: of SMPP by its binds, of others as far as it can be known. */
export function makeCarrierStates(
  deps: { db: Db; public_url: string },
  carriers: readonly CarrierSettings[],
): () => Promise<CarrierState[]> {
  const any_smpp = carriers.some(({ kind }) => kind === 'smpp')
  const any_http = carriers.some(isHttp)
  const any_called = any_http || carriers.some(isWhatsapp)
  const binds = cached(REMEMBERED_MS, async () => (any_smpp ? listCarriers(deps) : []))
  const notes = cached(REMEMBERED_MS, async () => ({
    pauses: any_called ? await listPauses(deps.db) : [],
    calls: any_called ? await listLastCalls(deps.db) : [],
    balances: any_http ? await listBalances(deps.db) : [],
  }))
  const phone_carriers = carriers.filter(isPhone)
  const phones = cached(REMEMBERED_MS, async () =>
    phone_carriers.length > 0 ? listPhoneLines(deps.db, phone_carriers) : [],
  )
  return async () => {
    const bound = new Map((await binds('')).map((shown) => [shown.carrier, shown]))
    const known = await notes('')
    const lines = await phones('')
    return carriers.map((carrier) => {
      const { name, kind } = carrier
      if (isHttp(carrier)) return describeHttp(carrier, deps.public_url, known)
      if (isWhatsapp(carrier)) return { name, kind, ...stateOfCalls(name, known) }
      if (kind === 'smpp') return { name, kind, ...stateOf(bound.get(name)) }
      if (kind === 'phone') return { name, kind, ...phoneState(lines.filter((line) => line.carrier === name)) }
      return { name, kind, state: kind === 'simulator' ? 'up' : 'unknown' }
    })
  }
}

/** With why those binds that are not up are not. */
function stateOf(shown: ShownCarrier | undefined): Pick<CarrierState, 'state' | 'detail'> {
  const binds = shown?.binds ?? []
  const down = binds.filter(({ state }) => state !== 'bound')
  const up = binds.length - down.length
  const state = up === 0 ? 'down' : down.length > 0 ? 'degraded' : 'up'
  const reasons = new Set(down.flatMap(({ figures }) => figures?.reason ?? []))
  return { state, detail: [`${up} of ${binds.length} binds are up`, ...reasons].join('; ') }
}
