import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startStallingProxy } from '../support/stalling-proxy.ts'
import { isDatabaseUnreachable } from '../../src/db/unreachable.ts'
import { answerTimestamp, connect } from '../../src/db/connect.ts'
import { committedIfAnswered, transaction } from '../../src/db/transaction.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
  await database.db.unsafe('create table things (id integer primary key, name text)')
})
beforeEach(async () => {
  await database.db`delete from things`
})
afterAll(() => database.drop())

const count = async () => (await database.db`select id from things`).length

describe('committedIfAnswered', () => {
  test('returns the rows, and is committed', async () => {
    const rows = await committedIfAnswered(database.db, (tx) => tx`insert into things (id) values (${1}) returning id`)
    expect([...rows]).toEqual([{ id: 1 }])
    expect(await count()).toBe(1)
  })

  test('leaves a usable connection when its statement fails', async () => {
    await database.db`insert into things (id) values (1)`
    const twice = committedIfAnswered(database.db, (tx) => tx`insert into things (id) values (${1})`)
    await expect(twice).rejects.toMatchObject({ code: '23505' })
    expect(await database.db`select 1 as still`).toMatchObject([{ still: 1 }])
  })
})

describe('transaction', () => {
  test('is rolled back when the work throws', async () => {
    const work = transaction(database.db, async (tx) => {
      await tx`insert into things (id) values (${1})`
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await count()).toBe(0)
  })
})

describe('a statement', () => {
  test('binds values, joins fragments, and counts', async () => {
    const { db } = database
    const name = "'; drop table things; --"
    const added = await db`insert into things (id, name) values (${1}, ${name}), (${2}, ${null})`
    expect(added.count).toBe(2)
    const narrowed = (id: number | undefined) =>
      db`select id from things where true ${id === undefined ? db`` : db`and id = ${id}`} order by id`
    expect((await narrowed(undefined)).map(({ id }) => id)).toEqual([1, 2])
    expect((await narrowed(2)).map(({ id }) => id)).toEqual([2])
    expect(await db`select name from things where name = ${name}`).toHaveLength(1)
  })

  test('reads bigints whole and times as the API writes them', async () => {
    const [row] = await database.db`
      select ${'9380935605053030457'}::numeric::text as n, 9007199254740993::bigint as b,
        '2026-11-14 23:42:46.5+00'::timestamptz as t, ${['a,b', null, '"']}::text[] as list, ${Buffer.from('x')}::bytea as bytes`
    expect(row).toEqual({
      n: '9380935605053030457',
      b: 9007199254740993n,
      t: '2026-11-14T23:42:46.500000+00:00',
      list: ['a,b', null, '"'],
      bytes: Buffer.from('x'),
    })
    expect(answerTimestamp('2026-11-14 23:42:46+00')).toBe('2026-11-14T23:42:46.000000+00:00')
  })
})

test('a connection that is lost between two users fails the second, and not the process', async () => {
  const proxy = await startStallingProxy(database.address)
  const db = connect({ url: proxy.url }, { connections: 1 })
  await db`select 1`
  proxy.dieAfter('the last words')
  const [first, second] = await Promise.allSettled([
    db`select 'the last words' as said`.then((rows) => rows), // Sent immediately.
    transaction(db, async (tx) => tx`select 2`),
  ])
  expect(first.status).toBe('fulfilled')
  expect(second).toMatchObject({ status: 'rejected' })
  expect(isDatabaseUnreachable((second as PromiseRejectedResult).reason)).toBe(true)
  expect(await db`select 3 as still`).toMatchObject([{ still: 3 }])
  await db.end({ timeout: 1 })
  await proxy.close()
})
