import type { MessageClass } from '../observe/evidence.ts'
import { makeBoundedCache, type BoundedCache } from '../values/concurrency/bounded-cache.ts'
import type { Honesty } from './honesty.ts'
import { makeOutages, type Outages } from './outage.ts'

/** What became of messages since the last time, or in an hour of the past: a part of an `EvidenceRow`. */
export type Delta = {
  carrier: string
  country: string
  operator: string
  channel: string
  class: MessageClass
  submitted: number
  delivered: number
  undelivered: number
  judged: number
  good: number
  /** By cause, in the order of `REJECTIONS`. */
  rejections: readonly number[]
  report_times: readonly number[]
}

/** Decayed counts of a carrier at an operator. */
export type Cell = {
  /** Submitted, or not accepted. */
  sent: number
  judged: number
  good: number
}

/** Counts that lose half of their weight in a half-life. */
export type View = {
  /** Undefined: nothing is known. The counts are as of now. */
  find(carrier: string, country: string, operator: string, channel: string, its_class: MessageClass): Cell | undefined
}

/**
 * What is known of carriers, in memory. It is fed with the changes of the table `evidence`, which all processes share, and
 * read by the choosers of routes.
 */
export type Knowledge = {
  /** The same view for the same half-life. A new one knows nothing until it is seeded. */
  view(half_life_ms: number): View
  /** Views that were made since history was last read. */
  readonly is_unseeded: boolean
  /** The longest half-life of any view; 0: there is no view. */
  readonly half_life_ms: number
  /** Adds history, with its age, to the views that have none. */
  seed(history: readonly (Delta & { age_ms: number })[]): void
  /** Adds what was counted since the last call; also notes that time has passed. */
  add(deltas: readonly Delta[]): void
  setHonesty(all: readonly Honesty[]): void
  /** Share of the reported deliveries of a carrier that are true. */
  honestyOf(carrier: string, country: string, operator: string): number
  outages: Outages
}

/** More combinations of carrier, operator, channel and class are not remembered. */
const MAX_CELLS = 50_000

type Decaying = Cell & { at_ms: number }
type OwnView = View & { half_life_ms: number; is_seeded: boolean; add(delta: Delta, age_ms: number): void }

export function makeKnowledge(clock: () => number): Knowledge {
  const views = new Map<number, OwnView>()
  const outages = makeOutages(clock)
  let honesty = new Map<string, number>()

  return {
    outages,
    view(half_life_ms) {
      let own = views.get(half_life_ms)
      if (!own) views.set(half_life_ms, (own = makeView(half_life_ms, clock)))
      return own
    },
    get is_unseeded() {
      return [...views.values()].some(({ is_seeded }) => !is_seeded)
    },
    get half_life_ms() {
      return Math.max(0, ...views.keys())
    },
    seed(history) {
      for (const view of views.values()) {
        if (view.is_seeded) continue
        for (const delta of history) view.add(delta, delta.age_ms)
        view.is_seeded = true
      }
      outages.seed(history)
    },
    add(deltas) {
      for (const view of views.values()) for (const delta of deltas) view.add(delta, 0)
      outages.add(deltas)
    },
    setHonesty(all) {
      honesty = new Map(
        all.map(({ carrier, group, factor, is_doubtful }) => [`${carrier}\n${group ?? ''}`, is_doubtful ? factor : 1]),
      )
    },
    honestyOf(carrier, country, operator) {
      const own = honesty.get(`${carrier}\n${country}\n${operator}`) ?? 1
      return Math.min(own, honesty.get(`${carrier}\n`) ?? 1)
    },
  }
}

function makeView(half_life_ms: number, clock: () => number): OwnView {
  const cells: BoundedCache<string, Decaying> = makeBoundedCache(MAX_CELLS)

  function find(carrier: string, country: string, operator: string, channel: string, its_class: MessageClass) {
    const cell = cells.get(`${carrier}\n${country}\n${operator}\n${channel}\n${its_class}`)
    if (cell) decay(cell, clock(), half_life_ms)
    return cell
  }

  return {
    half_life_ms,
    is_seeded: false,
    find,
    add(delta, age_ms) {
      const { carrier, country, operator, channel, class: its_class } = delta
      let cell: Decaying | undefined = find(carrier, country, operator, channel, its_class)
      if (!cell) {
        cell = { sent: 0, judged: 0, good: 0, at_ms: clock() }
        cells.set(`${carrier}\n${country}\n${operator}\n${channel}\n${its_class}`, cell)
      }
      const weight = 0.5 ** (age_ms / half_life_ms)
      cell.sent += weight * (delta.submitted + sum(delta.rejections))
      cell.judged += weight * delta.judged
      cell.good += weight * delta.good
    },
  }
}

function decay(cell: Decaying, now_ms: number, half_life_ms: number): void {
  const passed_ms = now_ms - cell.at_ms
  if (passed_ms <= 0) return
  const left = 0.5 ** (passed_ms / half_life_ms)
  cell.sent *= left
  cell.judged *= left
  cell.good *= left
  cell.at_ms = now_ms
}

function sum(counts: readonly number[]): number {
  let all = 0
  for (const count of counts) all += count
  return all
}
