import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const MIB = 1_048_576
const TOO_EMPTY = 'The file has more than 100,000 empty lines.'

type Refused = { errors: { field: string; message: string; type: string }[] }

async function upload(path: string, csv: string) {
  const headers = { authorization: service.key, 'content-type': 'text/csv' }
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: csv })
  return { status: answer.status, body: (await answer.json()) as Refused & { id: string } }
}

async function campaign(): Promise<string> {
  const made = await service.call<{ id: string }>('POST', '/campaigns', { content: 'Hello' })
  return `/campaigns/${made.body.id}/recipients`
}

test.each(['\n', '\r', '\r\n'])('a file of empty lines (%j) is rejected on upload', async (line_end) => {
  const empty = line_end.repeat(MIB / line_end.length)
  for (const [path, field] of [
    ['/lists/contact/imports', 'file'],
    [await campaign(), 'csv'],
  ] as const) {
    for (const csv of [empty, `Mobile\n08031234567\n${empty}`]) {
      const errors = [{ field, message: TOO_EMPTY, type: 'less_than_equal' }]
      const refused = await upload(path, csv)
      expect({ path, ...refused }).toMatchObject({ path, status: 400, body: { errors } })
      const pasted = await service.call<Refused>('POST', path, { csv })
      expect({ path, status: pasted.status, body: pasted.body }).toMatchObject({
        path,
        status: 400,
        body: { errors },
      })
    }
  }
})

test('an import ends at too many consecutive empty lines, and keeps the rows before them', async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => `Person ${n} ${'x'.repeat(300)}`).join('\n')
  const { status, body } = await upload('/lists/contact/imports', `Name\n${rows}\n${'\n'.repeat(MIB)}`)
  expect(status).toBe(200)
  const ended = await until('the end of the import', async () => {
    const read = await service.call<{ status: string }>('GET', `/lists/contact/imports/${body.id}`)
    return ['done', 'failed'].includes(read.body.status) ? read : undefined
  })
  expect(ended.body.status).toBe('failed')
  expect(ended.text).toContain(TOO_EMPTY)
  const kept = await service.call<{ meta: { pagination: { total_rows?: number } } }>(
    'GET',
    '/lists/contact/rows?limit=1',
  )
  expect(kept.text).toContain('1200')
}, 120_000)

test('a few empty lines are skipped, as spreadsheets leave them at the end', async () => {
  const { status } = await upload(await campaign(), `Mobile\n\n08031234567\n${'\r\n'.repeat(50_000)}`)
  expect(status).toBe(200)
})

test('a line with more fields than the maximum number of columns is reported as such', async () => {
  const refused = await upload('/lists/contact/imports', `${','.repeat(200_000)}\na\n`)
  expect(refused.status).toBe(400)
  expect(refused.body.errors[0]?.message).toContain('it may have at most 1,000')
})
