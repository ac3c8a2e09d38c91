import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'
import { everyDelivery } from '../support/every.ts'

type Fault = { field: string; type: string }
type Send = {
  id: string
  status: string
  rows: number
  accepted: number
  charge: number
  fault?: string
  errors: Fault[]
}

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const send = (by: Organisation, body: object, headers = {}) => by.call<Send>('POST', '/sms/send', body, headers)
const ended = (by: Organisation, id: string) =>
  until('the send to end', async () => {
    const { body } = await by.call<Send>('GET', `/lists/contact/sends/${id}`)
    return ['done', 'failed', 'canceled'].includes(body.status) && body
  })

async function listOf(by: Organisation, rows: object[], filters: object[] = []): Promise<string> {
  for (let n = 0; n < rows.length; n += 1_000) {
    const part = rows.slice(n, n + 1_000).map((columns) => ({ columns }))
    expect((await by.call('POST', '/lists/contact/rows/bulk', { rows: part })).status).toBe(200)
  }
  return (await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'List', filters })).body.id
}

describe('POST /sms/send with a smartlist_id', () => {
  test('sends to every number of the list once, in chunks, and charges each chunk', async () => {
    const by = await service.organisation({ credit: 10_000 })
    const people = Array.from({ length: 1_200 }, (_, n) => ({
      Name: 'In',
      Mobile: `0803${String(n).padStart(7, '0')}`,
    }))
    const rows = [
      ...people,
      { Name: 'In', Mobile: '+234 803 000 0000' },
      { Name: 'In' },
      { Name: 'Out', Mobile: '08051234567' },
    ]
    const smartlist_id = await listOf(by, rows, [{ name: 'Name', operator: 'equal', value: 'In' }])
    const { status, body } = await send(by, { smartlist_id, content: 'Hello', external_ref: 'campaign' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'queued',
      smartlist_id,
      channel: 'sms',
      content: 'Hello',
      sender_id: 'Gangan',
    })
    const done = await ended(by, body.id)
    expect(done).toMatchObject({
      status: 'done',
      rows: 1_202,
      accepted: 1_200,
      duplicates: 1,
      without_number: 1,
      incomplete: 0,
      refused: 0,
      charge: 4_800,
    })
    const balance = await by.call<{ balance: number }>('GET', '/balance')
    expect(balance.body.balance).toBe(10_000 - 4_800)
    const [stored] = await service.db`
      select count(*)::integer as count, count(distinct recipient)::integer as numbers
      from ${everyDelivery(service.db)} delivery where organisation_id = ${by.id}`
    expect(stored).toEqual({ count: 1_200, numbers: 1_200 })
  })

  test('fills placeholders from the columns, and skips rows without a value', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [
      { Name: 'Ada', Mobile: '08031234567' },
      { Name: 'Bola', Mobile: '08051234567' },
      { Mobile: '08061234567' },
    ])
    const { body } = await send(by, { smartlist_id, content: 'Dear {{ name }}, hello' })
    expect(await ended(by, body.id)).toMatchObject({ status: 'done', accepted: 2, incomplete: 1, charge: 8 })
    const texts = await until('both to be submitted', async () => {
      const found = await service.db<{ recipient: string; content: string; text: string }[]>`
        select recipient, content, text from messages join deliveries
          on deliveries.organisation_id = messages.organisation_id and message_id = id
        where messages.organisation_id = ${by.id} order by recipient`
      return found.length === 2 && found
    })
    expect(texts).toEqual([
      { recipient: '2348031234567', content: 'Dear {{ name }}, hello', text: 'Dear Ada, hello' },
      { recipient: '2348051234567', content: 'Dear {{ name }}, hello', text: 'Dear Bola, hello' },
    ])
  })

  test('uses the version that a template has at the time of the request', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [{ Name: 'Ada', Mobile: '08031234567' }, { Mobile: '08051234567' }])
    const content = 'Dear {{name|friend}}, see https://example.com{{nothing|}}'
    const { body: template } = await by.call<{ id: string }>('POST', '/templates', { name: 'x', content })
    const { body, status } = await send(by, { smartlist_id, template_id: template.id, is_trackable: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ content, template_id: template.id, template_version: 1 })
    await by.call('DELETE', `/templates/${template.id}`)
    expect(await ended(by, body.id)).toMatchObject({ status: 'done', accepted: 2, incomplete: 0, charge: 8 })
    const { messages } = (await by.call<{ messages: { id: string }[] }>('GET', '/sms')).body
    expect(messages).toHaveLength(1)
    type Shown = { deliveries: { recipient: string; text: string }[] }
    const { body: shown } = await by.call<Shown>('GET', `/sms/${messages[0]?.id}`)
    expect(shown).toMatchObject({ template_id: template.id, template_version: 1, content })
    expect(shown.deliveries.sort((a, b) => a.recipient.localeCompare(b.recipient))).toMatchObject([
      { recipient: '2348031234567', text: expect.stringMatching(/^Dear Ada, see http.*\/l\/\w{7}$/) },
      { recipient: '2348051234567', text: expect.stringMatching(/^Dear friend, see http.*\/l\/\w{7}$/) },
    ])
  })

  test('is rejected if a template or one of its columns does not exist', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [])
    const words = { name: 'x', content: '{{Nick}} {{Name}} {{Nick}}' }
    const { body: template } = await by.call<{ id: string }>('POST', '/templates', words)
    const wrong = await send(by, { smartlist_id, template_id: template.id })
    expect(faults(wrong.body.errors)).toEqual(['template_id unknown_placeholder'])
    const unknown = await send(by, { smartlist_id, template_id: newId() })
    expect(unknown.status).toBe(404)
    expect(faults(unknown.body.errors)).toEqual(['template_id not_found'])
  })

  test.each<{ of: string; smartlist_id: unknown }>([
    { of: 'a number', smartlist_id: 7 },
    { of: 'an object', smartlist_id: {} },
    { of: 'an object with a toString of its own', smartlist_id: { toString: 2 } },
    { of: 'a list', smartlist_id: ['x'] },
  ])('responds with 400 to a smartlist_id that is $of instead of text', async ({ smartlist_id }) => {
    const by = await service.organisation()
    const { status, body } = await by.call('POST', '/sms/send', { smartlist_id, content: 'Hello' })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'smartlist_id', type: 'string_type' }])
  })

  test('is carried out once for an Idempotency-Key, with the same response', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [{ Mobile: '08031234567' }])
    const headers = { 'idempotency-key': 'once' }
    const first = await send(by, { smartlist_id, content: 'Hello' }, headers)
    await ended(by, first.body.id)
    const again = await send(by, { smartlist_id, content: 'Hello' }, headers)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await send(by, { smartlist_id, content: 'Other' }, headers)).status).toBe(409)
    expect((await by.call('DELETE', `/lists/contact/smartlists/${smartlist_id}`)).status).toBe(204)
    const late = await send(by, { smartlist_id, content: 'Hello' }, headers)
    expect([late.status, late.text]).toEqual([200, first.text])
    expect((await send(by, { smartlist_id, content: 'Hello' })).status).toBe(404)
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(996)
  })

  test('stops when the balance does not cover the next chunk', async () => {
    const by = await service.organisation({ credit: 3 })
    const smartlist_id = await listOf(by, [{ Mobile: '08031234567' }])
    const { body } = await send(by, { smartlist_id, content: 'Hello' })
    const failed = await ended(by, body.id)
    expect(failed).toMatchObject({ status: 'failed', accepted: 0, charge: 0, fault: expect.stringMatching(/balance/) })
  })

  test('a chunk that was sent but not recorded is not sent again', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [{ Mobile: '08031234567' }])
    const { body } = await send(by, { smartlist_id, content: 'Hello' })
    await ended(by, body.id)
    await service.db`
      update campaign_slices set status = 'begun' where organisation_id = ${by.id} and campaign_id = ${body.id}`
    await service.db`
      update campaigns set status = 'running', all_accepted = false, accepted = 0, charged = 0, ended_datetime = null
      where id = ${body.id}`
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, subject_key)
      values ('campaigns', ${by.id}, ${by.id}, ${body.id}, '1')`
    expect(await ended(by, body.id)).toMatchObject({ status: 'done', accepted: 1, charge: 4 })
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(996)
  })

  test('rejects half of a surrogate pair like any other message', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [{ Mobile: '08031234567' }])
    const { status, body } = await send(by, { smartlist_id, content: 'Cut off \ud83d', external_ref: '\udc00' })
    expect([status, faults(body.errors)]).toEqual([400, ['content invalid', 'external_ref invalid']])
  })

  test('is rejected with all its errors', async () => {
    const by = await service.organisation()
    const smartlist_id = await listOf(by, [])
    const wrong = await send(by, { smartlist_id, content: '{{Nick}}', channel: 'pigeon', callback: 'x' })
    expect(wrong.status).toBe(400)
    expect(faults(wrong.body.errors)).toEqual(['callback url_parsing', 'channel enum', 'content unknown_placeholder'])
    expect(faults((await send(by, { smartlist_id })).body.errors)).toEqual(['content missing', 'template_id missing'])
    const both = await send(by, { smartlist_id, recipients: '08031234567', content: 'x' })
    expect(faults(both.body.errors)).toEqual(['smartlist_id invalid'])
    expect((await send(by, { smartlist_id: newId(), content: 'x' })).status).toBe(404)
    expect((await send(by, { smartlist_id: 'x', content: 'x' })).status).toBe(404)
    await by.call('DELETE', '/lists/contact/columns/Mobile')
    expect(faults((await send(by, { smartlist_id, content: 'x' })).body.errors)).toEqual(['smartlist_id invalid'])
  })
})

test('/lists/contact/sends/{id} cancels, and belongs to its organisation', async () => {
  const idle = await openService({ workers: false })
  const smartlist_id = await listOf(idle, [{ Mobile: '08031234567' }])
  const { body } = await send(idle, { smartlist_id, content: 'Hello' })
  const path = `/lists/contact/sends/${body.id}`
  const other = await idle.organisation()
  expect((await other.call('GET', path)).status).toBe(404)
  expect((await other.call('DELETE', path)).status).toBe(404)
  expect((await idle.call('GET', '/lists/contact/sends/x')).status).toBe(404)
  expect((await idle.call('DELETE', path)).status).toBe(204)
  expect((await idle.call<Send>('GET', path)).body.status).toBe('canceled')
  await idle.close()
})
