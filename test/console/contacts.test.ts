import { describe, expect, test } from 'vitest'
import { finished, groupsOf, newFilter } from '../../console/src/pages/contacts/contacts.ts'
import { joined } from '../../console/src/pages/contacts/joined.ts'
import {
  choose,
  countChosen,
  EVERYTHING,
  isChosen,
  NOTHING,
  rowsOf,
} from '../../console/src/pages/contacts/selection.ts'

describe('filters', () => {
  const kano = { column_id: 'city', operator: 'equal', value: 'Kano' }
  const nameless = { column_id: 'name', operator: 'empty', value: '' }
  const unwritten = { column_id: 'name', operator: 'contain', value: ' ' }

  test('are described as far as they are complete: alone, or as a group', () => {
    const bare = { column_id: 'name', operator: 'empty' }
    expect(
      finished(
        [[kano], [unwritten], [nameless, kano, unwritten], [kano, unwritten]].map((group) =>
          group.map((filter, place) => ({ ...filter, place })),
        ),
      ),
    ).toEqual([kano, { any: [bare, kano] }, kano])
  })

  test('of a smartlist can be changed, lists of values too', () => {
    const kept = [
      { ...kano, name: 'City' },
      { any: [{ column_id: 'city', operator: 'is_any', value: ['Jos', 'Kano'] }] },
    ]
    const groups = groupsOf(kept)
    expect(groups).toEqual([
      [{ ...kano, place: 0 }],
      [{ place: 1, column_id: 'city', operator: 'is_any', value: 'Jos, Kano' }],
    ])
    expect(groupsOf(finished(groups))).toEqual(groups)
    // One that is added is none of the others, also after one was removed.
    expect(newFilter({ id: 'name', type: 'TEXT' }, groups.slice(1)).place).toBe(2)
  })
})

describe('a selection', () => {
  test('consists of these rows, or of all but these', () => {
    const some = choose(NOTHING, ['a', 'b', 'c'], true) ?? NOTHING
    const fewer = choose(some, ['b'], false) ?? NOTHING
    expect(['a', 'b', 'c'].map((id) => isChosen(fewer, id))).toEqual([true, false, true])
    expect(countChosen(fewer, 100)).toBe(2)
    expect(rowsOf(fewer, { search: 'x' })).toEqual({ row_ids: ['a', 'c'] })

    const but_one = choose(EVERYTHING, ['b'], false) ?? NOTHING
    expect(['a', 'b'].map((id) => isChosen(but_one, id))).toEqual([true, false])
    expect([countChosen(but_one, 100), countChosen(but_one, undefined)]).toEqual([99, undefined])
    expect(rowsOf(but_one, { search: 'x' })).toEqual({ query: { search: 'x', except: ['b'] } })
    expect(isChosen(choose(but_one, ['b'], true) ?? NOTHING, 'b')).toBe(true)
  })

  test('contains no more rows than the service accepts', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => String(n))
    expect(choose(NOTHING, many, true)?.ids.size).toBe(10_000)
    expect(choose(NOTHING, [...many, 'one more'], true)).toBeUndefined()
    expect(choose(EVERYTHING, many, false)).toBeUndefined()
  })
})

describe('messages and replies', () => {
  const sent = (time: string) => ({ id: `to ${time}`, created_datetime: time }) as never
  const received = (time: string) => ({ id: `from ${time}`, created_datetime: time }) as never
  const ids = (said: ReturnType<typeof joined>) => said.map(({ entry }) => entry.id)

  test('are in one order', () => {
    const both = joined(
      { entries: [sent('5'), sent('2')], more: false },
      { entries: [received('4'), received('1')], more: false },
    )
    expect(ids(both)).toEqual(['to 5', 'from 4', 'to 2', 'from 1'])
  })

  test('wait where the other list is not read that far', () => {
    const part = joined(
      { entries: [sent('5'), sent('3')], more: true },
      { entries: [received('4'), received('1')], more: false },
    )
    expect(ids(part)).toEqual(['to 5', 'from 4', 'to 3'])
  })
})
