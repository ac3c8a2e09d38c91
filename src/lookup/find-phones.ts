import type { NumberDirectory } from '../carriers/number-directory.ts'
import type { Db } from '../db/connect.ts'
import { isDnd, isPorted, presentOperator, type ProviderAnswer, type Source } from '../numbers/conclude.ts'
import { storeProviderAnswers } from '../numbers/facts-store.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import type { Known } from '../numbers/known-store.ts'
import { countryName } from '../numbers/operator-name.ts'
import type { Log } from '../values/log.ts'
import { present } from '../values/record.ts'
import type { FoundPhone } from './schema.ts'

/** Which of these numbers have opted out of the organisation's messages. */
export type FindOptedOut = (organisation_id: string, msisdns: readonly string[]) => Promise<ReadonlySet<string>>

export type FindDeps = {
  db: Db
  log: Log
  numbers: NumberKnowledge
  /** Queried for numbers without a fresh answer of its own. */
  directory?: NumberDirectory | undefined
  findOptedOut: FindOptedOut
}

/**
 * Everything known about the numbers, each field from the best source that has it. The provider has one timeout for all of
 * them; numbers that it has not answered by then are answered from the next source.
 */
export async function findPhones(
  deps: FindDeps,
  organisation_id: string,
  msisdns: readonly string[],
): Promise<FoundPhone[]> {
  const [known, opted_out] = await Promise.all([
    deps.numbers.find(msisdns),
    deps.findOptedOut(organisation_id, msisdns),
  ])
  const stale = msisdns.filter((msisdn) => (known.get(msisdn)?.provider_age_s ?? null) === null)
  const answers = deps.directory && stale.length > 0 ? await askProvider(deps, deps.directory, stale) : NO_ANSWERS
  return msisdns.map((msisdn) => {
    const answer = answers.get(msisdn)
    const all = answer ? withAnswer(msisdn, known.get(msisdn), answer) : known.get(msisdn)
    return conclude(deps.numbers, msisdn, all, answer ? 'provider' : 'cache', opted_out.has(msisdn))
  })
}

const NO_ANSWERS: ReadonlyMap<string, ProviderAnswer> = new Map()

function conclude(
  { table }: NumberKnowledge,
  msisdn: string,
  known: Known | undefined,
  provider: Source,
  opted_out: boolean,
): FoundPhone {
  const origin = table.originOf(msisdn)
  const now = presentOperator(origin, known)
  return {
    msisdn,
    operator: now.operator,
    country: countryName(origin.country),
    ported: isPorted(origin, known, now),
    dnd: opted_out || isDnd(known),
    source: now.source === 'cache' ? provider : now.source,
    ...present('age_s', now.source === 'prefix' ? table.age_s() : now.age_s),
  }
}

/** Answers that arrive in time; they are cached, and a failure to do so is only logged. */
async function askProvider(
  deps: FindDeps,
  directory: NumberDirectory,
  msisdns: readonly string[],
): Promise<ReadonlyMap<string, ProviderAnswer>> {
  const timeout = AbortSignal.timeout(directory.timeout_ms)
  const answers = new Map<string, ProviderAnswer>()
  await Promise.all(
    msisdns.map(async (msisdn) => {
      const answer = await directory.ask(msisdn, timeout)
      if (answer) answers.set(msisdn, spelled(deps.numbers, msisdn, answer))
    }),
  )
  if (answers.size === 0) return answers
  const rows = [...answers].map(([msisdn, answer]) => ({ msisdn, ...answer }))
  await storeProviderAnswers(deps.db, rows).catch((fault: unknown) => {
    deps.log.warn({ err: fault }, 'answers of the lookup provider could not be stored')
  })
  return answers
}

function spelled({ table, spellOperator }: NumberKnowledge, msisdn: string, answer: ProviderAnswer): ProviderAnswer {
  if (answer.operator === undefined) return answer
  return { ...answer, operator: spellOperator(answer.operator, table.originOf(msisdn).country) }
}

function withAnswer(msisdn: string, known: Known | undefined, answer: ProviderAnswer): Known {
  return {
    ...(known ?? NOTHING),
    msisdn,
    provider_operator: answer.operator ?? null,
    provider_ported: answer.ported ?? null,
    provider_dnd: answer.dnd ?? null,
    provider_age_s: 0,
  }
}

const NOTHING: Known = {
  msisdn: '',
  provider_operator: null,
  provider_ported: null,
  provider_dnd: null,
  provider_age_s: null,
  carrier_operator: null,
  carrier_age_s: null,
  carrier_dnd: false,
  registry_operator: null,
  registry_age_s: null,
  registry_dnd: false,
}
