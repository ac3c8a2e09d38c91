/** One-time passwords that a carrier reported as delivered, and those of them that were verified, under equal conditions. */
export type Claims = {
  /** Carriers are compared within it: the same operator, channel and hour. */
  stratum: string
  carrier: string
  /** The factor is computed for all strata of a group, and for all groups of a carrier. */
  group: string
  claimed: number
  proven: number
}

export type Honesty = {
  carrier: string
  /** Undefined: all groups of the carrier. */
  group: string | undefined
  claimed: number
  proven: number
  /** How many would have been verified at the rate of the other carriers; undefined: there are none. */
  expected: number | undefined
  /** Share of the reported deliveries that are true, compared with the other carriers; at most 1. */
  factor: number
  low: number
  high: number
  is_doubtful: boolean
}

/** Probability that an honest carrier is ever doubted, at however many moments its figures are read: in all, and by group. */
const ALPHA = 1e-4
const GROUP_ALPHA = 1e-5
/** The interval is narrowest at this variance of the number of verified OTPs: that of a few hundred OTPs. */
const TUNED_TO = 40
/** Fewer claims, of the carrier or of the others, prove nothing: the interval relies on normal sums. */
const LEAST_CLAIMS = 50

/**
 * How true the reports of each carrier are. A person who received a one-time password verifies it as often whichever
 * carrier brought it; so a carrier whose reported deliveries are verified less often than those of the others, under equal
 * conditions, reports deliveries that did not happen. The test is that of Mantel and Haenszel (1959); the interval is a
 * confidence sequence (Robbins' normal mixture): it holds at all times together, however often it is read.
 */
export function judgeHonesty(all: readonly Claims[]): Honesty[] {
  const totals = new Map<string, Total>()
  for (const one of all) {
    const total = totals.get(one.stratum)
    if (total) {
      total.claimed += one.claimed
      total.proven += one.proven
    } else totals.set(one.stratum, { claimed: one.claimed, proven: one.proven })
  }
  const sums = new Map<string, Sums>()
  for (const one of all) {
    const total = totals.get(one.stratum)
    if (!total) continue
    addTo(sumsOf(sums, one.carrier, undefined), one, total)
    addTo(sumsOf(sums, one.carrier, one.group), one, total)
  }
  return [...sums.values()].map(judge)
}

type Total = { claimed: number; proven: number }

type Sums = {
  carrier: string
  group: string | undefined
  claimed: number
  proven: number
  /** Of the strata in which other carriers can be compared. */
  compared: number
  reference: number
  expected: number
  ratio_up: number
  ratio_down: number
  variance: number
}

function sumsOf(sums: Map<string, Sums>, carrier: string, group: string | undefined): Sums {
  const key = `${carrier}\n${group ?? ''}\n${group === undefined}`
  let own = sums.get(key)
  if (!own) {
    const zero = { claimed: 0, proven: 0, compared: 0, reference: 0, expected: 0 }
    own = { carrier, group, ...zero, ratio_up: 0, ratio_down: 0, variance: 0 }
    sums.set(key, own)
  }
  return own
}

function addTo(sums: Sums, { claimed, proven }: Total, total: Total): void {
  sums.claimed += claimed
  sums.proven += proven
  const others = total.claimed - claimed
  if (claimed === 0 || others === 0) return
  const all = total.claimed
  const proven_others = total.proven - proven
  sums.compared += claimed
  sums.reference += others
  sums.expected += (claimed * proven_others) / others
  sums.ratio_up += (proven * others) / all
  sums.ratio_down += (proven_others * claimed) / all
  sums.variance += (claimed * others * total.proven * (all - total.proven)) / (all * all * (all - 1))
}

function judge(sums: Sums): Honesty {
  const { carrier, group, claimed, proven, compared, reference, ratio_up, ratio_down } = sums
  const named = { carrier, group, claimed, proven }
  const unknown = { ...named, factor: 1, low: 0, high: 1, is_doubtful: false }
  if (compared === 0 || ratio_down === 0) return { ...unknown, expected: undefined }
  const expected = (sums.expected * claimed) / compared
  const ratio = ratio_up / ratio_down
  if (Math.min(compared, reference) < LEAST_CLAIMS) return { ...unknown, expected, factor: Math.min(1, ratio) }
  const width = widthOf(sums.variance, group === undefined ? ALPHA : GROUP_ALPHA) / ratio_down
  const high = ratio + width
  return {
    ...named,
    expected,
    factor: Math.min(1, ratio),
    low: Math.min(1, Math.max(0, ratio - width)),
    high: Math.min(1, high),
    is_doubtful: high < 1,
  }
}

/** By how much the sum may differ from zero at any time, on one side, as long as all reports are true. */
function widthOf(variance: number, alpha: number): number {
  const tuned = TUNED_TO / (2 * Math.log(1 / alpha))
  const total = variance + tuned
  return Math.sqrt(total * Math.log(total / (tuned * 4 * alpha * alpha)))
}
