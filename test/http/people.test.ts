import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { transaction } from '../../src/db/transaction.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

type Fault = { errors: { field: string; type: string }[] }

describe.each(['/people/erasures', '/people/export'])('POST %s', (path) => {
  test.each([
    [{}, 'missing'],
    [{ phone: 2348031234567 }, 'string_type'],
    [{ phone: 'nobody' }, 'phone_invalid'],
    [{ phone: '1'.repeat(41) }, 'string_too_long'],
  ])('%j is rejected, and nothing is stored', async (body, type) => {
    const { status, body: answer } = await service.call<Fault>('POST', path, body)
    expect([status, answer.errors]).toEqual([400, [expect.objectContaining({ field: 'phone', type })]])
    expect((await service.db`select 1 from erasures`).length).toBe(0)
  })

  test('needs a key with all scopes', async () => {
    const lists = await service.organisation({ scopes: ['sms', 'lists', 'settings'] })
    expect((await lists.call('POST', path, { phone: '08031234567' })).status).toBe(403)
    expect((await lists.call('GET', '/people/erasures')).status).toBe(403)
  })
})

test('an organisation has one export at a time: a second is asked to retry, and other organisations are served', async () => {
  const [by, other] = [await service.organisation(), await service.organisation()]
  const ask = (who: typeof by) => who.call('POST', '/people/export', { phone: '08031234567' })
  let first: ReturnType<typeof ask> | undefined
  await transaction(service.db, async (tx) => {
    await tx`lock table contact_import_rejects in access exclusive mode`
    first = ask(by)
    await until('the export to wait', async () => {
      const waiting =
        await tx`select 1 from pg_locks where relation = 'contact_import_rejects'::regclass and not granted`
      return waiting.length > 0
    })
    const { status, headers, body } = await ask(by)
    expect([status, headers.get('retry-after')]).toEqual([429, '5'])
    expect(body.message).toMatch(/try again/)
  })
  expect((await first)?.status).toBe(200)
  expect((await ask(other)).status).toBe(200)
  expect((await ask(by)).status).toBe(200)
})

test("a receipt names its requester, and only the requester's organisation can read it", async () => {
  const by = await service.organisation()
  const { body } = await by.call('POST', '/people/erasures', { phone: '0803 123 4567' })
  expect(body).toEqual({
    id: expect.any(String),
    number_hash: expect.stringMatching(/^erased-[0-9a-f]{32}$/),
    status: 'running',
    asked_by: expect.stringMatching(/^key [-0-9a-f]{36}$/),
    found: [],
    created_datetime: expect.any(String),
    meta: { method: 'POST', resource: '/people/erasures' },
  })
  const read = await by.call('GET', `/people/erasures/${String(body.id)}`)
  expect(read.body).toMatchObject({ id: body.id, status: 'running' })
  expect((await service.call('GET', `/people/erasures/${String(body.id)}`)).status).toBe(404)
  expect((await by.call('GET', '/people/erasures?number_hash=a%00b')).status).toBe(400)
  for (const id of [newId(), 'none']) expect((await by.call('GET', `/people/erasures/${id}`)).status).toBe(404)
  const other = await service.call<{ number_hash: string; id: string }>('POST', '/people/erasures', {
    phone: '08031234567',
  })
  expect(other.body.number_hash).not.toBe(body.number_hash)
  const stored = JSON.stringify(await service.db`select t::text from erasures t`)
  expect(stored).not.toMatch(/2348031234567|31323334353637/)
})

// On a cluster no trigger guards it (docs/scaling.md).
test.skipIf(inject('cluster'))('the ledger allows only names to be erased', async () => {
  const { db, id } = service
  const change = (set: string) => db.unsafe(`update ledger_lines set ${set} where organisation_id = '${id}'`)
  for (const set of [
    'amount = 1',
    "subject_key = '2348031234567'",
    "kind = 'refund'",
    "note = 'other'",
    'sequence = 9',
  ]) {
    await expect(change(set)).rejects.toThrow('ledger lines are never changed or removed')
  }
  await change("subject_key = 'erased-1'")
})
