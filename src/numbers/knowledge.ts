import type { Db } from '../db/connect.ts'
import { makeBatchWriter } from '../values/concurrency/batch-writer.ts'
import { readKnown, type Freshness, type Known } from './known-store.ts'
import { makeSpellOperator, type SpellOperator } from './operator-name.ts'
import { readPrefixTable, type PrefixTable } from './prefix-table.ts'

/** Facts about numbers: the prefix table in memory, everything else in the database. */
export type NumberKnowledge = {
  table: PrefixTable
  spellOperator: SpellOperator
  /** In one statement for any count of numbers; numbers without facts in the database are left out. */
  find: FindKnown
}

type FindKnown = (msisdns: readonly string[]) => Promise<ReadonlyMap<string, Known>>

/** A larger query gets a statement of its own; smaller concurrent ones share a statement. */
const MIN_LARGE = 100
const MAX_SHARED = 512

export function makeKnowledge(deps: { db: Db }, fresh: Freshness): NumberKnowledge {
  const table = readPrefixTable()
  const ask: FindKnown = async (msisdns) => {
    const rows = await readKnown(deps.db, msisdns, fresh)
    return new Map(rows.map((known) => [known.msisdn, known]))
  }
  const askTogether = makeBatchWriter({ items: MAX_SHARED }, async (questions: readonly (readonly string[])[]) => {
    const found = await ask([...new Set(questions.flat())])
    return questions.map(() => found)
  })
  return {
    table,
    spellOperator: makeSpellOperator(table),
    find: (msisdns) => (msisdns.length < MIN_LARGE ? askTogether(msisdns) : ask(msisdns)),
  }
}
