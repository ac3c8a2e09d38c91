import type { Db } from '../../db/connect.ts'
import { containing } from '../../values/input/like.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import type { Query } from '../../db/sql.ts'
import type { Page } from '../../values/page.ts'
import { QUERY_CANCELED, withTimeout } from '../../db/transaction.ts'
import { codeOf } from '../../values/thrown.ts'
import { conversationColumns, type ConversationRow, type State } from './store.ts'

export type ConversationFilter = {
  states: readonly State[]
  /** A user; null: unassigned; undefined: any. */
  assignee_id: string | null | undefined
  /** Only these numbers; undefined: all. */
  phones: readonly string[] | undefined
}

/** Newest first. */
export async function listConversations(
  db: Db,
  organisation_id: string,
  filter: ConversationFilter,
  page: Page,
): Promise<Listed<ConversationRow>> {
  return listPage<ConversationRow>(db, page, {
    select: conversationColumns(db),
    from: db`(${filtered(db, organisation_id, filter)}) conversations`,
    where: db`organisation_id = ${organisation_id}`,
  })
}

/**
 * A union of ranges of an index, each in the order of the list: the planner merges them, and reads no more rows than the
 * page has. A condition on several states at once would be a scan.
 */
function filtered(db: Db, organisation_id: string, { states, assignee_id, phones }: ConversationFilter): Query {
  const own = db`select * from conversations where organisation_id = ${organisation_id}`
  if (phones !== undefined) {
    const wanted = assignee_id === undefined ? db`` : db`and assignee_id is not distinct from ${assignee_id}::uuid`
    return db`${own} and phone = any (${phones}::text[]) and state = any (${states}::text[]) ${wanted}`
  }
  if (states.length === ALL_STATES && assignee_id === undefined) return own
  const assigned = assignee_id === null ? [false] : [false, true]
  const [first = db`${own} and false`, ...others] = states.flatMap((state) =>
    typeof assignee_id === 'string'
      ? [db`${own} and assignee_id = ${assignee_id} and state = ${state}`]
      : assigned.map((is) => db`${own} and state = ${state} and is_assigned = ${is}`),
  )
  return others.reduce((all, one) => db`${all} union all ${one}`, first)
}

const ALL_STATES = 3

/** The newest are read one by one, so that words that are everywhere are found where they were written last. */
const SEARCHED_TEXTS = 10_000
const SEARCHED_CONVERSATIONS = 10_000
/** Sequences of three characters are what the index has. */
const SHORTEST_INDEXED = 3
/** Texts with these words of which the numbers are read, and the time limit for that. */
const MATCHING_TEXTS = 2_000
const MATCHING_MS = 1_000

/** The numbers that wrote these words lately, then others that ever did. */
export async function findByText(db: Db, organisation_id: string, words: string, limit: number): Promise<string[]> {
  const newest = await db<{ phone: string }[]>`
    select distinct "from" as phone from (
      select "from", text from inbound_messages
      where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED_TEXTS}
    ) newest
    where position(lower(${words}) in lower(text)) > 0 limit ${limit}`
  const found = new Set(newest.map(({ phone }) => phone))
  if (found.size < limit && words.length >= SHORTEST_INDEXED) {
    for (const phone of await findInIndex(db, organisation_id, words, limit)) found.add(phone)
  }
  return [...found].slice(0, limit)
}

/** Without those of a search that takes too long: the newest texts are searched in any case. */
async function findInIndex(db: Db, organisation_id: string, words: string, limit: number): Promise<string[]> {
  try {
    const older = await withTimeout(
      db,
      MATCHING_MS,
      (sql) => sql<{ phone: string }[]>`
        select distinct "from" as phone from (
          select "from" from inbound_messages
          where organisation_id = ${organisation_id}
            and uuid_hash_extended(organisation_id, 0) = uuid_hash_extended(${organisation_id}::uuid, 0)
            and lower(text) like ${containing(words.toLowerCase())}
          limit ${MATCHING_TEXTS}
        ) matching
        limit ${limit}`,
    )
    return older.map(({ phone }) => phone)
  } catch (fault) {
    if (codeOf(fault) === QUERY_CANCELED) return []
    throw fault
  }
}

/** The numbers that begin with these digits; those of the newest conversations also where they contain them. */
export async function findByDigits(
  db: Db,
  organisation_id: string,
  { beginning, part }: { beginning: string; part: string },
  limit: number,
): Promise<string[]> {
  // Digits alone sort the same in any collation.
  const behind = (BigInt(`1${beginning}`) + 1n).toString()
  const below = behind.startsWith('1') ? db`and phone < ${behind.slice(1)}` : db``
  const found = await db<{ phone: string }[]>`
    (
      select phone from conversations
      where organisation_id = ${organisation_id} and phone >= ${beginning} ${below}
      order by phone limit ${limit}
    )
    union
    (
      select phone from (
        select phone from conversations
        where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED_CONVERSATIONS}
      ) newest
      where position(${part} in phone) > 0 limit ${limit}
    )`
  return found.map(({ phone }) => phone)
}
