import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Actor } from '../users/audit.ts'
import { moneyFromNumber, moneyToNumber, moneyToText } from '../values/money.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import { lockForChange, writeChange } from './change.ts'
import { readCurrentOf, readNow, type NewRule } from './rule-store.ts'
import type { RuleBody } from './schema.ts'
import { makeRuleReader, type Numbers, type SheetRule } from './sheet/rules.ts'
import { changeTimeline } from './timeline.ts'

export type SetDeps = { db: Db; numbers: Numbers; currency: string }

type Asked = Omit<RuleBody, 'version'> & { version?: number | undefined }

/**
 * Sets the price of a target from a moment on, or ends it: of one, or of each of the prefixes or networks that are named.
 * Nothing is written if it has this price then.
 */
export async function setRule(
  deps: SetDeps,
  who: Actor,
  name: string,
  body: Asked,
): Promise<{ version: number; changed: boolean }> {
  const { rules, price, from_ms } = readRule(deps, body)
  return transaction(deps.db, async (tx) => {
    const list = await lockForChange(tx, name, body.version)
    const now_ms = await readNow(tx)
    const planned = { added: 0, raised: 0, lowered: 0, removed: 0 }
    const add: NewRule[] = []
    const withdraw: string[] = []
    const before: Record<string, unknown> = {}
    const after: Record<string, unknown> = {}
    for (const rule of rules) {
      const current = await readCurrentOf(tx, list.id, rule.target)
      const change = changeTimeline(current, [{ from_ms, price }], now_ms)
      withdraw.push(...change.withdraw.map(({ id }) => id))
      for (const step of change.add) {
        planned[step.kind] += 1
        add.push({ ...rule, price: step.price, from_ms: step.from_ms })
        before[rule.target] = step.before === null ? 'no price' : moneyToText(step.before)
        after[rule.target] = step.price === null ? 'no price' : moneyToText(step.price)
      }
    }
    if (add.length === 0) return { version: Number(list.version), changed: false }
    const from = from_ms > now_ms ? { valid_from: answerTime(from_ms) } : {}
    const described = { kind: 'set', file_name: null, before, after: { ...after, ...from } } as const
    const version = await writeChange(tx, who, list, { ...planned, add, withdraw }, described)
    return { version: Number(version), changed: true }
  })
}

/** The targets that the fields name. */
export function findTargets(deps: SetDeps, body: Omit<Asked, 'price'>): string[] {
  return readRule(deps, { ...body, price: null }).rules.map(({ target }) => target)
}

/** Reads the fields as the cells of a sheet are read. */
function readRule(
  { numbers, currency }: SetDeps,
  body: Asked,
): { rules: SheetRule[]; price: bigint | null; from_ms: number } {
  const found: Fault[] = []
  const price = body.price === null ? null : moneyFromNumber(body.price)
  if (price === undefined) found.push({ field: 'price', message: 'At most four decimals.', type: 'invalid' })
  const from_ms = body.valid_from === undefined ? -Infinity : readMoment(body.valid_from)
  if (from_ms === undefined) {
    const message = 'This is no date-time with its offset, such as 2026-12-01T00:00:00+01:00.'
    found.push({ field: 'valid_from', message, type: 'date_invalid' })
  }
  const { prefix = '', country = '', operator = '', mcc_mnc = '' } = body
  const defaults = { channel: body.channel, route_class: body.route_class, date_order: undefined, currency }
  const cells = { prefix, country, operator, mccmnc: mcc_mnc, price: String(moneyToNumber(price ?? 0n)) }
  const { rules, faults } = makeRuleReader(numbers)(cells, defaults)
  for (const { field, text } of faults) {
    found.push({ field: field === 'mccmnc' ? 'mcc_mnc' : field, message: `${capital(text)}.`, type: 'invalid' })
  }
  refuseIfFaulty(found)
  return { rules, price: price ?? null, from_ms: from_ms ?? -Infinity }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
