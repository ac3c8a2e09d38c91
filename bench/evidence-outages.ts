import { makeOutages } from '../src/choice/outage.ts'
import { seeded } from '../src/choice/random.ts'
import { REPORT_BOUNDS_S } from '../src/observe/evidence.ts'

/** A carrier whose reports are counted every two seconds, as the service reads them. */
export type CarrierRun = {
  seed: number
  /** Messages per second. */
  rate: number
  hours: number
  /** From a second on, this share of the messages is lost, without a report. */
  outage?: { from_s: number; until_s: number; lost: number }
  /** The carrier collects its reports from a second on, and sends them all at the end. */
  pause?: { from_s: number; until_s: number }
  /** Whether messages are withheld while the carrier is out, except probes. Otherwise they go on. */
  is_followed?: boolean
}

export type OutageRun = {
  /** Seconds from the beginning of the outage until the carrier is out; undefined: never. */
  left_after_s: number | undefined
  /** Seconds from its end until it is back. */
  back_after_s: number | undefined
  /** Alarms outside of the outage. */
  false_alarms: number
  /** Probes during the outage. */
  probes: number
}

const STEP_S = 2
const REPORTED = 0.9
const PHONES_OFF = 0.1
const LONGEST_OFF_S = 1_200
/** Delays: log-normal, and all of them longer for a while, now and then. */
const MEDIAN_S = 3
const SIGMA = 0.8
const SLOWER_EVERY_STEPS = 300
const SLOWER_STEPS = 15
const SLOWER_BY = 3

/** Reports vary more than by chance: phones that are off, and minutes in which the network is slow. */
export function runCarrier({ seed, rate, hours, outage, pause, is_followed = true }: CarrierRun): OutageRun {
  const random = seeded(seed)
  const time = { ms: 0 }
  const outages = makeOutages(() => time.ms)
  const state = outages.of('one')
  const steps = (hours * 3_600) / STEP_S
  const due = Array.from({ length: steps + 1 }, () => new Uint32Array(REPORT_BOUNDS_S.length + 1))
  const run: OutageRun = { left_after_s: undefined, back_after_s: undefined, false_alarms: 0, probes: 0 }
  let slower_until = 0
  let was_out = false

  function send(step: number, at_s: number): void {
    if (outage && at_s >= outage.from_s && at_s < outage.until_s && random() < outage.lost) return
    if (random() >= REPORTED) return
    const off_s = random() < PHONES_OFF ? random() * LONGEST_OFF_S : 0
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const delay_s = off_s + MEDIAN_S * (step < slower_until ? SLOWER_BY : 1) * Math.exp(SIGMA * normal)
    const arrives_s = at_s + delay_s
    const held_s = pause && arrives_s >= pause.from_s && arrives_s < pause.until_s ? pause.until_s : arrives_s
    const place = REPORT_BOUNDS_S.findIndex((bound) => held_s - at_s <= bound)
    const counts = due[Math.floor(held_s / STEP_S)]
    if (counts) counts[place < 0 ? REPORT_BOUNDS_S.length : place]! += 1
  }

  for (let step = 0; step < steps; step++) {
    const from_s = step * STEP_S
    if (step >= slower_until && random() < 1 / SLOWER_EVERY_STEPS) slower_until = step + SLOWER_STEPS
    const count = poisson(random, rate * STEP_S)
    let sent = 0
    for (let n = 0; n < count; n++) {
      const is_probe = state.is_out && is_followed
      if (is_probe && !outages.mayProbe('one')) continue
      if (is_probe) run.probes += 1
      sent += 1
      send(step, from_s + random() * STEP_S)
    }
    time.ms = (from_s + STEP_S) * 1_000
    const report_times = Array.from(due[step]!)
    const reports = report_times.reduce((sum, own) => sum + own, 0)
    // Another carrier goes on working, so that time passes.
    outages.add([counted('one', sent, reports, report_times), counted('two', 1, 1, [1])])
    const now_s = from_s + STEP_S
    if (state.is_out && !was_out) {
      if (outage && now_s >= outage.from_s && now_s < outage.until_s) run.left_after_s ??= now_s - outage.from_s
      else run.false_alarms += 1
    }
    if (!state.is_out && was_out && outage && now_s >= outage.until_s) run.back_after_s ??= now_s - outage.until_s
    was_out = state.is_out
  }
  return run
}

function counted(carrier: string, submitted: number, reports: number, report_times: readonly number[]) {
  const of = { country: 'NG', operator: 'MTN', channel: 'sms' }
  return { carrier, ...of, submitted, delivered: reports, undelivered: 0, rejections: [], report_times }
}

/** Knuth's method for small means, and the normal approximation for large ones. */
function poisson(random: () => number, mean: number): number {
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count += 1
  return count
}
