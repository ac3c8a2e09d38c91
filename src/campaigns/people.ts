import { requireConditions } from '../contacts/query/filters.ts'
import { findRows } from '../contacts/query/find.ts'
import { nameKey } from '../contacts/keys.ts'
import { findSmartlist } from '../contacts/smartlist-store.ts'
import { findColumn, openTable } from '../contacts/table.ts'
import type { Db } from '../db/connect.ts'
import type { Sender } from '../messaging/draft.ts'
import { cleanPhone, dialPlan, isPossible } from '../values/phone/phone.ts'
import { Refusal } from '../values/refusal.ts'
import { findPart } from './draft/upload-store.ts'
import type { CampaignRow } from './store.ts'

/** A person of the list. Without `recipient`, the number as written is missing or invalid. */
export type Person = {
  written: string
  recipient: string | undefined
  valueOf: (placeholder: string) => string | undefined
}

/** Some people and the position behind them; no position at the end of the list. */
export type PeoplePage = { people: Person[]; place: string | undefined }

const ROWS_PER_STEP = 2_000

/** Reads the next people of a campaign's list, behind its stored position. */
export async function readPeople(deps: { db: Db }, sender: Sender, campaign: CampaignRow): Promise<PeoplePage> {
  return campaign.smartlist_id === null
    ? readUploaded(deps.db, sender, campaign)
    : readSmartlistPeople(deps.db, sender, campaign, campaign.smartlist_id)
}

async function readUploaded(db: Db, sender: Sender, { id, place }: CampaignRow): Promise<PeoplePage> {
  const part = await findPart(db, sender.organisation_id, id, Number(place ?? 0))
  if (!part) return { people: [], place: undefined }
  const plan = dialPlan(sender.default_country)
  const people = part.entries.map(([written, values]): Person => {
    const value_of = new Map(Object.entries(values))
    return { written, recipient: cleanPhone(written, plan), valueOf: (name) => value_of.get(nameKey(name)) }
  })
  return { people, place: String(part.number) }
}

async function readSmartlistPeople(
  db: Db,
  sender: Sender,
  campaign: CampaignRow,
  smartlist_id: string,
): Promise<PeoplePage> {
  const { organisation_id } = sender
  const table = await openTable({ db }, sender)
  const list = await findSmartlist(db, organisation_id, smartlist_id)
  if (!list) throw new Refusal('conflict', 'The smartlist was deleted.')
  const phones = table.columns.find(({ first_number }) => first_number === campaign.number)
  if (!phones) throw new Refusal('conflict', 'The column with the numbers was deleted.')
  const { number } = phones
  const conditions = [list.filters, campaign.filters].flatMap((filters) =>
    requireConditions(table, filters, 'A column of the filters was deleted.'),
  )
  const after = campaign.place === null ? undefined : { id: campaign.place, key: null }
  const search = { organisation_id, conditions, sort: undefined }
  const rows = await findRows(db, search, { after, skip: 0, limit: ROWS_PER_STEP })
  const people = rows.map(({ cells, keys }): Person => {
    return {
      written: cells[number] ?? '',
      recipient: recipientOf(keys[number]),
      valueOf: (name) => {
        const column = findColumn(table, name)
        return column && cells[column.number]
      },
    }
  })
  return { people, place: rows.at(-1)?.id }
}

/** Contacts may hold numbers that cannot exist in their country. */
function recipientOf(key: string | undefined): string | undefined {
  return key !== undefined && isPossible(key) ? key : undefined
}
