import type { PersonTable } from './person-table.ts'
import { MESSAGE_TABLES } from './tables-messages.ts'
import { TOLD_TABLES } from './tables-callbacks.ts'
import { WAITING_TABLES } from './tables-waiting.ts'

/**
 * Every table with data of the people messages go to, in the order in which they are walked: what waits comes first, so
 * that nothing is written behind the walk's back. Erasing, exporting and the documents go by this one list, and a test
 * fails when a migration adds a column that is neither here nor in `src/people/impersonal.ts`.
 */
export const PEOPLE_TABLES: readonly PersonTable[] = [...WAITING_TABLES, ...MESSAGE_TABLES, ...TOLD_TABLES]

/** What an organisation shares with others is not its own to erase or to read: it belongs to who runs the service. */
export function tablesFor(everywhere: boolean): PersonTable[] {
  return PEOPLE_TABLES.filter(({ whose }) => everywhere || whose === 'organisation')
}
