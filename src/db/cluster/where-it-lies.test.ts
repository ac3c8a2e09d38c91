import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { addressOf, whereItLies } from './where-it-lies.ts'

test.each([
  [
    'postgres://gangan:a%40b@coordinator:5432/gangan?sslmode=require',
    'postgres://gangan:a%40b@n1:5433/gangan?sslmode=require',
  ],
  ['postgres://gangan@localhost/gangan?host=%2Frun%2Fpostgresql&port=5432', 'postgres://gangan@n1:5433/gangan'],
])('a node has the database, the user and the password of %s', (given, expected) => {
  expect(addressOf({ url: given }, { host: 'n1', port: 5433 })).toEqual({ url: expected })
})

test('a node may have an address of IPv6', () => {
  expect(addressOf({ url: 'postgres://gangan@c/gangan' }, { host: 'fd00::7', port: 5432 })).toEqual({
    url: 'postgres://gangan@[fd00::7]:5432/gangan',
  })
  const parts = { host: 'c', port: 5432, user: 'gangan', password: 'secret', database: 'gangan' }
  expect(addressOf(parts, { host: 'fd00::7', port: 5433 })).toEqual({ ...parts, host: 'fd00::7', port: 5433 })
})

test('on one machine nothing is asked, and the connections are those given', async () => {
  const db = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(whereItLies(db, '01890a5d-ac96-774b-bcce-b302099a8057')).toBe(db)
  expect(db.nodes.wanted.size).toBe(0)
  await db.end()
})

test('connections that were ended give no new ones to a node', async () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const db = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' }, { distributed: true })
  const node = {
    name: '127.0.0.1:2',
    host: '127.0.0.1',
    port: 2,
    group_id: 1,
    key: id,
    is_away: false,
    is_silent: false,
    asked: 0,
    line: [],
    heard_ms: -Infinity,
    reach: { is_direct: true, tried_ms: performance.now() },
  }
  Object.assign(db.nodes, { known: [node], read_ms: performance.now() })
  db.nodes.piece_of.set(id, '1')
  db.nodes.node_of_piece.set('1', node)
  const there = whereItLies(db, id)
  expect(there).not.toBe(db)
  await db.end()
  expect(there.pool.ending).toBe(true)
  expect(whereItLies(db, id)).toBe(db)
})
