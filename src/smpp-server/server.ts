import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { listeningPort } from '../values/listening-port.ts'
import type { Log } from '../values/log.ts'
import { keepBindsOf } from './binds.ts'
import { makeGuesses } from './guesses.ts'
import { openSession, type BindRequest, type Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'
import { afterReading } from './timing.ts'
import { makeUnbound, type Place } from './unbound.ts'

export type SmppServerDeps = SendDeps & {
  /** A pool of its own for submits, queries and deliveries: no HTTP request waits for its connections. */
  db: Db
  /** A pool for binds alone, so that leases are renewed under any load. */
  bind_db: Db
  log: Log
  wakeups: Wakeups
  /** Key of the password hashes. */
  smpp_key: Buffer
}

export type SmppServer = {
  port: number
  /** Lets nobody in any more, answers what is under way, unbinds everybody. */
  stop(): Promise<void>
}

/** Listens for customers that speak SMPP. */
export async function startSmppServer(deps: SmppServerDeps, settings: SmppServerSettings): Promise<SmppServer> {
  const { limits } = settings
  const { log, wakeups } = deps
  const unbound = makeUnbound(limits)
  const sessions = new Set<Session>()
  /** The places of connections that have not bound; before they have a session, by their line. */
  const met = new Map<string, Place>()
  const places = new Map<Session, Place>()
  const binds = keepBindsOf({ ...deps, settings, guesses: makeGuesses() })
  const session_deps = {
    ...deps,
    settings,
    most_long_texts: limits.long_texts,
    wakeReceivers: (organisation_id: string) => wakeups.wake(CALLBACK_QUEUE, 0, organisation_id),
    admit: (session: Session, bind: BindRequest) => binds.admit(session, bind),
    onBinding: (session: Session, is_binding: boolean) => places.get(session)?.setBinding(is_binding),
    onBound(session: Session) {
      places.get(session)?.bound()
      places.delete(session)
      binds.onBound(session)
    },
    onRoom: (session: Session) => binds.onRoom(session),
    onClosed(session: Session) {
      places.get(session)?.leave()
      places.delete(session)
      sessions.delete(session)
      binds.release(session)
    },
  }

  /** Called before any handshake: one that never ends has a place as well. */
  function meet(socket: Socket): boolean {
    const address = socket.remoteAddress
    socket.on('error', () => {}) // the session has a listener of its own
    const place = address === undefined ? undefined : unbound.enter(address, () => socket.destroy())
    if (!place) {
      socket.destroy()
      return false
    }
    const line = lineOf(socket)
    const first_byte_timer = afterReading(settings.first_byte_timeout_ms, () => {
      if (socket.bytesRead === 0) socket.destroy()
    })
    met.set(line, place)
    socket.once('close', () => {
      clearTimeout(first_byte_timer)
      place.leave()
      if (met.get(line) === place) met.delete(line)
    })
    return true
  }

  function take(socket: Socket): void {
    const address = socket.remoteAddress
    const place = met.get(lineOf(socket))
    socket.on('error', () => {})
    if (address === undefined || !place) return void socket.destroy() // gone meanwhile
    met.delete(lineOf(socket))
    socket.setNoDelay(true)
    const session = openSession(session_deps, socket, address)
    sessions.add(session)
    places.set(session, place)
  }

  const server = listener(settings, meet, take)
  server.maxConnections = limits.binds + limits.unbound
  const port = await listen(server, settings)
  log.info({ host: settings.host, port, tls: settings.tls !== undefined }, 'SMPP: customers can bind')
  return {
    port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...sessions].map((session) => session.finish('the service stops')))
      await binds.stop()
      await closed
    },
  }
}

/** With TLS a second server, which listens nowhere, makes the handshakes of those who were let in. */
function listener(
  { tls, bind_timeout_ms }: SmppServerSettings,
  meet: (socket: Socket) => boolean,
  take: (socket: Socket) => void,
): Server {
  if (!tls) return createServer((socket) => meet(socket) && take(socket))
  const files = { key: readFileSync(tls.key), cert: readFileSync(tls.cert) }
  const handshakes = createTlsServer({ ...files, handshakeTimeout: bind_timeout_ms }, take)
  handshakes.on('tlsClientError', (_fault, socket) => socket.destroy())
  return createServer((socket) => meet(socket) && handshakes.emit('connection', socket))
}

/** The same before and after the handshake. */
function lineOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function listen(server: Server, { host, port }: SmppServerSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(listeningPort(server))
    })
  })
}
