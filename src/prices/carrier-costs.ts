import type { CarrierCosts, Costs } from '../carriers/costs.ts'
import type { Db } from '../db/connect.ts'
import type { LiveVersions } from '../db/live-versions.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import { COSTS } from './change.ts'
import { listCostAssignments } from './cost-store.ts'
import { readCompiled, type LoadedList } from './price-lists.ts'

/**
 * The cost lists that are assigned to carriers, all of them in memory: what a delivery costs is looked up while its outcome
 * is recorded, which must not wait. A change of a list or an assignment is in effect within two seconds.
 */
export async function startCarrierCosts({
  live_versions,
  ...deps
}: Deps & { live_versions: LiveVersions }): Promise<Costs> {
  let current = await read(deps, new Map())
  // The first call repeats it, because a change may have come in between.
  live_versions.follow(COSTS, async () => {
    current = await read(deps, current.lists)
  })
  return {
    get in_use() {
      return current.by_carrier.size > 0
    },
    of: (carrier) => current.by_carrier.get(carrier),
  }
}

/** The costs as they are now. */
export async function readCarrierCosts(deps: Deps): Promise<Costs> {
  const { by_carrier } = await read(deps, new Map())
  return { in_use: by_carrier.size > 0, of: (carrier) => by_carrier.get(carrier) }
}

type Deps = { db: Db; originOf: (msisdn: string) => Origin }
type Read = { lists: ReadonlyMap<string, LoadedList>; by_carrier: ReadonlyMap<string, CarrierCosts> }

/** Reads assignments and those lists that have changed. */
async function read(deps: Deps, known_lists: Read['lists']): Promise<Read> {
  const lists = new Map<string, LoadedList>()
  const by_carrier = new Map<string, CarrierCosts>()
  for (const { carrier, price_list_id: id, version, billed_on, use_answers } of await listCostAssignments(deps.db)) {
    const known = lists.get(id) ?? known_lists.get(id)
    const list = known?.version === version ? known : await readCompiled(deps, id)
    if (!list) continue
    lists.set(id, list)
    by_carrier.set(carrier, costsBy(list, { billed_on, use_answers }))
  }
  return { lists, by_carrier }
}

/** The operator is that of the prefix: whether a number was ported is not looked up when a message is submitted. */
export function costsBy(
  { price }: Pick<LoadedList, 'price'>,
  assigned: Pick<CarrierCosts, 'billed_on' | 'use_answers'>,
): CarrierCosts {
  return {
    ...assigned,
    perPage: ({ channel, recipient, promotional }) =>
      price(channel, recipient, promotional ? PROMOTIONAL : undefined)?.per_page,
  }
}

const PROMOTIONAL = { route_class: 'promotional' } as const
