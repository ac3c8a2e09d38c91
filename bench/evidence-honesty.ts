import { judgeHonesty, type Claims, type Honesty } from '../src/choice/honesty.ts'
import { seeded } from '../src/choice/random.ts'

/** Carriers that bring one-time passwords to several operators, and what people verify. */
export type HonestyRun = {
  seed: number
  otps: number
  carriers: readonly Faking[]
}
/** `faked`: share of the reports `delivered` that are not true. `weight`: share of the traffic, among the weights of all. */
export type Faking = { name: string; faked: number; weight: number; unreported?: number; fast?: number; lost?: number }

/** Shares of one-time passwords that are entered, by operator, and how they change over the day. */
const ENTERED = [0.85, 0.7, 0.9, 0.6]
const CHANGE_BY_HOUR = 0.08
const OTPS_PER_HOUR = 600
/** Honesty is judged again after so many one-time passwords. */
const JUDGED_EVERY = 25

export type HonestyResult = {
  /** One-time passwords through each carrier until it was doubted. */
  doubted_after: Record<string, number>
  judged: Honesty[]
}

/** Judges again and again while the counts grow, as a running service does. */
export function runHonesty({ seed, otps, carriers }: HonestyRun): HonestyResult {
  const random = seeded(seed)
  const total = carriers.reduce((sum, { weight }) => sum + weight, 0)
  const sent: Record<string, number> = {}
  const doubted_after: Record<string, number> = {}
  const cells = new Map<string, Claims>()
  let judged: Honesty[] = []
  for (let n = 1; n <= otps; n++) {
    let left = random() * total
    const carrier = carriers.find(({ weight }) => (left -= weight) < 0) ?? carriers[0]!
    const operator = Math.floor(random() ** 1.5 * ENTERED.length)
    const hour = Math.floor(n / OTPS_PER_HOUR)
    sent[carrier.name] = (sent[carrier.name] ?? 0) + 1
    const fate = random()
    const lost = (carrier.lost ?? 0) * (1 + Math.sin(hour))
    const is_faked = fate < carrier.faked
    const is_delivered = !is_faked && fate < 1 - lost
    const is_claimed =
      is_faked || (is_delivered && random() >= (carrier.unreported ?? 0) && random() < (carrier.fast ?? 0.9))
    const entered = ENTERED[operator]! + CHANGE_BY_HOUR * Math.sin(hour / 3)
    const is_proven = is_delivered && random() < entered
    if (is_claimed) {
      const key = `${hour}\n${operator}\n${carrier.name}`
      let cell = cells.get(key)
      if (!cell) {
        cell = {
          stratum: `${hour}\n${operator}`,
          carrier: carrier.name,
          group: String(operator),
          claimed: 0,
          proven: 0,
        }
        cells.set(key, cell)
      }
      cell.claimed += 1
      if (is_proven) cell.proven += 1
    }
    if (n % JUDGED_EVERY !== 0) continue
    judged = judgeHonesty([...cells.values()])
    for (const one of judged) if (one.is_doubtful) doubted_after[one.carrier] ??= sent[one.carrier] ?? 0
  }
  return { doubted_after, judged }
}
