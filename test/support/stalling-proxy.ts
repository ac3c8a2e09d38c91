import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../src/db/connect.ts'

export type StallingProxy = {
  /** The address of the database through the proxy, like DATABASE_URL. */
  url: string
  /** From now on no data passes in either direction; connections stay open. */
  stall(): void
  flow(): void
  /** No data passes on the current connections any more; new ones work. */
  lose(): void
  /** From now on a response that contains this text is followed, in the same packet, by the server's last message. */
  dieAfter(words: string): void
  /** Stops listening, like a killed server, */
  refuse(): Promise<void>
  /** until it is back. */
  accept(): Promise<void>
  /** Closes every connection, like a network interruption. */
  cut(): void
  close(): Promise<void>
}

/** A proxy to a database that can be stalled. */
export async function startStallingProxy(address: DatabaseAddress): Promise<StallingProxy> {
  const target = targetOf(address)
  const pairs = new Set<[Socket, Socket]>()
  let stalled = false
  let last_words: string | undefined
  const server = createServer((near) => {
    const far = 'path' in target.to ? connect(target.to.path) : connect(target.to.port, target.to.host)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far).pipe(near)
    far.prependListener('data', (bytes: Buffer) => {
      if (last_words === undefined || !bytes.includes(last_words)) return
      far.unpipe(near)
      near.end(Buffer.concat([bytes, FATAL]))
    })
    for (const [socket, other] of [pair, [far, near] as const]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
    }
    if (stalled) pinch(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target.url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stall() {
      stalled = true
      for (const pair of pairs) pinch(pair)
    },
    flow() {
      stalled = false
      for (const [near, far] of pairs) near.pipe(far).pipe(near)
    },
    lose() {
      for (const pair of pairs) pinch(pair)
    },
    dieAfter(words) {
      last_words = words
    },
    cut() {
      for (const [near] of pairs) near.destroy()
    },
    async refuse() {
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await once(server, 'close')
    },
    async accept() {
      server.listen(Number(url.port), '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

/** The protocol error that PostgreSQL sends when its postmaster was killed, with its length and fields. */
const FATAL = (() => {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

function pinch([near, far]: [Socket, Socket]): void {
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}

function targetOf(address: DatabaseAddress): { url: string; to: { path: string } | { host: string; port: number } } {
  if (!('url' in address)) {
    const { host, port, user, password, database } = address
    const url = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}`
    return { url, to: { path: join(host, `.s.PGSQL.${port}`) } }
  }
  const url = new URL(address.url)
  const socket = url.searchParams.get('host')
  const port = Number(url.port || url.searchParams.get('port') || 5432)
  url.search = ''
  return { url: url.href, to: socket ? { path: join(socket, `.s.PGSQL.${port}`) } : { host: url.hostname, port } }
}
