import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpired } from '../../src/db/retention.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { newId } from '../../src/values/id.ts'

type Listed = {
  phone: string
  status: string
  unread: number
  assignee?: { id: string; name: string }
  contact?: { id: string; name: string }
}
type List = { conversations: Listed[]; meta: { pagination: { count_total: number; query_id: string } } }
type Entry = { id: string; direction: string; text?: string; author?: string }
type Thread = { conversation: Listed & { received: number }; messages: Entry[] }
type Refused = { message: string; errors: { field: string; type: string }[] }

const ADA = '2348031234567'
const BOLA = '2348057654321'
const CHIKE = '2348091112223'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

const write = (by: Organisation, from: string, text: string) =>
  by.call('POST', '/sandbox/reply', { from, to: 'Gangan', text })
const list = async (by: Pick<Organisation, 'call'>, query = '') =>
  (await by.call<List>('GET', `/conversations${query}`)).body
const phones = async (by: Pick<Organisation, 'call'>, query = '') =>
  (await list(by, query)).conversations.map(({ phone }) => phone)
const thread = async (by: Pick<Organisation, 'call'>, phone: string, query = '') =>
  (await by.call<Thread>('GET', `/conversations/${phone}${query}`)).body
const statusOf = async (by: Organisation, phone: string) => (await thread(by, phone)).conversation.status

/** An organisation with three conversations; Chike wrote last. */
async function threeConversations(): Promise<Organisation> {
  const by = await service.organisation()
  for (const from of [ADA, BOLA, CHIKE]) await write(by, from, `I am ${from}`)
  return by
}

describe('closing a conversation', () => {
  test('marks it as read, and the next text reopens it', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'one')
    expect((await by.call('POST', `/conversations/${ADA}/close`, { received: 1 })).status).toBe(204)
    expect((await thread(by, ADA)).conversation).toMatchObject({ status: 'closed', unread: 0 })
    expect((await by.call('POST', `/conversations/${ADA}/close`, {})).status).toBe(204)
    await write(by, ADA, 'two')
    expect((await thread(by, ADA)).conversation).toMatchObject({ status: 'open', unread: 1 })
    await by.call('POST', `/conversations/${ADA}/close`, {})
    expect((await by.call('POST', `/conversations/${ADA}/reopen`)).status).toBe(204)
    expect((await thread(by, ADA)).conversation).toMatchObject({ status: 'open', unread: 0 })
    expect((await by.call('POST', `/conversations/${ADA}/reopen`)).status).toBe(204)
    expect((await by.call('POST', `/conversations/${BOLA}/close`, {})).status).toBe(404)
    expect((await by.call('POST', `/conversations/${BOLA}/reopen`)).status).toBe(404)
    expect((await by.call('POST', `/conversations/${ADA}/close`, { received: -1 })).status).toBe(400)
  })

  test('is refused if a text has arrived that the user has not seen', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'one')
    await write(by, ADA, 'two')
    const late = await by.call<Refused>('POST', `/conversations/${ADA}/close`, { received: 1 })
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('Another text has arrived')])
    expect((await thread(by, ADA)).conversation).toMatchObject({ status: 'open', unread: 2 })
  })

  test('leaves no conversation closed with an unread text, whatever arrives meanwhile', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'first')
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? write(by, ADA, `text ${n}`) : by.call('POST', `/conversations/${ADA}/close`, {}),
      ),
    )
    const { conversation } = await thread(by, ADA)
    expect(conversation.received).toBe(11)
    expect(conversation.status).toBe(conversation.unread > 0 ? 'open' : 'closed')
    await write(by, ADA, 'last')
    expect(await statusOf(by, ADA)).toBe('open')
  })
})

describe('assigning a conversation', () => {
  let bola: Person
  let eve: Person
  beforeAll(async () => {
    bola = await person(service, service.id, service.id, 'marketer')
    eve = await person(service, service.id, service.id, 'developer')
  })

  test('is possible to users who may reply, whom a list names', async () => {
    await write(service, ADA, 'Hi')
    const viewer = await person(service, service.id, service.id, 'viewer')
    const gone = await person(service, service.id, service.id, 'marketer')
    await service.db`update users set disabled_datetime = now() where id = ${gone.id}`
    const { body } = await service.call<{ assignees: { id: string; name: string }[] }>(
      'GET',
      '/conversations/assignees',
    )
    const ids = body.assignees.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([bola.id, eve.id]))
    expect(ids).not.toContain(viewer.id)
    expect(ids).not.toContain(gone.id)
    const stranger = await person(service, (await service.organisation()).id)
    for (const assignee_id of [viewer.id, gone.id, stranger.id, newId(), 'x']) {
      const refused = await service.call<Refused>('POST', `/conversations/${ADA}/assign`, { assignee_id })
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [expect.objectContaining({ field: 'assignee_id', type: 'not_found' })],
      ])
    }
    expect((await service.call('POST', `/conversations/${ADA}/assign`, {})).status).toBe(400)
    const wrong = await service.call<Refused & { errors: { field: string }[] }>(
      'POST',
      `/conversations/${ADA}/assign`,
      {
        assignee_id: 'x',
        current_assignee_id: 'y',
      },
    )
    expect([wrong.status, wrong.body.errors.map(({ field }) => field)]).toEqual([
      400,
      ['assignee_id', 'current_assignee_id'],
    ])
    expect((await service.call('POST', `/conversations/${ADA}/assign`, { assignee_id: bola.id })).status).toBe(204)
    expect((await thread(service, ADA)).conversation.assignee).toEqual({ id: bola.id, name: bola.email })
    expect((await service.call('POST', `/conversations/${ADA}/assign`, { assignee_id: null })).status).toBe(204)
    expect((await thread(service, ADA)).conversation).not.toHaveProperty('assignee')
  })

  test('goes to one of two users who take it at the same time', async () => {
    await write(service, BOLA, 'Hi')
    const take = (by: Person) =>
      by.call<Refused>('POST', `/conversations/${BOLA}/assign`, { assignee_id: by.id, current_assignee_id: null })
    const taken = await Promise.all([take(bola), take(eve)])
    expect(taken.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const [first, second] = taken[0].status === 204 ? [bola, eve] : [eve, bola]
    expect((await thread(service, BOLA)).conversation.assignee?.id).toBe(first.id)
    expect(taken.find(({ status }) => status === 409)?.body.message).toContain(first.email)
    const handed = await second.call('POST', `/conversations/${BOLA}/assign`, {
      assignee_id: second.id,
      current_assignee_id: first.id,
    })
    expect(handed.status).toBe(204)
  })

  test('stays through new texts, and is not possible to a role that only reads', async () => {
    await write(service, CHIKE, 'Hi')
    await service.call('POST', `/conversations/${CHIKE}/assign`, { assignee_id: bola.id })
    await service.call('POST', `/conversations/${CHIKE}/close`, {})
    await write(service, CHIKE, 'Hello?')
    expect((await thread(service, CHIKE)).conversation).toMatchObject({ status: 'open', assignee: { id: bola.id } })
    const viewer = await person(service, service.id, service.id, 'viewer')
    for (const [path, body] of [
      ['assign', { assignee_id: null }],
      ['close', {}],
      ['reopen', undefined],
      ['notes', { text: 'Hi' }],
      ['messages', { content: 'Hi' }],
      ['read', {}],
    ] as const) {
      expect([path, (await viewer.call('POST', `/conversations/${CHIKE}/${path}`, body)).status]).toEqual([path, 403])
    }
    expect((await thread(viewer, CHIKE)).conversation.assignee?.id).toBe(bola.id)
  })
})

describe('the filters of the list', () => {
  test('find open, closed, unread, assigned and unassigned conversations, in any combination', async () => {
    const by = await threeConversations()
    const user = await person(service, by.id)
    await by.call('POST', `/conversations/${ADA}/close`, {})
    await by.call('POST', `/conversations/${BOLA}/read`, {})
    await by.call('POST', `/conversations/${BOLA}/assign`, { assignee_id: user.id })
    const expected: [string, string[]][] = [
      ['', [CHIKE, BOLA, ADA]],
      ['?status=open', [CHIKE, BOLA]],
      ['?status=closed', [ADA]],
      ['?unread=true', [CHIKE]],
      ['?unread=false', [BOLA, ADA]],
      ['?status=open&unread=false', [BOLA]],
      ['?status=closed&unread=true', []],
      ['?assignee_id=none', [CHIKE, ADA]],
      ['?assignee_id=none&status=open', [CHIKE]],
      [`?assignee_id=${user.id}`, [BOLA]],
      [`?assignee_id=${user.id}&unread=true`, []],
      [`?assignee_id=${newId()}`, []],
    ]
    for (const [query, found] of expected) expect([query, await phones(by, query)]).toEqual([query, found])
    for (const [query, found] of expected) {
      const counted = (await list(by, `${query === '' ? '?' : `${query}&`}limit=1`)).meta.pagination.count_total
      expect([query, counted]).toEqual([query, found.length])
    }
    const first = await list(by, '?unread=false&limit=1')
    expect(first.conversations.map(({ phone }) => phone)).toEqual([BOLA])
    expect(await phones(by, `?unread=false&limit=1&query_id=${first.meta.pagination.query_id}`)).toEqual([ADA])
    for (const query of ['?status=new', '?unread=maybe', '?assignee_id=x', `?q=${'x'.repeat(201)}`, '?q=%00']) {
      expect([query, (await by.call('GET', `/conversations${query}`)).status]).toEqual([query, 400])
    }
  })

  test('read no more rows than a page has, whatever most conversations are', async () => {
    const by = await service.organisation()
    await service.db`
      insert into conversations (organisation_id, phone, id, direction, channel, "to", received_datetime, received, read, closed_received)
      select ${by.id}, 234800000000 + n, first_id_at(now() - n * interval '1 second'), 'in', 'sms', 'Gangan', now(), 1, 1, 1
      from generate_series(1, 20000) n`
    await write(by, ADA, 'open')
    await service.db`update conversations set id = first_id_at(now() - interval '1 year')
      where organisation_id = ${by.id} and phone = ${ADA}`
    await service.db.unsafe('analyze conversations')
    const [{ before } = { before: 0n }] = await readRows()
    expect(await phones(by, '?status=open&limit=1')).toEqual([ADA])
    expect(await phones(by, '?unread=true&limit=1')).toEqual([ADA])
    expect(await phones(by, '?unread=true&assignee_id=none&limit=1')).toEqual([ADA])
    const [{ before: after } = { before: 0n }] = await readRows()
    expect(Number(after) - Number(before)).toBeLessThan(1_000)
  })
})

/** Rows of conversations that statements have read so far. */
async function readRows() {
  await service.db`select pg_stat_force_next_flush()`
  return service.db<{ before: bigint }[]>`
    select (seq_tup_read + idx_tup_fetch)::bigint as before from pg_stat_all_tables where relname = 'conversations'`
}

describe('contacts in the inbox', () => {
  const row = (by: Organisation, columns: object) =>
    by.call<{ row: { id: string } }>('POST', '/lists/contact/rows', { columns })

  test('name a conversation, for callers who may read them', async () => {
    const by = await threeConversations()
    const made = await row(by, { Name: 'Ada Obi', Mobile: '0803 123 4567' })
    await row(by, { Name: 'Another Ada', Mobile: ADA })
    await row(by, { Mobile: BOLA })
    const names = Object.fromEntries((await list(by)).conversations.map(({ phone, contact }) => [phone, contact?.name]))
    expect(names).toEqual({ [ADA]: 'Ada Obi', [BOLA]: BOLA, [CHIKE]: undefined })
    expect((await thread(by, ADA)).conversation.contact).toEqual({ id: made.body.row.id, name: 'Ada Obi' })
    const finance = await person(service, by.id, by.id, 'finance')
    expect((await thread(finance, ADA)).conversation).not.toHaveProperty('contact')
    expect(await phones(finance, '?q=obi')).toEqual([])
    const narrow = await service.organisation({ of: by, scopes: ['sms'] })
    expect((await list(narrow)).conversations.some(({ contact }) => contact)).toBe(false)
  })

  test('are searched with numbers and texts', async () => {
    const by = await threeConversations()
    await row(by, { Name: 'Ada Obi', Mobile: ADA })
    await write(by, BOLA, 'Where is my Parcel_7?')
    const found: [string, string[]][] = [
      ['obi', [ADA]],
      ['Ada OBI', [ADA]],
      ['0805', [BOLA]],
      ['+234 809', [CHIKE]],
      ['08031234567', [ADA]],
      ['112223', [CHIKE]],
      ['parcel_', [BOLA]],
      ['parcel%', []],
      ['  ', [BOLA, CHIKE, ADA]],
      ['zebra', []],
    ]
    for (const [q, result] of found) {
      expect([q, await phones(by, `?q=${encodeURIComponent(q)}`)]).toEqual([q, result])
    }
    await by.call('POST', `/conversations/${ADA}/close`, {})
    expect(await phones(by, '?q=i+am&status=open')).toEqual([BOLA, CHIKE])
    expect(await phones(await service.organisation(), '?q=parcel')).toEqual([])
  })
})

describe('a search of texts', () => {
  test('finds old ones by an index, newest first among many matches, and does not read other organisations', async () => {
    const by = await service.organisation()
    const neighbour = await service.organisation()
    await write(by, ADA, 'The Purple_Zebra went home')
    await write(neighbour, BOLA, 'Another purple_zebra')
    // Written long ago, behind more texts than are read one by one.
    await service.db`
      update inbound_messages set id = first_id_at(now() - interval '1 year') where organisation_id = ${by.id}`
    await service.db`
      insert into inbound_messages (organisation_id, id, "from", "to", channel, text, carrier)
      select ${by.id}, first_id_at(now() - n * interval '1 minute'), 234809000000 + n % 300, 'Gangan', 'sms',
        'Thank you ' || n, 'simulator'
      from generate_series(1, 11000) n`
    await service.db`
      insert into conversations (organisation_id, phone, id, direction, channel, "to", received_datetime, received)
      select ${by.id}, 234809000000 + n, first_id_at(now() - n * interval '1 minute'), 'in', 'sms', 'Gangan', now(), 1
      from generate_series(0, 299) n`
    await service.db.unsafe('vacuum analyze inbound_messages')
    expect(await phones(by, '?q=purple_zebra')).toEqual([ADA])
    expect(await phones(by, '?q=purple%25')).toEqual([])
    expect(await phones(neighbour, '?q=PURPLE_Z')).toEqual([BOLA])
    // Too short for the index: only the newest are searched.
    expect(await phones(by, '?q=_Z')).toEqual([])
    expect(await phones(by, '?q=thank+you&limit=1')).toHaveLength(1)
    const plan = await service.db<Record<string, string>[]>`
      explain select "from" from inbound_messages
      where organisation_id = ${by.id}
        and uuid_hash_extended(organisation_id, 0) = uuid_hash_extended(${by.id}::uuid, 0)
        and lower(text) like '%purple_zebra%' limit 2000`
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('inbound_messages_by_words')
  })
})

describe('notes', () => {
  test('stand in the thread with their author, and are sent to no one', async () => {
    const by = await service.organisation()
    const user = await person(service, by.id)
    await write(by, ADA, 'Hi')
    const note = await user.call<Entry>('POST', `/conversations/${ADA}/notes`, { text: ' Owes us a reply ' })
    expect([note.status, note.body]).toMatchObject([
      200,
      { direction: 'note', text: 'Owes us a reply', author: user.email },
    ])
    await by.call('POST', `/conversations/${ADA}/notes`, { text: 'By a key' })
    await write(by, ADA, 'Hello?')
    const shown = (await thread(user, ADA)).messages
    expect(shown.map(({ direction, text, author }) => [direction, text, author])).toEqual([
      ['in', 'Hello?', undefined],
      ['note', 'By a key', undefined],
      ['note', 'Owes us a reply', user.email],
      ['in', 'Hi', undefined],
    ])
    expect((await list(by)).conversations[0]).toMatchObject({ direction: 'in', text: 'Hello?' })
    expect((await by.call<{ messages: object[] }>('GET', `/sandbox/messages?recipient=${ADA}`)).body.messages).toEqual(
      [],
    )
    expect((await user.call('DELETE', `/notes/${note.body.id}`)).status).toBe(204)
    expect((await user.call('DELETE', `/notes/${note.body.id}`)).status).toBe(404)
    expect((await thread(by, ADA)).messages).toHaveLength(3)
  })

  test('need a text that can be stored, and a conversation', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'Hi')
    for (const text of ['', '   ', 'x'.repeat(2_001), 'a\u0000b', 5, undefined]) {
      expect([text, (await by.call('POST', `/conversations/${ADA}/notes`, { text })).status]).toEqual([text, 400])
    }
    expect((await by.call('POST', `/conversations/${BOLA}/notes`, { text: 'Hi' })).status).toBe(404)
    expect((await by.call('DELETE', '/notes/x')).status).toBe(404)
  })

  test('are limited in number, and deleted with their conversation or after the retention period', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'Hi')
    await service.db`
      insert into conversation_notes (organisation_id, id, phone, text)
      select ${by.id}, first_id_at(now() - (interval '91 days') - n * interval '1 second'), ${ADA}, 'old'
      from generate_series(1, 1000) n`
    const full = await by.call<Refused>('POST', `/conversations/${ADA}/notes`, { text: 'One more' })
    expect([full.status, full.body.message]).toEqual([409, expect.stringContaining('1,000 notes')])
    await deleteExpired(service.db, {
      table: 'conversation_notes',
      older_than: '90 days',
      limit_per_organisation: 5_000,
    })
    expect((await thread(by, ADA)).messages).toHaveLength(1)
    expect((await by.call('POST', `/conversations/${ADA}/notes`, { text: 'New' })).status).toBe(200)
    await service.db`delete from conversations where organisation_id = ${by.id}`
    expect(await service.db`select 1 from conversation_notes where organisation_id = ${by.id}`).toHaveLength(0)
  })
})
