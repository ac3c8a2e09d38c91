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

/** Probability that an honest carrier is ever doubted, at however many moments its figures are read. */
const ALPHA = 2e-5
/** The interval is narrowest at this information (the inverse variance of the logarithm of the factor): a few hundred OTPs. */
const TUNED_TO = 600
/** Fewer claims, of the carrier or of the others, prove nothing: the interval relies on normal sums. */
const LEAST_CLAIMS = 50

/**
 * How true the reports of each carrier are. A person who received a one-time password verifies it as often whichever
 * carrier brought it; so a carrier whose reported deliveries are verified less often than those of the others, under equal
 * conditions, reports deliveries that did not happen. The ratio is that of Mantel and Haenszel, its variance that of Greenland
 * and Robins (1985); the interval is a confidence sequence: it holds at all times together, however often it is read.
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
  own_proven: number
  expected: number
  ratio_up: number
  ratio_down: number
  variance: number
}

function sumsOf(sums: Map<string, Sums>, carrier: string, group: string | undefined): Sums {
  const key = `${carrier}\n${group ?? ''}\n${group === undefined}`
  let own = sums.get(key)
  if (!own) {
    const zero = { claimed: 0, proven: 0, compared: 0, reference: 0, own_proven: 0, expected: 0 }
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
  sums.own_proven += proven
  sums.expected += (claimed * proven_others) / others
  sums.ratio_up += (proven * others) / all
  sums.ratio_down += (proven_others * claimed) / all
  sums.variance += (total.proven * claimed * others - proven * proven_others * all) / (all * all)
}

function judge(sums: Sums): Honesty {
  const { carrier, group, claimed, proven, compared, reference, own_proven, ratio_up, ratio_down } = sums
  const named = { carrier, group, claimed, proven }
  const unknown = { ...named, factor: 1, low: 0, high: 1, is_doubtful: false }
  if (compared === 0 || ratio_down === 0) return { ...unknown, expected: undefined }
  // As if half an OTP more had been verified: without any verified one the logarithm would not be finite.
  const up = ratio_up + (own_proven === 0 ? 0.5 : 0)
  const ratio = up / ratio_down
  const expected = (sums.expected * claimed) / compared
  if (Math.min(compared, reference) < LEAST_CLAIMS) return { ...unknown, expected, factor: Math.min(1, ratio) }
  const information = (up * ratio_down) / Math.max(sums.variance, MIN_VARIANCE)
  const width = widthOf(information)
  const [low, high] = [ratio * Math.exp(-width), ratio * Math.exp(width)]
  return {
    ...named,
    expected,
    factor: Math.min(1, ratio),
    low: Math.min(1, low),
    high: Math.min(1, high),
    is_doubtful: high < 1,
  }
}

const MIN_VARIANCE = 1e-9

/** Half of the width of the interval of the logarithm, at an information (Robbins' normal mixture, one-sided). */
function widthOf(information: number): number {
  const tuned = TUNED_TO / (2 * Math.log(1 / ALPHA))
  const total = information + tuned
  return Math.sqrt((total / (information * information)) * Math.log(total / (tuned * ALPHA * ALPHA * 4)))
}
