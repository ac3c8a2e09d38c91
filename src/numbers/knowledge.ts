import type { Db } from '../db/connect.ts'
import { makeBatchWriter } from '../values/concurrency/batch-writer.ts'
import { readKnown, type Freshness, type Known } from './known-store.ts'
import { makeSpellOperator, type SpellOperator } from './operator-name.ts'
import { readPrefixTable, type PrefixTable } from './prefix-table.ts'

/** What the service knows about numbers: the prefix table in memory, everything else in the database. */
export type NumberKnowledge = {
  table: PrefixTable
  spellOperator: SpellOperator
  /** In one statement, however many numbers; numbers with nothing but their prefix are not in the answer. */
  find: FindKnown
}

type FindKnown = (msisdns: readonly string[]) => Promise<ReadonlyMap<string, Known>>

/** From here on a question is worth a statement of its own; smaller ones share one with what else is asked just then. */
const LARGE = 100
const TOGETHER = 512

export function makeKnowledge(deps: { db: Db }, fresh: Freshness): NumberKnowledge {
  const table = readPrefixTable()
  const ask: FindKnown = async (msisdns) => {
    const rows = await readKnown(deps.db, msisdns, fresh)
    return new Map(rows.map((known) => [known.msisdn, known]))
  }
  const askTogether = makeBatchWriter({ items: TOGETHER }, async (questions: readonly (readonly string[])[]) => {
    const found = await ask([...new Set(questions.flat())])
    return questions.map(() => found)
  })
  return {
    table,
    spellOperator: makeSpellOperator(table),
    find: (msisdns) => (msisdns.length < LARGE ? askTogether(msisdns) : ask(msisdns)),
  }
}
