import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

type Found = {
  rows: { id: string; columns: Record<string, string> }[]
  meta: { pagination: { next_page: string; query_id: string } }
}

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const ROWS = 600

test.each([
  ['newest first', {}],
  ['sorted by name', { sort: 'Name' }],
  ['filtered, walking', { filters: [{ name: 'Name', operator: 'not_contain', value: 'zzz' }] }],
  ['filtered, by key', { filters: [{ name: 'Email', operator: 'equal', value: 'same@example.com' }] }],
  ['filtered, by index', { filters: [{ name: 'Name', operator: 'contain', value: 'person' }], sort: '-Name' }],
])(
  'a scroll %s returns every row that stays exactly once, while others are added and deleted',
  async (_what, question) => {
    const by = await service.organisation()
    const add = async (count: number): Promise<string[]> => {
      const rows = Array.from({ length: count }, () => ({
        columns: { Name: `Person ${Math.floor(Math.random() * 50)}`, Email: 'same@example.com' },
      }))
      const { body } = await by.call<Found>('POST', '/lists/contact/rows/bulk', { rows })
      return body.rows.map(({ id }) => id)
    }
    const query = async (body: object): Promise<Found> =>
      (await by.call<Found>('POST', '/lists/contact/rows/query', body)).body
    const start = await add(ROWS)
    const leaving = new Set(start.filter((_, n) => n % 3 === 0))

    let scrolling = true
    const changes = (async () => {
      for (const id of leaving) {
        if (!scrolling) break
        await Promise.all([add(2), by.call('DELETE', `/lists/contact/rows/${id}`)])
      }
    })()
    const seen: string[] = []
    const first: object = { ...question, limit: 25 }
    for (let next: object | undefined = first; next;) {
      const found = await query(next)
      seen.push(...found.rows.map(({ id }) => id))
      const { next_page, query_id } = found.meta.pagination
      next = next_page === 'True' && seen.length < 10 * ROWS ? { query_id } : undefined
    }
    scrolling = false
    await changes

    expect(new Set(seen).size).toBe(seen.length)
    const stayed = start.filter((id) => !leaving.has(id))
    const seen_of_them = new Set(seen)
    expect(stayed.filter((id) => !seen_of_them.has(id))).toEqual([])
  },
)
