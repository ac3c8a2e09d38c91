import type { PersonTable } from './person-table.ts'
import { MESSAGE_TABLES } from './tables-messages.ts'
import { CALLBACK_TABLES } from './tables-callbacks.ts'
import { WAITING_TABLES } from './tables-waiting.ts'

/**
 * Every table with data of the people that messages go to, in the order in which they are scanned: pending data comes
 * first, so that nothing is written to a table after its scan. Erasure, export and documentation use this list, and a
 * test fails when a migration adds a column that is neither here nor in `src/people/tables-without-people.ts`.
 */
export const PEOPLE_TABLES: readonly PersonTable[] = [...WAITING_TABLES, ...MESSAGE_TABLES, ...CALLBACK_TABLES]

/** Data shared by several organisations is only for the operator to erase or export. */
export function tablesFor(everywhere: boolean): PersonTable[] {
  return PEOPLE_TABLES.filter(({ whose }) => everywhere || whose === 'organisation')
}
