import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDraft, draftOf, numbersOf } from '../../../test/support/drafts.ts'
import type { Draft } from '../draft.ts'
import { newId } from '../../values/id.ts'
import { makeLeasedRow, readItems } from './leased-row.ts'
import { fillRows, firstPosition, idRange, SLICE, writeRow, type NewRow } from './row.ts'

const sizes = (rows: readonly NewRow[]) => rows.map(({ size }) => size)

/** What every recipient of a draft that goes at once is to get, by its place in the list. */
function expected({ id, deliveries, channel, sender_id, content, priority, expires_in_s }: Draft) {
  return deliveries.flatMap((one, position) => {
    if (one.send_at !== undefined) return []
    const { recipient, pages, charge, route, text = content, whatsapp, sealed_text } = one
    const own = { recipient, pages, charge, route, text, whatsapp, sealed_text }
    return [{ id, position, channel, sender_id, priority, expires_in_s, ...own }]
  })
}

/** The same as it is read back from what would be stored. */
function found(rows: readonly NewRow[], id: string) {
  return rows
    .flatMap((row) =>
      readItems(writeRow(row)).flatMap((item) =>
        item.to.map((recipient, n) => ({
          id: item.id,
          position: item.positions[n],
          channel: item.channel,
          sender_id: item.sender_id,
          priority: row.priority,
          expires_in_s: item.expires_in_s,
          recipient,
          pages: item.pages,
          charge: item.price,
          route: row.route,
          text: item.texts?.[n] ?? item.content,
          whatsapp: item.whatsapp,
          sealed_text: item.sealed_text,
        })),
      ),
    )
    .filter((one) => one.id === id)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
}

test('the callback data of a message is read back from its row, unless the message is in its table', () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      const { rows, stored } = fillRows([draft])
      const { template, external_ref = null, callback = null } = draft
      const facts = { template_id: template?.id ?? null, external_ref, callback }
      for (const item of rows.flatMap((row) => readItems(writeRow(row)))) {
        expect(item.facts).toEqual(stored.length > 0 ? undefined : facts)
      }
    }),
  )
})

test('the callback data of a message is not taken from a row that has waited for a day', () => {
  const [row] = fillRows([draftOf({ external_ref: 'order 1' })]).rows
  if (!row) throw new Error('there is no row')
  const given = {
    organisation_id: newId(),
    id: row.id,
    priority: 1,
    claims: 1,
    accepted: '',
    opted_out: new Set<string>(),
  }
  const callbackData = (age_s: number) =>
    makeLeasedRow({ ...given, age_s }, readItems(writeRow(row))).deliveries[0]?.message
  expect(callbackData(86_399)).toEqual({ template_id: null, external_ref: 'order 1', callback: null })
  expect(callbackData(86_400)).toBeUndefined()
})

test('every recipient of every message that goes at once is in exactly one row, as it was meant', () => {
  fc.assert(
    fc.property(fc.array(anyDraft, { maxLength: 6 }), (drafts) => {
      const { rows, stored } = fillRows(drafts)
      for (const draft of drafts) expect(found(rows, draft.id)).toEqual(expected(draft))
      const known = new Set(drafts.map(({ id }) => id))
      for (const row of rows) {
        expect(row.size).toBe(row.items.reduce((sum, { to }) => sum + to.length, 0))
        expect(row.size).toBeGreaterThan(0)
        expect(row.size).toBeLessThanOrEqual(SLICE)
        const ids = row.items.map(({ id }) => id).sort()
        expect(ids.every((id) => known.has(id))).toBe(true)
        expect(idRange(row)).toEqual({ first_id: ids[0], last_id: ids.at(-1) })
        expect(firstPosition(row)).toBe(Math.min(...row.items.flatMap(({ positions }) => positions)))
      }
      // A message is written down by the row it is in, or is stored with it: never both, never neither.
      const carried = rows.flatMap(({ items }) => items.flatMap(({ draft }) => (draft ? [draft] : [])))
      expect([...carried, ...stored].map(({ id }) => id).sort()).toEqual([...known].sort())
    }),
    { numRuns: 80 },
  )
})

describe('a burst', () => {
  test('of one way and priority is one row, up to its size', () => {
    const drafts = Array.from({ length: SLICE + 1 }, () => draftOf())
    expect(sizes(fillRows(drafts).rows)).toEqual([SLICE, 1])
  })

  test('is in a row for each route and priority', () => {
    const ways = [
      ['sms', 1],
      ['mtn', 1],
      ['sms', 0],
      ['sms', 1],
    ] as const
    const { rows } = fillRows(ways.map(([route, priority]) => draftOf({ priority, deliveries: [{ route }] })))
    expect(rows.map(({ route, priority, size }) => [route, priority, size])).toEqual([
      ['sms', 1, 2],
      ['mtn', 1, 1],
      ['sms', 0, 1],
    ])
  })
})

describe('the letters of a row', () => {
  /** Eight of them are as much as a row holds, about. */
  const EIGHTH = 32 * 1_024
  const long = (letters: number, more: Parameters<typeof draftOf>[0] = {}) =>
    draftOf({ content: 'x'.repeat(letters), ...more })

  test('are bounded: long messages of a burst are in more rows than short ones', () => {
    const drafts = Array.from({ length: 21 }, () => long(EIGHTH - 100))
    expect(sizes(fillRows(drafts).rows)).toEqual([8, 8, 5])
    expect(sizes(fillRows(drafts.map(() => draftOf())).rows)).toEqual([21])
  })

  test('count whatever the customer wrote: content, words of each recipient, references, personal values', () => {
    const half = 4 * EIGHTH + 1
    const words = 'x'.repeat(half)
    const wordy: Parameters<typeof draftOf>[0][] = [
      { content: words },
      { external_ref: words },
      { personalisation: [{ to: '2348030000000', substitutions: { name: words } }] },
      { deliveries: [{ text: words }] },
    ]
    for (const one of wordy)
      for (const other of wordy) {
        expect(sizes(fillRows([draftOf(one), draftOf(other)]).rows)).toEqual([1, 1])
      }
    expect(sizes(fillRows([long(half), long(3 * EIGHTH)]).rows)).toEqual([2])
  })

  test('of a single message may be more: it has a row of its own, and those beside it go on as they were', () => {
    const drafts = [draftOf(), long(20 * EIGHTH), draftOf(), draftOf()]
    const { rows } = fillRows(drafts)
    expect(rows.map(({ items }) => items.map(({ id }) => drafts.findIndex((draft) => draft.id === id)))).toEqual([
      [0],
      [1],
      [2, 3],
    ])
  })

  test('are counted for each route and priority separately', () => {
    const drafts = Array.from({ length: 12 }, (_, n) => long(EIGHTH - 100, { deliveries: [{ route: `r${n % 2}` }] }))
    expect(fillRows(drafts).rows.map(({ route, size }) => [route, size])).toEqual([
      ['r0', 6],
      ['r1', 6],
    ])
  })

  test('of lists with own words for each recipient count all of them', () => {
    const deliveries = numbersOf(20).map((recipient) => ({ recipient, text: 'x'.repeat(4_000) }))
    const drafts = Array.from({ length: 7 }, () => draftOf({ deliveries }))
    expect(sizes(fillRows(drafts).rows)).toEqual([60, 60, 20])
  })
})

describe('a long list', () => {
  test('that fits into a row is not stored separately', () => {
    const { rows, stored } = fillRows([draftOf({ deliveries: numbersOf(SLICE) })])
    expect([sizes(rows), stored.length]).toEqual([[SLICE], 0])
  })

  test('that does not is stored once, and its recipients in slices', () => {
    const draft = draftOf({ deliveries: numbersOf(10_000) })
    const { rows, stored } = fillRows([draft])
    expect(stored).toEqual([draft])
    expect(sizes(rows)).toEqual([...Array.from({ length: 39 }, () => SLICE), 16])
    expect(rows.map(firstPosition)).toEqual(rows.map((_, n) => n * SLICE))
  })

  test('of two prices in turn has slices of both, in which everybody’s place is written', () => {
    const deliveries = numbersOf(600).map((recipient, n) => ({ recipient, charge: n % 2 === 0 ? 1n : 2n }))
    const { rows } = fillRows([draftOf({ deliveries })])
    expect(sizes(rows).reduce((sum, size) => sum + size, 0)).toBe(600)
    expect(rows.flatMap(({ items }) => items.map(({ price, to }) => [price, to.length]))).toEqual([
      [1n, SLICE],
      [2n, SLICE],
      [1n, 44],
      [2n, 44],
    ])
  })

  test('of which some wait for their time has only the others in its rows', () => {
    const deliveries = numbersOf(4).map((recipient, n) => ({
      recipient,
      ...(n === 1 ? { send_at: '2030-01-01T10:00:00.000Z' } : {}),
    }))
    const { rows, stored } = fillRows([draftOf({ deliveries })])
    expect(stored).toHaveLength(1)
    expect(rows.flatMap(({ items }) => items.map(({ positions }) => positions))).toEqual([[0, 2, 3]])
    const all_later = deliveries.map((one) => ({ ...one, send_at: '2030-01-01T10:00:00.000Z' }))
    expect(fillRows([draftOf({ deliveries: all_later })])).toMatchObject({ rows: [], stored: [{}] })
  })
})
