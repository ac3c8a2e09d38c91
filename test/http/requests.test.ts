import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hintOf } from '../../src/organisations/api-key.ts'
import { deleteExpired } from '../../src/db/retention.ts'
import { insertBursts } from '../../src/requests/store.ts'
import { newId } from '../../src/values/id.ts'
import { dump } from '../support/person-data.ts'
import { person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Logged = {
  request_id: string
  method: string
  path: string
  status: number
  key?: string
  key_id?: string
  created_datetime: string
  shown?: number
  seen?: number
}
type List = { requests: Logged[]; kept_days: number; meta: { pagination: { next_page: string; query_id?: string } } }
type Whole = Logged & { body?: string; answer?: string; left_out: boolean }

let service: TestService
let beside: TestService
beforeAll(async () => {
  service = await openService()
  beside = await openService({ beside: service, workers: false })
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

const list = async (by: Organisation, query = '') => (await by.call<List>('GET', `/requests${query}`)).body
const read = async (by: Organisation, id: string): Promise<Whole> =>
  until(`the call ${id}`, async () => {
    const answer = await by.call<Whole>('GET', `/requests/${id}`)
    return answer.status === 200 && answer.body
  })

let calls = 0
/** Makes a call with a new request id, and returns the id. */
async function called(by: Organisation, method: string, path: string, body?: unknown): Promise<string> {
  const id = `call-${(calls += 1)}`
  const answer = await by.call(method, path, body, { 'x-request-id': id })
  expect(answer.headers.get('x-request-id')).toBe(id)
  return id
}

describe('a call', () => {
  test('is found by its id, with request and response, with a key or a session', async () => {
    const by = await service.organisation()
    const send = { recipients: '08031234567', sender_id: 'Gangan', content: 'Hello' }
    const express = await called(by, 'POST', '/sms/send', send)
    const slow = await called(by, 'POST', '/sms/send', { ...send, external_ref: '' })
    const refused = await called(by, 'POST', '/sms/send', { recipients: '1' })
    for (const id of [express, slow]) {
      const { key_id, key, ...whole } = await read(by, id)
      expect(whole).toMatchObject({ request_id: id, method: 'POST', path: '/sms/send', status: 200, left_out: false })
      expect(key).toBe(hintOf(by.key))
      expect(key_id).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.parse(whole.body ?? '')).toMatchObject(send)
      expect(JSON.parse(whole.answer ?? '')).toMatchObject({ recipients: ['2348031234567'], content: 'Hello' })
      expect(whole.created_datetime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    }
    expect(await read(by, refused)).toMatchObject({ status: 400, answer: expect.stringContaining('phone_invalid') })
  })

  test('with a key that lacks the scope is included; one without a key belongs to no organisation', async () => {
    const by = await service.organisation()
    const narrow = await service.organisation({ of: by, scopes: ['otp'] })
    const id = await called(narrow, 'GET', '/balance')
    expect(await read(by, id)).toMatchObject({ status: 403 })
    expect((await narrow.call('GET', '/requests')).status).toBe(403)
  })

  test('is listed newest first, filtered, and page by page', async () => {
    const by = await service.organisation()
    const ids: string[] = []
    for (const path of ['/balance', '/sms/x', '/sms', '/templates/x']) ids.push(await called(by, 'GET', path))
    await read(by, ids[3]!)
    const paths = async (query: string) => (await list(by, query)).requests.map(({ path }) => path)
    expect(await paths('')).toEqual(['/templates/x', '/sms', '/sms/x', '/balance'])
    expect(await paths('?status=404')).toEqual(['/templates/x', '/sms/x'])
    expect(await paths('?status=failed&path=/sms')).toEqual(['/sms/x'])
    expect(await paths('?status=2xx')).toEqual(['/sms', '/balance'])
    expect(await paths(`?request_id=${ids[0]}`)).toEqual(['/balance'])
    expect(await paths('?until=2020-01-01')).toEqual([])
    expect(await paths(`?from=${new Date(Date.now() - 60_000).toISOString()}`)).toHaveLength(4)
    const [one] = (await list(by)).requests
    expect(await paths(`?key_id=${one?.key_id}`)).toHaveLength(4)
    const walked: string[] = []
    for (let query = '?limit=1'; query !== '';) {
      const { requests, meta } = await list(by, query)
      walked.push(...requests.map(({ path }) => path))
      query = meta.pagination.query_id === undefined ? '' : `?limit=1&query_id=${meta.pagination.query_id}`
    }
    expect(walked).toEqual(['/templates/x', '/sms', '/sms/x', '/balance'])
    expect(await paths('?request_id=%00')).toEqual([])
    expect((await by.call('GET', '/requests/%00')).status).toBe(404)
    for (const query of ['?status=teapot', '?from=x', '?query_id=x', '?limit=0']) {
      expect((await by.call('GET', `/requests${query}`)).status).toBe(400)
    }
  })

  test('is not visible to another organisation, whatever id it requests', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    const id = await called(by, 'GET', '/balance')
    await another.call('GET', '/templates', undefined, { 'x-request-id': id }) // The same id, in the other organisation.
    await read(by, id)
    expect(await read(another, id)).toMatchObject({ path: '/templates' })
    const own = await called(by, 'GET', '/senders')
    await read(by, own)
    expect((await another.call('GET', `/requests/${own}`)).status).toBe(404)
    expect((await list(another)).requests.map(({ path }) => path)).toEqual(['/templates'])
  })

  test('is recorded by the process that answered it', async () => {
    const by = await service.organisation()
    const other: Organisation = {
      ...by,
      call: (method, path, body, headers) => callAt(beside.url, by.key, method, path, body, headers),
    }
    const [here, there] = [await called(by, 'GET', '/balance'), await called(other, 'GET', '/senders')]
    expect(await read(by, there)).toMatchObject({ path: '/senders' })
    expect(await read(other, here)).toMatchObject({ path: '/balance' })
    expect((await list(by)).requests).toHaveLength(2)
  })

  test('is sampled under load, with the number of calls it represents', async () => {
    const by = await service.organisation()
    const call = (n: number) => {
      return { request_id: `x${n}`, method: 'GET', path: '/sms', status: 200, ms: 1, key_id: null, ago_ms: 20 - n }
    }
    const kept = Array.from({ length: 20 }, (_, n) => call(n))
    const contents = kept.map(({ request_id }) => ({ request_id, body: null, answer: null, left_out: true }))
    await insertBursts(service.db, [{ organisation_id: by.id, id: newId(), seen: 412, calls: kept, contents }])
    const { requests } = await list(by, '?limit=5')
    expect(requests.map(({ request_id }) => request_id)).toEqual(['x19', 'x18', 'x17', 'x16', 'x15'])
    expect(requests[0]).toMatchObject({ shown: 20, seen: 412 })
    expect(await read(by, 'x3')).toMatchObject({ left_out: true, shown: 20, seen: 412 })
  })
})

async function callAt<T>(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as T }
}

describe('a recorded call', () => {
  test('contains no secrets: tokens, keys, passwords, signing secrets', async () => {
    const by = await service.organisation()
    const TOKEN = '739182'
    const number = '2348039182736'
    await by.call('POST', '/otp/request_token', { recipient: number, token: TOKEN })
    const { body: hook } = await by.call<{ secret: string }>('POST', '/hooks', {
      kind: 'zitadel',
      secret: 'zita-secret-zita',
    })
    const { body: webhook } = await by.call<{ secret: string }>('POST', '/webhooks', {
      url: 'http://u:pw-of-ada@127.0.0.1:9/x',
      events: ['*'],
    })
    const { body: account } = await by.call<{ password: string }>('POST', '/smpp/accounts', {
      system_id: 'secretive',
      password: 'pw-smpp1',
    })
    await until('the phone', async () => {
      const { body } = await by.call<{ messages: { text: string }[] }>('GET', `/sandbox/messages?recipient=${number}`)
      return body.messages.some(({ text }) => text.includes(TOKEN))
    })
    await by.call('POST', '/otp/verify', { id: '0199a1e2-f1ef-7a74-91a6-4e737e4e132d', token: TOKEN })
    await fetch(`${service.url}/cgi-bin/sendsms?username=ada&password=${by.key}&to=${number}&text=Hi`)
    const last = await called(by, 'GET', '/balance')
    await read(by, last)
    const { requests } = await list(by)
    expect(requests.length).toBeGreaterThan(6)
    expect(requests.map(({ path }) => path.split('?')[0])).toContain('/cgi-bin/sendsms')
    const kept = (await dump(service.db)).filter(({ table }) => table === 'request_bursts')
    expect(kept.length).toBeGreaterThan(0)
    const secrets = [
      TOKEN,
      by.key,
      'pw-of-ada',
      'pw-smpp1',
      'zita-secret-zita',
      account.password,
      webhook.secret,
      hook.secret,
    ]
    for (const secret of secrets.filter(Boolean)) {
      expect([secret, kept.filter(({ row }) => row.includes(secret)).map(({ row }) => row)]).toEqual([secret, []])
    }
  })

  test('is erased with the person it mentions, also if only the path mentions them', async () => {
    const by = await service.organisation()
    const [number, word] = ['2348037778881', 'zebrafinch']
    await by.call('POST', '/sandbox/reply', { from: number, to: 'Gangan', text: word })
    const said = await called(by, 'POST', `/conversations/${number}/messages`, { content: `${word} again` })
    await read(by, said)
    await by.call('POST', '/sms/send', { recipients: `${number},2348037778882`, sender_id: 'Gangan', content: word })
    const { body } = await by.call<{ id: string }>('POST', '/people/erasures', { phone: number })
    await until('the erasure', async () => {
      const { body: receipt } = await by.call<{ status: string }>('GET', `/people/erasures/${body.id}`)
      return receipt.status === 'done'
    })
    expect((await read(by, said)).path).toMatch(/^\/conversations\/erased-\w+\/messages$/)
    const [mine] = await service.db<{ text: string }[]>`
      select string_agg(one::text, ' ') as text from request_bursts one where organisation_id = ${by.id}`
    expect(mine?.text).not.toContain('7778881')
    expect(mine?.text).not.toContain(word)
    expect(await service.db`select 1 from conversations where organisation_id = ${by.id}`).toHaveLength(0)
  })

  test('is visible to owners, admins and developers', async () => {
    const [finance, developer] = await Promise.all(
      (['finance', 'developer'] as const).map((role) => person(service, service.id, service.id, role)),
    )
    expect((await finance!.call('GET', '/requests')).status).toBe(403)
    expect((await developer!.call('GET', '/requests')).status).toBe(200)
  })

  test('is deleted after its retention period', async () => {
    const by = await service.organisation()
    const id = await called(by, 'GET', '/balance')
    await read(by, id)
    await deleteExpired(service.db, { table: 'request_bursts', older_than: '3 days', limit_per_organisation: 1_000 })
    expect((await list(by)).requests).toHaveLength(1)
    await service.db`
      update request_bursts set id = first_id_at(now() - interval '73 hours') where organisation_id = ${by.id}`
    await deleteExpired(service.db, { table: 'request_bursts', older_than: '3 days', limit_per_organisation: 1_000 })
    expect((await list(by)).requests).toHaveLength(0)
  })
})

test('nothing is recorded while the log is disabled', async () => {
  const off = await openService({ beside: service, workers: false, settings: { retention: { requests_days: 0 } } })
  expect((await off.call('GET', '/balance')).status).toBe(200)
  expect(await list(off)).toMatchObject({ requests: [], kept_days: 0 })
  await off.close() // Calls buffered in memory would be written now.
  expect(await service.db`select 1 from request_bursts where organisation_id = ${off.id}`).toHaveLength(0)
})
