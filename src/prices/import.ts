import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Actor } from '../users/audit.ts'
import { isStorable } from '../values/input/storable.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { MAX_FAULTS, Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import { lockForChange, managedByFile, requireList, writeChange } from './change.ts'
import { BEFORE_ALL, readCurrent, readNow, type CurrentRule, type NewRule } from './rule-store.ts'
import { MAX_SHOWN, MAX_SHOWN_NETWORKS, type Counts, type ImportQuery, type ImportResult } from './schema.ts'
import { readSheet, type Sheet } from './sheet/read-sheet.ts'
import type { RuleTarget } from './rule.ts'
import type { Numbers, SheetRule, UnknownNetwork } from './sheet/rules.ts'
import { changeTimeline, type Step } from './timeline.ts'

/** What messages to a target cost per page, at the carrier that gets them first; undefined: not known. */
export type CostAt = (target: RuleTarget) => { carrier: string; per_page: bigint } | undefined

export type ImportDeps = { db: Db; numbers: Numbers; currency: string; costAt: CostAt }

/** Rules read by one statement, and targets compared before other work runs. */
const RULES_PER_READ = 2_000

/**
 * Compares a rate sheet with a list, and applies it unless `dry_run`: all of it in one transaction, or nothing. It is
 * compared in slices, so that requests are served meanwhile, and refused if the list was changed since.
 */
export async function importPrices(
  deps: ImportDeps,
  who: Actor,
  name: string,
  file: Buffer,
  options: ImportQuery,
): Promise<ImportResult> {
  const { from_ms, file_name } = readOptions(options)
  const list = await requireList(deps.db, name)
  if (list.managed_by === 'file') throw managedByFile()
  if (options.version !== undefined && BigInt(options.version) !== list.version) {
    throw new Refusal('conflict', `${name} was changed in the meantime: compare the file again.`)
  }
  const sheet = await readSheet(deps, file, options)
  const now_ms = await readNow(deps.db)
  const start_ms = Math.max(from_ms, now_ms)
  const current = await readTargets(deps.db, list.id)
  const compared = await compare(current, sheet, now_ms, start_ms, options.replace === true)
  const { add, withdraw, unchanged, steps, ...counts } = compared
  const below_cost = list.kind === 'price' ? await findBelowCost(deps, sheet) : []
  const result = {
    lines: sheet.lines,
    ...counts,
    unchanged,
    invalid: sheet.invalid,
    columns: sheet.columns,
    headers: sheet.headers,
    faults: sheet.faults,
    unknown_networks: sheet.unknown_networks.size,
    networks: [...sheet.unknown_networks.values()].slice(0, MAX_SHOWN_NETWORKS).map(shownNetwork),
    below_cost: below_cost.length,
    below_cost_prices: below_cost.slice(0, MAX_SHOWN_NETWORKS),
    changes: steps.slice(0, MAX_SHOWN).map((step) => shownStep(step, now_ms)),
  }
  const version = Number(list.version)
  if (options.dry_run === true) return { version, applied: false, ...result }
  if (sheet.invalid > 0 && options.skip_invalid !== true) throw new Refusal('invalid_request', REFUSED, faultsOf(sheet))
  if (add.length === 0 && withdraw.length === 0) return { version, applied: true, ...result }
  const changed = await transaction(deps.db, async (tx) => {
    const locked = await lockForChange(tx, name, version)
    return writeChange(tx, who, locked, { ...counts, add, withdraw }, { kind: 'import', ...sampled(steps), file_name })
  })
  return { version: Number(changed), applied: true, ...result }
}

const REFUSED = 'The file has invalid lines; nothing was imported. Correct them, or skip them with skip_invalid.'

function faultsOf({ faults, invalid }: Sheet): Fault[] {
  const found = faults
    .slice(0, MAX_FAULTS - 1)
    .map(({ line, message }): Fault => ({ field: 'file', message: `Line ${line}: ${message}.`, type: 'invalid' }))
  if (invalid <= found.length) return found
  return [...found, { field: 'file', message: `${invalid} lines are invalid.`, type: 'invalid' }]
}

function readOptions({ from, file_name = '' }: ImportQuery): { from_ms: number; file_name: string | null } {
  const from_ms = from === undefined ? -Infinity : readMoment(from)
  const name = file_name.replace(/^.*[/\\]/, '').trim()
  const faults: Fault[] = []
  if (from_ms === undefined) {
    const message = 'This is no date-time with its offset, such as 2026-12-01T00:00:00+01:00.'
    faults.push({ field: 'from', message, type: 'date_invalid' })
  }
  if (!isStorable(name)) faults.push({ field: 'file_name', message: 'It holds a NUL character.', type: 'invalid' })
  refuseIfFaulty(faults)
  return { from_ms: from_ms ?? -Infinity, file_name: name === '' ? null : name }
}

/** The rules of every target of a list. */
async function readTargets(db: Db, price_list_id: string): Promise<Map<string, CurrentRule[]>> {
  const targets = new Map<string, CurrentRule[]>()
  for (let after = BEFORE_ALL; ;) {
    const rules = await readCurrent(db, price_list_id, after, RULES_PER_READ)
    for (const rule of rules) {
      const known = targets.get(rule.target)
      if (known) known.push(rule)
      else targets.set(rule.target, [rule])
    }
    const last = rules.at(-1)
    if (!last || rules.length < RULES_PER_READ) return targets
    after = { target: last.target, valid_from: last.valid_from }
  }
}

/** The prices of a file that are below cost. */
async function findBelowCost({ costAt }: ImportDeps, sheet: Sheet): Promise<ImportResult['below_cost_prices']> {
  const found: ImportResult['below_cost_prices'] = []
  let targets = 0
  for (const rules of sheet.targets.values()) {
    if (++targets % RULES_PER_READ === 0) await new Promise(setImmediate)
    const [rule] = rules
    const cost = rule && costAt(rule)
    if (!rule || !cost) continue
    const price = rules.reduce((least, one) => (one.price < least ? one.price : least), rule.price)
    if (price >= cost.per_page) continue
    const { carrier, per_page } = cost
    found.push({ ...shownTarget(rule), price: moneyToNumber(price), carrier, cost: moneyToNumber(per_page) })
  }
  return found
}

type ShownStep = Step & { rule: Omit<NewRule, 'price' | 'from_ms'> }
type Compared = Counts & { add: NewRule[]; withdraw: string[]; unchanged: number; steps: ShownStep[] }

async function compare(
  current: ReadonlyMap<string, CurrentRule[]>,
  sheet: Sheet,
  now_ms: number,
  start_ms: number,
  is_complete: boolean,
): Promise<Compared> {
  const found: Compared = {
    added: 0,
    raised: 0,
    lowered: 0,
    removed: 0,
    unchanged: 0,
    add: [],
    withdraw: [],
    steps: [],
  }
  const complete_from_ms = is_complete ? start_ms : Infinity
  let targets = 0

  async function take(rules: readonly SheetRule[], known: readonly CurrentRule[]): Promise<void> {
    const rule = rules[0] ?? namedBy(known)
    const wanted = rules.map(({ price, from_ms = start_ms }) => ({ price, from_ms }))
    const { add, withdraw, unchanged } = changeTimeline(known, wanted, now_ms, complete_from_ms)
    found.unchanged += unchanged
    found.withdraw.push(...withdraw.map(({ id }) => id))
    // A price of the future that is withdrawn, and not replaced at its moment.
    found.removed += withdraw.filter(({ from_ms }) => !add.some((step) => step.from_ms === from_ms)).length
    for (const step of add) {
      found[step.kind] += 1
      found.steps.push({ ...step, rule })
      found.add.push({ ...rule, price: step.price, from_ms: step.from_ms })
    }
    if (++targets % RULES_PER_READ === 0) await new Promise(setImmediate)
  }

  for (const [target, rules] of sheet.targets) await take(rules, current.get(target) ?? [])
  if (is_complete) {
    for (const [target, known] of current) if (!sheet.targets.has(target)) await take([], known)
  }
  return found
}

function namedBy(known: readonly CurrentRule[]): Omit<NewRule, 'price' | 'from_ms'> {
  const [rule] = known
  if (!rule) throw new Error('a target has neither lines nor rules')
  const { target, channel, prefix, route_class, country, operator, mcc_mnc } = rule
  return {
    target,
    channel,
    prefix,
    route_class: route_class ?? undefined,
    country: country ?? undefined,
    operator: operator ?? undefined,
    mcc_mnc: mcc_mnc ?? undefined,
  }
}

function shownStep({ kind, before, price, from_ms, rule }: ShownStep, now_ms: number): ImportResult['changes'][number] {
  return {
    kind,
    ...shownTarget(rule),
    ...present('before', before === null ? undefined : moneyToNumber(before)),
    ...present('price', price === null ? undefined : moneyToNumber(price)),
    ...present('valid_from', from_ms > now_ms ? answerTime(from_ms) : undefined),
  }
}

function shownTarget({ channel, route_class, prefix, country, operator, mcc_mnc }: Omit<NewRule, 'price' | 'from_ms'>) {
  return {
    channel,
    ...present('route_class', route_class),
    prefix,
    ...present('country', country),
    ...present('operator', operator),
    ...present('mcc_mnc', mcc_mnc),
  }
}

function shownNetwork({ operator, ...network }: UnknownNetwork & { line: number }): ImportResult['networks'][number] {
  return { ...network, ...present('operator', operator) }
}

/** The first prices that change, for the audit log. */
function sampled(steps: readonly ShownStep[]): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const some = steps.slice(0, 20)
  const priceOf = (price: bigint | null): number | null => (price === null ? null : moneyToNumber(price))
  return {
    before: Object.fromEntries(some.map(({ rule, before }) => [rule.target, priceOf(before)])),
    after: Object.fromEntries(some.map(({ rule, price }) => [rule.target, priceOf(price)])),
  }
}
