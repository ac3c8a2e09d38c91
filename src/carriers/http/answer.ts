import type { SubmitOutcome } from '../message-carrier.ts'
import type { HttpAnswer } from '../../values/http/client.ts'
import { amountOf, shortText } from '../vendor-values.ts'
import { compileCondition, type Condition } from './mapping/condition.ts'
import type { OUTCOMES, Preset } from './preset/schema.ts'
import {
  compilePath,
  compilePaths,
  readPath,
  readText,
  type Path,
  type ReportFault,
  type Scope,
} from './mapping/path.ts'

/** What an answer says about one message, as the preset maps it. */
export type Verdict = {
  outcome: (typeof OUTCOMES)[number]
  ids: readonly string[]
  code: string
  description: string
  after_s?: number | undefined
  slow_down: boolean
  /** In ten-thousandths, where the vendor says so. */
  cost?: bigint | undefined
}

export type ReadAnswer = (messages: readonly Named[], answer: Answered) => Verdict[]
/** A message with our name for it. */
export type Named = { recipient: string; id: string }
export type Answered = Extract<HttpAnswer, { kind: 'answered' }>

export const ANSWER_ROOTS = ['status', 'text', 'body', 'header', 'item', 'message'] as const
/** A vendor that answers with more entries than this has not understood the request. */
const MAX_ENTRIES = 2_000

type Line = {
  fits: Condition
  given: Preset['send']['answer']['outcomes'][number]
  id: readonly Path[]
  code: readonly Path[]
  description: readonly Path[]
}

/** An answer that matches no line is `unknown`: the message is not sent again on a guess. */
export function compileAnswer(given: Preset['send']['answer'], vendor: string, reportFault: ReportFault): ReadAnswer {
  const place = 'send.answer'
  const at = (paths: string | readonly string[] | undefined, name: string): Path[] =>
    compilePaths(paths, ANSWER_ROOTS, `${place}.${name}`, reportFault)
  if (given.each !== undefined && given.parts !== undefined) reportFault(place, 'has both each and parts')
  const each = compilePath(given.each ?? given.parts, ANSWER_ROOTS, `${place}.each`, reportFault)
  const [to, cost] = [at(given.to, 'to'), at(given.cost, 'cost')]
  const lines = given.outcomes.map((line, n): Line => {
    const here = `outcomes.${n}`
    if (line.outcome === 'accepted' && line.id === undefined)
      reportFault(`${place}.${here}`, 'is accepted without an id')
    return {
      fits: compileCondition(line.when, ANSWER_ROOTS, `${place}.${here}.when`, reportFault),
      given: line,
      id: at(line.id, `${here}.id`),
      code: at(line.code, `${here}.code`),
      description: at(line.description, `${here}.description`),
    }
  })

  function judge(scope: Scope): Verdict {
    const line = lines.find(({ fits }) => fits(scope))
    const status = String(scope.status)
    if (!line)
      return { ...OPEN, code: `http ${status}`, description: `${vendor} answered ${status}, which says nothing` }
    const id = shortText(readText(scope, line.id))
    const { outcome, sentence, after_s, slow_down = false } = line.given
    const description = sentence ?? shortText(readText(scope, line.description)) ?? `${vendor} answered ${status}`
    const code = shortText(readText(scope, line.code)) ?? `http ${status}`
    // Without an id, reports on the message could not be matched.
    if (outcome === 'accepted' && id === undefined) return { ...OPEN, code, description: `${vendor} gave it no id` }
    const asked_s = retryAfter(scope)
    return {
      outcome,
      ids: id === undefined ? [] : [id],
      code,
      description,
      after_s: asked_s ?? after_s,
      slow_down,
      cost: amountOf(readText(scope, cost)),
    }
  }

  return (messages, answer) => {
    const whole = scopeOf(answer)
    const entries = each ? readPath(whole, each) : undefined
    const items: unknown[] = Array.isArray(entries) ? entries.slice(0, MAX_ENTRIES) : []
    if (given.parts !== undefined && items.length > 0) {
      const parts = items.map((item) => judge({ ...whole, item }))
      return messages.map(() => joinParts(parts))
    }
    const item_of = placeItems(messages, items, to)
    return messages.map((message, n) =>
      judge({ ...whole, item: item_of(message, n), message: { id: message.id, to: message.recipient } }),
    )
  }
}

const OPEN = { outcome: 'unknown', ids: [], slow_down: false } as const

export function scopeOf({ status, text, json, headers = {} }: Answered): Scope {
  return { status, text: text.trim(), body: json, header: headers }
}

/** Matches entries to messages by the number that they name, or by their order if the preset names no field for it. */
function placeItems(messages: readonly Named[], items: readonly unknown[], to: readonly Path[]) {
  if (to.length === 0) {
    const in_order = items.length === messages.length
    return (_: unknown, n: number): unknown => (in_order ? items[n] : undefined)
  }
  const by_number = new Map(
    items.flatMap((item) => {
      const number = readText({ item }, to)?.slice(0, 40).replace(/\D/g, '')
      return number ? [[number, item] as const] : []
    }),
  )
  return ({ recipient }: Named): unknown => by_number.get(recipient)
}

/** All parts taken: accepted, under all ids. None: the first refusal. Some: it is unknown what will arrive. */
function joinParts(parts: readonly Verdict[]): Verdict {
  const taken = parts.filter(({ outcome }) => outcome === 'accepted')
  const first = parts.find(({ outcome }) => outcome !== 'accepted')
  const ids = taken.flatMap((part) => part.ids)
  if (!first) {
    const [whole] = parts
    const cost = parts.some((part) => part.cost !== undefined)
      ? parts.reduce((sum, part) => sum + (part.cost ?? 0n), 0n)
      : undefined
    return whole ? { ...whole, ids, cost } : { ...OPEN, code: '', description: 'without parts' }
  }
  if (taken.length === 0) return first
  return { ...first, outcome: 'unknown', ids, description: `a part was not taken: ${first.description}` }
}

const MAX_RETRY_AFTER_S = 3_600

function retryAfter({ header }: Scope): number | undefined {
  const text = readText({ header }, [['header', 'retry-after']])
  const seconds = Number(text)
  return text === undefined || !(seconds >= 0) ? undefined : Math.min(MAX_RETRY_AFTER_S, Math.max(1, seconds))
}

/** The outcome for the dispatcher; the carrier itself handles `paused`. */
export function outcomeOf(verdict: Verdict, report_due_s: number): SubmitOutcome {
  const { outcome, ids, code, description, after_s, cost } = verdict
  switch (outcome) {
    case 'accepted': {
      const [carrier_message_id = '', ...further_ids] = ids
      return {
        kind: 'accepted',
        carrier_message_id,
        ...(further_ids.length > 0 ? { further_ids } : {}),
        report_due_s,
        // Some vendors write what they take from the balance as a negative amount.
        ...(cost === undefined ? {} : { cost: cost < 0n ? -cost : cost }),
      }
    }
    case 'rejected':
      return { kind: 'rejected', code, description }
    case 'elsewhere':
      return { kind: 'rejected', code, description, elsewhere: true }
    case 'temporary':
      return { kind: 'temporary', code, description, ...(after_s === undefined ? {} : { retry_after_s: after_s }) }
    case 'paused':
      return { kind: 'held', retry_after_s: 1 }
    case 'unknown':
      return { kind: 'unknown', description }
  }
}
