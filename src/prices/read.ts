import type { Db } from '../db/connect.ts'
import { csvLine } from '../values/csv-write.ts'
import { isStorable } from '../values/input/storable.ts'
import { moneyToNumber, moneyToText } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { requireList } from './change.ts'
import { shownFees } from './fees.ts'
import {
  BEFORE_ALL,
  listChanges,
  listCurrent,
  listPast,
  readCurrent,
  type CurrentRule,
  type RuleRow,
} from './rule-store.ts'
import type { ListKind, PastRule, PriceChange, PriceList, PriceRule } from './schema.ts'
import { targetText, type RuleTarget } from './rule.ts'
import { FILE_LIST, listAllLists, readAssigned } from './store.ts'

/** The prices of the configuration file, as rules. */
export type FilePrices = readonly (Omit<RuleTarget, 'route_class'> & {
  class?: RuleTarget['route_class']
  price: number
})[]

const MAX_HISTORY = 200

/** All price lists, that of the configuration file among them; or all cost lists. */
export async function findLists(
  { db }: { db: Db },
  file_prices: FilePrices,
  kind: ListKind = 'price',
): Promise<PriceList[]> {
  const rows = await listAllLists(db, kind)
  const has_default = rows.some(({ is_default }) => is_default)
  const lists = rows.map((row): PriceList => ({
    name: row.name,
    kind,
    managed_by: row.managed_by,
    is_default: row.is_default,
    below_cost: row.below_cost,
    ...shownFees(row),
    version: Number(row.version),
    rules: row.managed_by === 'file' ? file_prices.length : row.rules,
    organisations: row.organisations,
    ...(kind === 'cost' ? { carriers: row.carriers } : {}),
    ...(row.managed_by === 'file' ? {} : { changed_datetime: row.changed_datetime }),
    ...present('changed_by', row.changed_by),
  }))
  if (kind === 'cost') return lists
  const file = lists.find(({ managed_by }) => managed_by === 'file') ?? {
    name: FILE_LIST,
    kind,
    managed_by: 'file' as const,
    is_default: !has_default,
    below_cost: 'allow' as const,
    version: 0,
    rules: file_prices.length,
    organisations: 0,
  }
  return [file, ...lists.filter(({ managed_by }) => managed_by !== 'file')]
}

export async function readList({ db }: { db: Db }, file_prices: FilePrices, name: string): Promise<PriceList> {
  const kind = name === FILE_LIST ? 'price' : (await requireList(db, name)).kind
  const found = (await findLists({ db }, file_prices, kind)).find((one) => one.name === name)
  if (found) return found
  throw new Error(`the price list ${name} is not in the list of lists`)
}

/** Rules that apply now or will, in the order of what they apply to. */
export async function findRules(
  { db }: { db: Db },
  file_prices: FilePrices,
  name: string,
  { search = '', ...query }: PageQuery & { search?: string },
): Promise<{ rules: PriceRule[]; pagination: Pagination }> {
  const wanted = search
    .replaceAll('\0', '')
    .trim()
    .replace(/^\+/, '')
    .replace(/^(\d{3})-(\d{2,3})$/, '$1$2')
  if (name === FILE_LIST) return { rules: fileRules(file_prices, wanted), pagination: onePage(file_prices.length) }
  const list = await requireList(db, name)
  const { rows, pagination } = await listCurrent(db, list.id, wanted, readPage(query, isStorable))
  return { rules: rows.map(shownCurrent), pagination }
}

/** All rules that a target ever had, newest first. */
export async function findHistory({ db }: { db: Db }, name: string, target: string): Promise<PastRule[]> {
  const list = await requireList(db, name)
  const rows = await listPast(db, list.id, target.replaceAll('\0', ''), MAX_HISTORY)
  return rows.map((row) => ({
    ...shownRule(row, Date.parse(row.valid_from) > Date.now()),
    actor: row.actor,
    created_datetime: row.created_datetime,
    ...present('withdrawn_by', row.withdrawn_by),
    ...present('withdrawn_datetime', row.withdrawn_datetime),
  }))
}

/** What changed a list, newest first. */
export async function findChanges({ db }: { db: Db }, name: string): Promise<PriceChange[]> {
  const list = await requireList(db, name)
  const rows = await listChanges(db, list.id, MAX_HISTORY)
  return rows.map(({ version, kind, actor, file_name, undone_by, created_datetime, ...counts }) => ({
    version: Number(version),
    kind,
    actor,
    ...present('file_name', file_name),
    ...counts,
    ...present('undone_by', undone_by === null ? null : Number(undone_by)),
    created_datetime,
  }))
}

/** The lists of those organisations that are assigned one. */
export async function assignedLists({ db }: { db: Db }, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await readAssigned(db, ids)
  return new Map(rows.map(({ organisation_id, name }) => [organisation_id, name]))
}

const HEAD = ['channel', 'class', 'prefix', 'country', 'operator', 'mccmnc', 'price', 'effective']
const RULES_PER_READ = 5_000

/** The current rules of a list as CSV, which can be imported again. */
export async function* exportPrices({ db }: { db: Db }, file_prices: FilePrices, name: string): AsyncGenerator<string> {
  yield csvLine(HEAD)
  if (name === FILE_LIST) {
    for (const { channel, class: route_class = '', prefix, country = '', operator = '', price } of file_prices) {
      yield csvLine([channel, route_class, prefix, country, operator, '', String(price), ''])
    }
    return
  }
  const list = await requireList(db, name)
  for (let after = BEFORE_ALL; ;) {
    const rules = await readCurrent(db, list.id, after, RULES_PER_READ)
    yield rules.map(csvOf).join('')
    const last = rules.at(-1)
    if (!last || rules.length < RULES_PER_READ) return
    after = { target: last.target, valid_from: last.valid_from }
  }
}

/** A rule that will end a price has none: only its date is written. */
function csvOf({
  channel,
  route_class,
  prefix,
  country,
  operator,
  mcc_mnc,
  price,
  valid_from,
  for_s,
}: CurrentRule): string {
  if (price === null) return ''
  const from = for_s < 0 ? valid_from : ''
  return csvLine([
    channel,
    route_class ?? '',
    prefix,
    country ?? '',
    operator ?? '',
    mcc_mnc ?? '',
    moneyToText(price),
    from,
  ])
}

function fileRules(file_prices: FilePrices, search: string): PriceRule[] {
  const wanted = search.toLowerCase()
  return file_prices
    .map(({ class: route_class, price, ...rule }): PriceRule => {
      const { channel, prefix, country, operator } = rule
      const target = targetText({ ...rule, route_class })
      return {
        target,
        channel,
        ...present('route_class', route_class),
        prefix,
        ...present('country', country),
        ...present('operator', operator),
        price,
        scheduled: false,
      }
    })
    .filter(
      ({ prefix, country = '', operator = '' }) =>
        prefix.startsWith(wanted) || country.toLowerCase() === wanted || operator.toLowerCase().includes(wanted),
    )
}

function onePage(count: number): Pagination {
  return {
    next_page: 'False',
    prev_page: 'False',
    per_page: count,
    count_total: count,
    page_total: 1,
    page: 1,
    query_id: '0',
  }
}

function shownCurrent(row: CurrentRule): PriceRule {
  return shownRule(row, row.for_s < 0)
}

function shownRule(row: RuleRow, scheduled: boolean): PriceRule {
  return {
    target: row.target,
    channel: row.channel,
    ...present('route_class', row.route_class),
    prefix: row.prefix,
    ...present('country', row.country),
    ...present('operator', row.operator),
    ...present('mcc_mnc', row.mcc_mnc),
    ...present('price', row.price === null ? null : moneyToNumber(row.price)),
    valid_from: row.valid_from,
    scheduled,
  }
}
