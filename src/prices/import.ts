import type { Db } from '../db/connect.ts'
import type { Sql } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import type { Actor } from '../users/audit.ts'
import { makeSlices } from '../values/concurrency/slices.ts'
import { isStorable } from '../values/input/storable.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { MAX_FAULTS, Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import { endChange, lockForChange, managedByFile, requireList, writeRules } from './change.ts'
import { BEFORE_ALL, readCurrent, readNow, type CurrentRule, type NewRule } from './rule-store.ts'
import { MAX_SHOWN, MAX_SHOWN_NETWORKS, type Counts, type ImportQuery, type ImportResult } from './schema.ts'
import { readSheet, type ReadRule, type Sheet } from './sheet/read-sheet.ts'
import type { RuleTarget } from './rule.ts'
import type { Numbers, UnknownNetwork } from './sheet/rules.ts'
import { raiseVersion, type ListRow } from './store.ts'
import { changeTimeline, type Step, type Wanted } from './timeline.ts'

/** What messages to a target cost per page, at the carrier that gets them first; undefined: not known. */
export type CostAt = (target: RuleTarget) => { carrier: string; per_page: bigint } | undefined

export type ImportDeps = { db: Db; numbers: Numbers; currency: string; costAt: CostAt }

/** Rules read, or written, by one statement. */
const RULES_PER_PART = 500

/**
 * Compares a rate sheet with a list, and applies it unless `dry_run`: all of it in one transaction, or nothing. It is read,
 * compared and written in slices, so that requests are served meanwhile, and refused if the list was changed since.
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
  const { lines, invalid, columns, headers, faults, unknown_networks } = sheet
  const below_cost = list.kind === 'price' ? await findBelowCost(deps, sheet) : []
  const { dry_run = false, skip_invalid = false, replace: is_complete = false } = options
  if (!dry_run && invalid > 0 && !skip_invalid) throw new Refusal('invalid_request', REFUSED, faultsOf(sheet))
  const expected = Number(list.version)
  const { version, now_ms, unchanged, steps, ...counts } = dry_run
    ? { version: expected, ...(await compare(deps.db, list, sheet, { from_ms, is_complete })) }
    : await transaction(deps.db, async (tx) => {
        const locked = await lockForChange(tx, name, expected)
        let raised: bigint | undefined
        const compared = await compare(tx, locked, sheet, { from_ms, is_complete }, async (part) => {
          raised ??= await raiseVersion(tx, locked.id)
          await writeRules(tx, locked, raised, part)
        })
        if (raised === undefined) return { version: expected, ...compared }
        const described = { kind: 'import', ...sampled(compared.steps), file_name } as const
        await endChange(tx, who, locked, { ...compared, version: raised }, described)
        return { ...compared, version: Number(raised) }
      })
  return {
    version,
    applied: !dry_run,
    lines,
    ...counts,
    unchanged,
    invalid,
    columns,
    headers,
    faults,
    unknown_networks: unknown_networks.size,
    networks: [...unknown_networks.values()].slice(0, MAX_SHOWN_NETWORKS).map(shownNetwork),
    below_cost: below_cost.length,
    below_cost_prices: below_cost.slice(0, MAX_SHOWN_NETWORKS),
    changes: steps.map((step) => shownStep(step, now_ms)),
  }
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

/** The prices of a file that are below cost. */
async function findBelowCost({ costAt }: ImportDeps, sheet: Sheet): Promise<ImportResult['below_cost_prices']> {
  const found: ImportResult['below_cost_prices'] = []
  const slices = makeSlices()
  for (const rules of sheet.targets.values()) {
    if (slices.isOver()) await slices.rest()
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

type ShownStep = Step & { rule: Omit<NewRule, 'price' | 'from_ms'>; line: number }
type Part = { add: NewRule[]; withdraw: string[] }
/** `steps`: the first ones, in the order of the lines. */
type Compared = Counts & { now_ms: number; unchanged: number; steps: ShownStep[] }

/**
 * Compares the sheet with the rules of the list, which are read and written in parts: neither all of them nor all changes are
 * in memory at once. Takes the targets out of the sheet.
 */
async function compare(
  sql: Sql,
  list: ListRow,
  { targets }: Pick<Sheet, 'targets'>,
  { from_ms, is_complete }: { from_ms: number; is_complete: boolean },
  write: (part: Part) => Promise<void> = () => Promise.resolve(),
): Promise<Compared> {
  const now_ms = await readNow(sql)
  const start_ms = Math.max(from_ms, now_ms)
  const complete_from_ms = is_complete ? start_ms : Infinity
  const found = { added: 0, raised: 0, lowered: 0, removed: 0, unchanged: 0 }
  const slices = makeSlices()
  let part: Part = { add: [], withdraw: [] }
  let steps: ShownStep[] = []

  for await (const read of currentTargets(sql, list.id)) {
    for (const known of read) {
      const target = known[0]?.target ?? ''
      const rules = targets.get(target)
      if (rules || is_complete) take(rules ?? [], known)
      targets.delete(target)
      if (isWhole(part) || slices.isOver()) await pause()
    }
  }
  for (const rules of targets.values()) {
    take(rules, [])
    if (isWhole(part) || slices.isOver()) await pause()
  }
  await writePart()
  return { ...found, now_ms, steps: firstOf(steps) }

  function take(rules: readonly ReadRule[], known: readonly CurrentRule[]): void {
    const wanted: Wanted[] = []
    for (const { price, from_ms: at_ms = start_ms } of rules) wanted.push({ price, from_ms: at_ms })
    const { add, withdraw, unchanged } = changeTimeline(known, wanted, now_ms, complete_from_ms)
    found.unchanged += unchanged
    for (const { id, from_ms: at_ms } of withdraw) {
      part.withdraw.push(id)
      // A price of the future that is withdrawn, and not replaced at its moment.
      if (add.every((step) => step.from_ms !== at_ms)) found.removed += 1
    }
    if (add.length === 0) return
    const rule = rules[0] ?? namedBy(known)
    for (const step of add) {
      found[step.kind] += 1
      steps.push({ ...step, rule, line: rules[0]?.line ?? Infinity })
      part.add.push({ ...rule, price: step.price, from_ms: step.from_ms })
    }
    if (steps.length >= 2 * MAX_SHOWN) steps = firstOf(steps)
  }

  async function pause(): Promise<void> {
    if (isWhole(part)) await writePart()
    if (slices.isOver()) await slices.rest()
  }

  async function writePart(): Promise<void> {
    if (part.add.length + part.withdraw.length > 0) await write(part)
    part = { add: [], withdraw: [] }
  }
}

function isWhole({ add, withdraw }: Part): boolean {
  return add.length + withdraw.length >= RULES_PER_PART
}

function firstOf(steps: readonly ShownStep[]): ShownStep[] {
  return steps.toSorted((a, b) => (a.line === b.line ? 0 : a.line - b.line)).slice(0, MAX_SHOWN)
}

/** The rules of every target of a list, in the order of targets. Rules that are written meanwhile, of targets before, are not read. */
async function* currentTargets(sql: Sql, price_list_id: string): AsyncGenerator<CurrentRule[][]> {
  let last: CurrentRule[] = []
  for (let after = BEFORE_ALL; ;) {
    const rules = await readCurrent(sql, price_list_id, after, RULES_PER_PART)
    const whole: CurrentRule[][] = []
    for (const rule of rules) {
      if (last[0]?.target === rule.target) last.push(rule)
      else {
        if (last.length > 0) whole.push(last)
        last = [rule]
      }
    }
    yield whole
    const end = rules.at(-1)
    if (!end || rules.length < RULES_PER_PART) break
    after = { target: end.target, valid_from: end.valid_from }
  }
  if (last.length > 0) yield [last]
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
