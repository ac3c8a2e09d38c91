import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { between } from '../support/statements.ts'

type Fault = { field: string; type: string }
type Optout = { id: string; recipient: string; source: string; created_datetime: string }
type List = {
  optouts: Optout[]
  errors: Fault[]
  meta: { pagination: { count_total: number; next_page: string; query_id: string } }
}

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`)
const add = (by: Organisation, recipients: unknown) => by.call<List>('POST', '/optouts', { recipients })
const listed = async (by: Organisation, query = '') =>
  (await by.call<List>('GET', `/optouts${query}`)).body.optouts.map(({ recipient }) => recipient)

describe('/optouts', () => {
  test('are added in any format, listed newest first, and removed by id or number', async () => {
    const by = await service.organisation()
    const { status, body } = await add(by, '0803 123 4567, +2348051234567,08031234567')
    expect(status).toBe(200)
    expect(body.optouts).toMatchObject([
      { recipient: '2348031234567', source: 'api' },
      { recipient: '2348051234567', source: 'api' },
    ])
    await by.call('POST', '/sandbox/reply', { from: '08021234567', to: 'Gangan', text: 'stop' })
    const list = await by.call<List>('GET', '/optouts')
    expect(list.body.optouts.map(({ recipient, source }) => `${recipient} ${source}`)).toEqual([
      '2348021234567 text',
      '2348051234567 api',
      '2348031234567 api',
    ])
    expect(list.body.meta.pagination.count_total).toBe(3)
    expect((await by.call('DELETE', `/optouts/${list.body.optouts[0]?.id}`)).status).toBe(204)
    expect((await by.call('DELETE', '/optouts/08031234567')).status).toBe(204)
    expect(await listed(by)).toEqual(['2348051234567'])
    expect((await by.call('DELETE', '/optouts/08031234567')).status).toBe(404)
    expect((await by.call('DELETE', `/optouts/${list.body.optouts[0]?.id}`)).status).toBe(404)
    expect((await by.call('DELETE', '/optouts/nobody')).status).toBe(404)
  })

  test('that exist stay unchanged', async () => {
    const by = await service.organisation()
    await by.call('POST', '/sandbox/reply', { from: '08031234567', to: 'Gangan', text: 'END' })
    const { body } = await add(by, ['08031234567'])
    expect(body.optouts).toMatchObject([{ source: 'text' }])
  })

  test('are searched by prefix', async () => {
    const by = await service.organisation()
    await add(by, ['08031234567', '08031234568', '08051234567', '+14155550123'])
    expect(await listed(by, '?recipient=08031234567')).toEqual(['2348031234567'])
    expect(await listed(by, '?recipient=2348031')).toEqual(['2348031234568', '2348031234567'])
    expect(await listed(by, '?recipient=1')).toEqual(['14155550123'])
    expect(await listed(by, '?recipient=9')).toEqual([])
    const refused = await by.call<List>('GET', '/optouts?recipient=Ada')
    expect([refused.status, ...faults(refused.body.errors)]).toEqual([400, 'recipient phone_invalid'])
  })

  test('are paged', async () => {
    const by = await service.organisation()
    await add(
      by,
      Array.from({ length: 5 }, (_, n) => `0803123456${n}`),
    )
    const first = await by.call<List>('GET', '/optouts?limit=3')
    expect(first.body.meta.pagination).toMatchObject({ count_total: 5, next_page: 'True' })
    const rest = await listed(by, `?limit=3&query_id=${first.body.meta.pagination.query_id}`)
    expect(rest).toHaveLength(2)
    expect((await by.call('GET', '/optouts?limit=1001')).status).toBe(400)
  })

  test.each([
    [undefined, ['recipients missing']],
    [7, ['recipients string_type']],
    ['', ['recipients string_too_short']],
    [[], ['recipients string_too_short']],
    ['08031234567, x, 12', ['recipients[1] phone_invalid', 'recipients[2] phone_invalid']],
    [Array.from({ length: 10_001 }, () => '08031234567'), ['recipients less_than_equal']],
  ])('rejects an invalid list, and adds none of it', async (recipients, expected) => {
    const by = await service.organisation()
    const answer = await add(by, recipients)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
    expect(await listed(by)).toEqual([])
  })

  test('are visible to their organisation only', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    const { body } = await add(by, '08031234567')
    expect(await listed(another)).toEqual([])
    expect((await another.call('DELETE', `/optouts/${body.optouts[0]?.id}`)).status).toBe(404)
    expect((await another.call('DELETE', '/optouts/08031234567')).status).toBe(404)
    expect(await listed(by)).toHaveLength(1)
    const scoped = await service.organisation({ scopes: ['lookup'] })
    expect((await scoped.call('GET', '/optouts')).status).toBe(403)
  })
})

describe('the check for opt-outs', () => {
  /** The number of statements about recipients that `work` causes. */
  async function questions(work: () => Promise<unknown>): Promise<number> {
    const asked: string[] = []
    await between(
      service.db,
      (one, ask) => {
        asked.push(one.text)
        return ask(one)
      },
      work,
    )
    return asked.filter((text) => /optouts.recipient = given.recipient/.test(text)).length
  }
  const send = (by: Organisation, recipients: unknown) =>
    by.call<{ meta: { estimate: { charge: number } } }>('POST', '/sms/send', { recipients, content: 'x' })
  const recipients = Array.from({ length: 100 }, (_, n) => String(2_348_030_000_000 + n))

  test('costs nothing if no recipient has opted out', async () => {
    const by = await service.organisation()
    expect(await questions(() => Promise.all(recipients.map((one) => send(by, one))))).toBe(0)
    expect(await questions(() => send(by, recipients))).toBe(0)
  })

  test('costs one statement for any number of recipients, and less for concurrent requests', async () => {
    const by = await service.organisation()
    await add(by, recipients.slice(0, 10))
    expect(await questions(async () => expect((await send(by, recipients)).body.meta.estimate.charge).toBe(360))).toBe(
      1,
    )
    const asked = await questions(() => Promise.all(recipients.map((one) => send(by, one))))
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(recipients.length)
  })
})
