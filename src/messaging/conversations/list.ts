import type { Db } from '../../db/connect.ts'
import { findUserNames } from '../../users/assignees.ts'
import { isId, madeAt } from '../../values/id.ts'
import { checkStorable } from '../../values/input/storable.ts'
import { readPage, type Pagination } from '../../values/page.ts'
import { cleanDigits, dialPlan, withAsciiDigits } from '../../values/phone/phone.ts'
import { present } from '../../values/record.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { answerTime } from '../../values/time/moment.ts'
import { findByDigits, findByText, listConversations, type ConversationFilter } from './list-store.ts'
import type { Owner } from './require.ts'
import { UNASSIGNED, type Contact, type ConversationQuery, type ListedConversation } from './schema.ts'
import { shownState, type FindContacts } from './shown.ts'
import { readTexts, type State } from './store.ts'

/** The numbers of contacts with these words. */
export type SearchContacts = (words: string, limit: number) => Promise<string[]>

export type ListDeps = {
  db: Db
  /** Undefined if the caller may not read contacts. */
  contacts: { find: FindContacts; search: SearchContacts } | undefined
}

/** Matches of each kind that a search considers. */
const MATCHES = 200
const SHORTEST_DIGITS = 3

/** One page of the conversations that fulfil all filters, newest first. */
export async function findConversations(
  deps: ListDeps,
  owner: Owner,
  query: ConversationQuery,
): Promise<{ conversations: ListedConversation[]; pagination: Pagination }> {
  const { organisation_id } = owner
  const page = readPage(query)
  const words = query.q?.trim() ?? ''
  const faults: Fault[] = []
  checkStorable('q', words, faults)
  const assignee_id = readAssignee(query.assignee_id, faults)
  refuseIfFaulty(faults)
  const phones = words === '' ? undefined : await search(deps, owner, words)
  const filter: ConversationFilter = { states: statesOf(query), assignee_id, phones }
  const { rows, pagination } = await listConversations(deps.db, organisation_id, filter, page)
  const idsOf = (wanted: string) => rows.filter(({ direction }) => direction === wanted).map(({ id }) => id)
  const [texts, names, contacts] =
    rows.length === 0
      ? [[], new Map<string, string>(), new Map<string, Contact>()]
      : await Promise.all([
          readTexts(deps.db, organisation_id, { received: idsOf('in'), sent: idsOf('out') }),
          findUserNames(
            deps.db,
            organisation_id,
            rows.flatMap((row) => row.assignee_id ?? []),
          ),
          deps.contacts?.find(rows.map(({ phone }) => phone)),
        ])
  const by_id = new Map(texts.map((text) => [text.id, text]))
  const conversations = rows.map((row) => {
    const { id, phone, direction, channel } = row
    const { text, created_datetime = answerTime(madeAt(id)) } = by_id.get(id) ?? {}
    const state = shownState(row, names, contacts?.get(phone))
    return { id, phone, direction, channel, ...present('text', text), ...state, created_datetime }
  })
  return { conversations, pagination }
}

function statesOf({ status, unread }: ConversationQuery): State[] {
  const by_status: State[] =
    status === undefined ? ['closed', 'read', 'unread'] : status === 'closed' ? ['closed'] : ['read', 'unread']
  return unread === undefined ? by_status : by_status.filter((state) => (state === 'unread') === unread)
}

function readAssignee(given: string | undefined, faults: Fault[]): string | null | undefined {
  if (given === undefined || given === '') return undefined
  if (given === UNASSIGNED) return null
  if (isId(given)) return given
  const message = `The id of a user, or \`${UNASSIGNED}\`.`
  faults.push({ field: 'assignee_id', message, type: 'invalid' })
  return undefined
}

/** Written like a number, or a part of one. */
const DIGITS = /^[+(]?[\d\s().-]+$/

async function search({ db, contacts }: ListDeps, owner: Owner, words: string): Promise<string[]> {
  const { organisation_id, default_country } = owner
  const ascii = withAsciiDigits(words)
  const part = ascii.replace(/\D/g, '')
  const is_number = DIGITS.test(ascii) && part.length >= SHORTEST_DIGITS
  const found = await Promise.all([
    is_number
      ? findByDigits(db, organisation_id, { beginning: beginningOf(ascii, part, default_country), part }, MATCHES)
      : [],
    contacts?.search(words, MATCHES) ?? [],
    findByText(db, organisation_id, words, MATCHES),
  ])
  return [...new Set(found.flat())]
}

/** The beginning as numbers are stored: `0803` in Nigeria is `234803`. */
function beginningOf(given: string, digits: string, country: string): string {
  const plan = dialPlan(country)
  const whole = cleanDigits(given, plan)
  if (whole !== undefined) return whole
  const { national_prefix, calling_code } = plan
  const is_national = national_prefix !== '' && digits.startsWith(national_prefix) && !given.trim().startsWith('+')
  return is_national ? calling_code + digits.slice(national_prefix.length) : digits
}
