import { readConfig, type Config } from '../../config/config.ts'
import { readEffective } from '../../config/effective.ts'
import type { Db } from '../../db/connect.ts'
import { makeSpellOperator } from '../../numbers/operator-name.ts'
import { readPrefixTable } from '../../numbers/prefix-table.ts'
import { makeRouteTable } from '../../messaging/compose/tariff.ts'
import { readCarrierCosts } from '../../prices/carrier-costs.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { costingCarriers, makeCostAt } from '../../wiring/below-cost.ts'
import { withDatabase } from '../database.ts'
import { usageFault } from '../terminal/operator-fault.ts'

/** The options that say what a rule applies to. */
export type Target = {
  channel?: string
  class?: string
  prefix?: string
  country?: string
  operator?: string
  network?: string
}

export function bodyOf({ channel, class: route_class, prefix, country, operator, network }: Target) {
  return {
    channel: channel === 'whatsapp' ? ('whatsapp' as const) : ('sms' as const),
    ...classOf(route_class),
    ...present('prefix', prefix),
    ...present('country', country),
    ...present('operator', operator),
    ...present('mcc_mnc', network),
  }
}

function classOf(word: string | undefined): { route_class?: 'transactional' | 'promotional' } {
  return word === 'transactional' || word === 'promotional' ? { route_class: word } : {}
}

export function settingDeps(db: Db, config: Config) {
  const table = readPrefixTable()
  return { db, numbers: { table, spellOperator: makeSpellOperator(table) }, currency: config.settings.currency }
}

/** The same, with the costs of carriers on the routes, those of operators included. */
export async function importDeps(db: Db, config: Config) {
  const deps = settingDeps(db, config)
  const { originOf } = deps.numbers.table
  const { routes } = (await readEffective({ db }, config)).settings
  const costs = await readCarrierCosts({ db, originOf })
  const costing_carriers = new Map(routes.map((route) => [route.name, costingCarriers(route)]))
  const live = makeRouteTable(routes, originOf)
  return { ...deps, costAt: makeCostAt(costs, { route_tables: { live }, costing_carriers }) }
}

/** All faults of a refusal, one per line. */
export async function change<T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  try {
    return await withDatabase(config, (db) => work(db, config))
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.faults.length === 0) throw fault
    const lines = fault.faults.map(({ field, message }) => (field === 'file' ? message : `${field}: ${message}`))
    throw usageFault([fault.message, ...lines].join('\n'))
  }
}
