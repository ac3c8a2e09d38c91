import { readEvent } from '../callbacks/formats/event.ts'
import type { Db } from '../db/connect.ts'
import { isRecord } from '../values/record.ts'
import { readNumber } from './erase.ts'
import { isAlone } from './erasure-store.ts'
import { readClock, readContents } from './export-store.ts'
import { isAboutEvent, ownPart, spellingsOf, type Spellings } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { tablesFor } from './tables.ts'
import { findSlice, type Place, type Row } from './table-scan-store.ts'

/** Rows scanned per statement, and matching rows held in memory. */
const SLICE = 5_000
const BATCH = 200
/** Money is stored in ten-thousandths. */
const MONEY = new Set(['charge', 'amount'])
const MONEY_PARTS = 10_000

/**
 * Streams everything stored about a number as JSON, table by table. Of data about several people, such as the recipients
 * of a message, only the part about this person is included. An invalid number is refused before the first line.
 */
export async function exportPerson(
  deps: { db: Db },
  owner: { organisation_id: string; default_country: string },
  phone: string,
  by_operator = false,
): Promise<AsyncGenerator<string>> {
  const number = readNumber(phone, owner)
  const all = tablesFor(by_operator || (await isAlone(deps.db, owner.organisation_id)))
  const tables = all.filter(({ every }) => !every)
  return write(deps.db, tables, owner.organisation_id, spellingsOf(number))
}

async function* write(
  db: Db,
  tables: readonly PersonTable[],
  organisation_id: string,
  spelled: Spellings,
): AsyncGenerator<string> {
  const head = {
    about:
      'Everything this service stores about one phone number. Each part is a table: what it contains, and its entries. Times are UTC, amounts are in units of the currency.',
    phone: spelled.number,
    written_datetime: await readClock(db),
  }
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "parts": [`
  let parts = 0
  for (const table of tables) {
    let entries = 0
    let place: Place | null = null
    do {
      const found: Awaited<ReturnType<typeof findSlice>> = await findSlice(
        db,
        table,
        organisation_id,
        spelled,
        place,
        SIZES,
      )
      if (table.table === 'deliveries') await addContents(db, organisation_id, found.rows)
      for (const row of found.rows) {
        const entry = JSON.stringify(shownOf(table, row, spelled))
        const { says } = table
        const opening = `\n    {"table": ${JSON.stringify(table.table)}, "what": ${JSON.stringify(says)}, "entries": [`
        yield `${entries === 0 ? `${parts === 0 ? '' : ','}${opening}` : ','}\n      ${entry}`
        entries += 1
      }
      place = found.end
    } while (place !== null)
    if (entries === 0) continue
    parts += 1
    yield '\n    ]}'
  }
  yield `${parts === 0 ? '' : '\n  '}]\n}\n`
}

/** Adds the text: the content of the message, where the delivery has no text of its own. */
async function addContents(db: Db, organisation_id: string, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(({ message_id }) => String(message_id))
  const messages = new Map((await readContents(db, organisation_id, ids)).map((message) => [message.id, message]))
  for (const row of rows) {
    const { content = null, channel, sender_id } = messages.get(String(row.message_id)) ?? {}
    Object.assign(row, { channel, sender_id: sender_id ?? null, text: row.text ?? content })
  }
}

const SIZES = { slice: SLICE, batch: BATCH, lock: false }

/** A row that only mentions the number may be about another person, whose number is not shown. */
function shownOf({ table, numbers = [], shared = [] }: PersonTable, row: Row, spelled: Spellings): Row {
  const shown: Row = {}
  for (const [column, value] of Object.entries(row)) {
    if (value === null) continue
    if (numbers.includes(column) && value !== spelled.number) shown[column] = 'another number'
    else if (table === 'contact_rows' && isRecord(value)) shown[column] = ownCells(value, spelled)
    else if (table === 'callbacks' && column === 'body') shown[column] = ownEvent(textOf(value), spelled)
    else if (!shared.includes(column)) shown[column] = written(column, value)
    else if (table === 'intake') shown[column] = waitingOf(textOf(value), spelled)
    else shown[column] = ownPart(typeof value === 'string' ? parsed(value) : value, spelled)
  }
  return shown
}

/** All cells of the person's row; of another row those that contain the number. */
function ownCells(cells: Record<string, unknown>, spelled: Spellings): Record<string, unknown> {
  const texts = Object.entries(cells)
  if (texts.some(([, text]) => spelled.is(String(text)))) return cells
  return Object.fromEntries(texts.filter(([, text]) => spelled.isIn(String(text))))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function ownEvent(body: string, spelled: Spellings): unknown {
  const event = readEvent(body)
  if (isAboutEvent(event.data, spelled)) return event
  const { recipient: _to, from: _from, ...data } = event.data
  return { ...event, data }
}

function written(column: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return MONEY.has(column) ? Number(value) / MONEY_PARTS : Number(value)
}

/** The messages of an intake row to this person, without their other recipients. */
function waitingOf(messages: string, spelled: Spellings): unknown[] {
  const items: unknown = JSON.parse(`[${messages}]`)
  if (!Array.isArray(items)) return []
  return items.filter(isRecord).flatMap((item) => {
    const to = String(item.to).split(',')
    const n = to.indexOf(spelled.number)
    if (n < 0) return []
    const texts: unknown = item.texts
    const text: unknown = Array.isArray(texts) ? texts[n] : item.content
    return [{ message_id: item.id, channel: item.channel, sender_id: item.sender_id, recipient: to[n], text }]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return '…'
  }
}
