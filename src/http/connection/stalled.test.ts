import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeStallCheck } from './stalled.ts'

test('what lies in a socket for half a minute is unread, and what is taken is not', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [writer] = (await once(server, 'connection')) as [Socket]
  const isUnread = makeStallCheck(writer)
  expect(isUnread(0)).toBe(false)
  expect(isUnread(100_000)).toBe(false)

  const piece = Buffer.alloc(65_536)
  while (writer.writableLength < 1_000_000) {
    writer.write(piece)
    await new Promise((next) => setImmediate(next))
  }
  expect(isUnread(200_000)).toBe(false)
  expect(isUnread(229_999)).toBe(false)
  expect(isUnread(230_000)).toBe(true)

  reader.resume()
  await once(writer, 'drain')
  expect(isUnread(230_001)).toBe(false)
  reader.destroy()
  writer.destroy()
  server.close()
})
