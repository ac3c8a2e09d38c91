import { judgeHonesty, type Honesty } from '../choice/honesty.ts'
import type { Db } from '../db/connect.ts'
import { countProbes } from '../probes/store.ts'
import { present } from '../values/record.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { sumClaims, sumSigns, type Signs } from './read-store.ts'
import { HONESTY_DAYS, MAX_SHOWN, type HonestyQuery, type HonestyReport, type HonestyRow } from './schema.ts'

const DAY_MS = 86_400_000
/** Rows of evidence that honesty is judged by, the newest first. */
const MAX_CLAIMS = 200_000

/** How true the reports of each carrier are, in all and by operator: by one-time passwords and by probes. */
export async function readHonesty(db: Db): Promise<Honesty[]> {
  const [claims, probes] = await Promise.all([sumClaims(db, HONESTY_DAYS, MAX_CLAIMS), countProbes(db, sinceThen())])
  return judgeHonesty([
    ...claims,
    ...probes.map(({ carrier, country, operator, delivered, arrived }) => {
      const group = `${country}\n${operator}`
      return { stratum: `probes\n${group}`, carrier, group, claimed: delivered, proven: arrived }
    }),
  ])
}

/** The same with other signs, for operators: the carriers first, then their operators with the most reports. */
export async function reportHonesty(
  { db }: { db: Db },
  { carrier }: HonestyQuery,
  shape_faults: readonly Fault[] = [],
): Promise<HonestyReport> {
  refuseIfFaulty([...shape_faults])
  const [judged, signs] = await Promise.all([readHonesty(db), sumSigns(db, HONESTY_DAYS, MAX_SIGNS)])
  const by_key = new Map(judged.map((one) => [keyOf(one.carrier, one.group), one]))
  const known = new Set(signs.map((one) => keyOf(one.carrier, groupOf(one))))
  // Carriers that were only probed.
  const others = judged.filter((one) => !known.has(keyOf(one.carrier, one.group))).map(withoutSigns)
  const wanted = [...signs, ...others].filter((one) => carrier === undefined || one.carrier === carrier)
  return {
    since: sinceThen(),
    rows: wanted.slice(0, MAX_SHOWN).map((one) => shownRow(one, by_key.get(keyOf(one.carrier, groupOf(one))))),
    has_more: wanted.length > MAX_SHOWN,
  }
}

const MAX_SIGNS = 20_000

function sinceThen(): string {
  return new Date(Date.now() - HONESTY_DAYS * DAY_MS).toISOString()
}

function withoutSigns({ carrier, group }: Honesty): Signs {
  const [country = null, operator = null] = group?.split('\n') ?? []
  return { carrier, country, operator, reports: 0, fast: 0, contradicted: 0, confirmed: 0 }
}

function shownRow(signs: Signs, honesty: Honesty | undefined): HonestyRow {
  const { carrier, country, operator, reports, fast, contradicted, confirmed } = signs
  return {
    carrier,
    ...present('country', country),
    ...present('operator', operator),
    otps: honesty?.claimed ?? 0,
    verified: honesty?.proven ?? 0,
    ...present('expected', honesty?.expected === undefined ? undefined : rounded(honesty.expected, 10)),
    factor: rounded(honesty?.factor ?? 1),
    low: rounded(honesty?.low ?? 0),
    high: rounded(honesty?.high ?? 1),
    is_doubtful: honesty?.is_doubtful ?? false,
    ...present('fast_share', reports > 0 ? rounded(Math.min(1, fast / reports)) : undefined),
    contradicted,
    confirmed,
  }
}

function groupOf({ country, operator }: Signs): string | undefined {
  return country === null ? undefined : `${country}\n${operator}`
}

function keyOf(carrier: string, group: string | undefined): string {
  return `${carrier}\n${group ?? ''}`
}

function rounded(value: number, units = 10_000): number {
  return Math.round(value * units) / units
}
