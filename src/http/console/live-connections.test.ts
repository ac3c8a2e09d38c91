import { expect, test } from 'vitest'
import { makeLiveConnections, type LiveConnection, type LiveConnections } from './live-connections.ts'

let sessions = 0

/** A user with a session; records the connections that were closed. */
function sit(
  connections: LiveConnections,
  organisation_id: string | null,
  who: Partial<LiveConnection> = {},
  gone: string[] = [],
): LiveConnection {
  sessions += 1
  const name = `${organisation_id} ${sessions}`
  const connection = { session_id: name, user_id: name, organisation_id, end: () => void gone.push(name), ...who }
  connections.take(connection)
  return connection
}

const sizeOf = (connections: LiveConnections, organisation_id: string | null) =>
  [...connections.all()].filter((connection) => connection.organisation_id === organisation_id).length

test.each([
  ['a session', { session_id: 's', user_id: 'u' }, 6],
  ['a person', { user_id: 'u' }, 24],
  ['an organisation', {}, 100],
])('%s has its share, and what was left can be taken again', (_, who, share) => {
  const connections = makeLiveConnections()
  const taken = Array.from({ length: share }, () => sit(connections, 'a', who))
  expect(() => sit(connections, 'a', who)).toThrow(
    expect.objectContaining({ code: 'too_many_requests', retry_after_s: 10 }),
  )
  sit(connections, 'b')
  sit(connections, null)
  connections.leave(taken[0] as LiveConnection)
  sit(connections, 'a', who)
})

test('when all are in use, the organisation with most of them loses one, until all have equally many', () => {
  const connections = makeLiveConnections(12)
  const gone: string[] = []
  for (let n = 0; n < 6; n += 1) for (const organisation_id of ['a', 'b']) sit(connections, organisation_id, {}, gone)
  for (let n = 0; n < 4; n += 1) sit(connections, 'c', {}, gone)
  expect(['a', 'b', 'c'].map((one) => sizeOf(connections, one))).toEqual([4, 4, 4])
  expect(gone).toHaveLength(4)
  expect(() => sit(connections, 'c')).toThrow('Too many pages are open.')
  sit(connections, null)
  expect(sizeOf(connections, null)).toBe(1)
  expect([...connections.all()]).toHaveLength(12)
})
