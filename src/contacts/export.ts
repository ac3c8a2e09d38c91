import type { Db } from '../db/connect.ts'
import type { Fault } from '../values/refusal.ts'
import { csvLine } from '../values/csv-write.ts'
import { findRows } from './query/find.ts'
import type { SearchBody } from './query/schema.ts'
import { readSearch } from './query/search.ts'
import type { Search, Window } from './query/statement-store.ts'
import { openTable, type OpenTable, type Owner } from './table.ts'

const ROWS_PER_READ = 500

/** The rows of a query as CSV, streamed page by page. An invalid query is refused before the first line. */
export async function exportRows(
  deps: { db: Db },
  owner: Owner,
  body: Partial<SearchBody>,
  shape_faults: readonly Fault[],
): Promise<AsyncGenerator<string>> {
  const table = await openTable(deps, owner)
  const { search } = await readSearch(deps, table, body, shape_faults)
  return writeRows(deps.db, table, search)
}

async function* writeRows(db: Db, table: OpenTable, search: Search): AsyncGenerator<string> {
  yield `\ufeff${csvLine(table.columns.map(({ name }) => name))}`
  let after: Window['after']
  for (;;) {
    const rows = await findRows(db, search, { after, skip: 0, limit: ROWS_PER_READ })
    yield rows.map(({ cells }) => csvLine(table.columns.map(({ number }) => cells[number] ?? ''))).join('')
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_READ) return
    after = { id: last.id, key: last.sort_key ?? null }
  }
}
