import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { connectionsOf } from '../layout.ts'
import { addressOf } from './node-connections.ts'
import { makeNode } from './node-registry.ts'

test.each([
  [
    'postgres://gangan:a%40b@coordinator:5432/gangan?sslmode=require',
    'postgres://gangan:a%40b@n1:5433/gangan?sslmode=require',
  ],
  ['postgres://gangan@localhost/gangan?host=%2Frun%2Fpostgresql&port=5432', 'postgres://gangan@n1:5433/gangan'],
])('the address of a node has the database, user and password of %s', (given, expected) => {
  expect(addressOf({ url: given }, { host: 'n1', port: 5433 })).toEqual({ url: expected })
})

test('the address of a node may be an IPv6 address', () => {
  expect(addressOf({ url: 'postgres://gangan@c/gangan' }, { host: 'fd00::7', port: 5432 })).toEqual({
    url: 'postgres://gangan@[fd00::7]:5432/gangan',
  })
  const parts = { host: 'c', port: 5432, user: 'gangan', password: 'secret', database: 'gangan' }
  expect(addressOf(parts, { host: 'fd00::7', port: 5433 })).toEqual({ ...parts, host: 'fd00::7', port: 5433 })
})

test('on a single server the given connections are used, without a query', async () => {
  const db = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(connectionsOf(db, '01890a5d-ac96-774b-bcce-b302099a8057')).toBe(db)
  expect(db.nodes.wanted.size).toBe(0)
  await db.end()
})

test('an ended pool opens no connections to a node', async () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const db = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' }, { distributed: true })
  const node = makeNode({ name: '127.0.0.1:2', host: '127.0.0.1', port: 2, group_id: 1, key: id })
  Object.assign(node.direct, { works: true, tested_ms: performance.now() })
  Object.assign(db.nodes, { known: [node], read_ms: performance.now() })
  db.nodes.shard_of.set(id, '1')
  db.nodes.node_of_shard.set('1', node)
  const there = connectionsOf(db, id)
  expect(there).not.toBe(db)
  await db.end()
  expect(there.pool.ending).toBe(true)
  expect(connectionsOf(db, id)).toBe(db)
})
