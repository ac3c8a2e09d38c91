import type { Db } from '../db/connect.ts'
import type { LiveVersions } from '../db/live-versions.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { makeCompiler, type CompiledList } from './compile.ts'
import { BEFORE_ALL, readCurrent } from './rule-store.ts'
import { PRICES } from './change.ts'
import { NO_FEES, type FeesOf } from './fees.ts'
import type { BelowCost } from './schema.ts'
import { readHead, readHeads, type ListHead } from './store.ts'

/** The price lists that organisations use, in memory. */
export type PriceLists = {
  /**
   * The prices of an organisation with this list; null: the default. Undefined: those of the configuration file. A promise
   * only if the list has to be loaded.
   */
  pricesOf(price_list_id: string | null): CompiledList | undefined | Promise<CompiledList | undefined>
  /** What happens to prices of this list, or of the default, that are below cost. */
  belowCostOf(price_list_id: string | null): BelowCost
  feesOf: FeesOf
}

/** Rules in memory, about 300 bytes each; more are loaded again when they are used. */
const MAX_RULES = 600_000
/** Rules read by one statement and compiled before other work runs. */
const RULES_PER_READ = 500

/** With its head as it was at the same version. */
export type LoadedList = CompiledList & { version: bigint; head: ListHead }

/**
 * Lists are loaded on first use and compiled once. A change raises the live version: then the changed lists that are in
 * memory are loaded again, and each replaces its former state as a whole.
 */
export async function startPriceLists({
  db,
  live_versions,
  originOf,
}: {
  db: Db
  live_versions: LiveVersions
  originOf: (msisdn: string) => Origin
}): Promise<PriceLists> {
  const cache = makeBoundedCache<string, LoadedList>(MAX_RULES, ({ rules }) => rules + 1)
  const loading = new Map<string, Promise<LoadedList | undefined>>()
  let heads = await readAll()

  // The first call repeats the read above, because a change may have come in between.
  live_versions.follow(PRICES, async () => {
    const next = await readAll()
    for (const head of next.values()) {
      const known = cache.get(head.id)
      if (known && known.version !== head.version) await load(head.id)
      else if (known) known.head = head // fees and what happens below cost keep the version of the rules
    }
    for (const id of heads.keys()) if (!next.has(id)) cache.delete(id)
    heads = next
  })

  async function readAll(): Promise<ReadonlyMap<string, ListHead>> {
    return new Map((await readHeads(db)).map((head) => [head.id, head]))
  }

  function defaultId(): string | undefined {
    for (const { id, is_default } of heads.values()) if (is_default) return id
    return undefined
  }

  async function load(id: string): Promise<LoadedList | undefined> {
    // Undefined if it was deleted: the organisation has another one, which this process is about to read.
    const list = await readCompiled({ db, originOf }, id)
    if (list) cache.set(id, list)
    return list
  }

  /** Those that wait for the same list share one load. */
  function loadOnce(id: string): Promise<LoadedList | undefined> {
    const known = loading.get(id)
    if (known) return known
    const own = load(id).finally(() => loading.delete(id))
    loading.set(id, own)
    return own
  }

  return {
    pricesOf(price_list_id) {
      const id = price_list_id ?? defaultId()
      if (id === undefined || heads.get(id)?.managed_by === 'file') return undefined
      return cache.get(id) ?? loadOnce(id)
    },
    belowCostOf(price_list_id) {
      const id = price_list_id ?? defaultId() ?? ''
      return (cache.get(id)?.head ?? heads.get(id))?.below_cost ?? 'allow'
    },
    // Prices and fees are those of one version: a list whose prices are not in memory is loaded for its fees, too.
    feesOf(price_list_id) {
      const id = price_list_id ?? defaultId()
      if (id === undefined) return NO_FEES
      const known = heads.get(id)
      if (known?.managed_by === 'file') return known
      return cache.get(id)?.head ?? loadOnce(id).then((list) => list?.head ?? NO_FEES)
    },
  }
}

/** Reads a list as it is at one version; undefined if it has no rules here: it was deleted, or is that of the file. */
export async function readCompiled(
  { db, originOf }: { db: Db; originOf: (msisdn: string) => Origin },
  id: string,
): Promise<LoadedList | undefined> {
  for (;;) {
    const before = await readHead(db, id)
    if (!before || before.managed_by === 'file') return undefined
    const list = await compile(db, id, originOf)
    const after = await readHead(db, id)
    if (after?.version !== before.version) continue // read while it was changed
    return { ...list, version: before.version, head: before }
  }
}

async function compile(db: Db, id: string, originOf: (msisdn: string) => Origin): Promise<CompiledList> {
  const compiler = makeCompiler(originOf)
  for (let after = BEFORE_ALL; ;) {
    const rules = await readCurrent(db, id, after, RULES_PER_READ)
    const read_ms = Date.now()
    for (const rule of rules) compiler.add(rule, read_ms)
    const last = rules.at(-1)
    if (!last || rules.length < RULES_PER_READ) return compiler.finish()
    after = { target: last.target, valid_from: last.valid_from }
  }
}
