import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { listeningPort } from '../values/listening-port.ts'
import type { Log } from '../values/log.ts'
import { makeBindAttempts } from './bind-attempts.ts'
import { startBinds } from './binds.ts'
import { afterReading, openSession, type BindRequest, type Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'
import { makeUnboundConnections, type Slot } from './unbound-connections.ts'

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
  /** Accepts no new connections, answers open requests, unbinds all sessions. */
  stop(): Promise<void>
}

/** The SMPP server that customers bind to. */
export async function startSmppServer(deps: SmppServerDeps, settings: SmppServerSettings): Promise<SmppServer> {
  const { limits } = settings
  const { log, wakeups } = deps
  const unbound = makeUnboundConnections(limits)
  const sessions = new Set<Session>()
  /** The slots of connections that have not bound: before they have a session, by their remote address and port. */
  const slots_by_remote = new Map<string, Slot>()
  const slots = new Map<Session, Slot>()
  const binds = startBinds({ ...deps, settings, attempts: makeBindAttempts() })
  const session_deps = {
    ...deps,
    settings,
    most_long_texts: limits.long_texts,
    wakeReceivers: (organisation_id: string) => wakeups.wake(CALLBACK_QUEUE, 0, organisation_id),
    admit: (session: Session, bind: BindRequest) => binds.admit(session, bind),
    onBinding: (session: Session, is_binding: boolean) => slots.get(session)?.setBinding(is_binding),
    onBound(session: Session) {
      slots.get(session)?.bound()
      slots.delete(session)
      binds.onBound(session)
    },
    onRoom: (session: Session) => binds.onRoom(session),
    onClosed(session: Session) {
      slots.get(session)?.leave()
      slots.delete(session)
      sessions.delete(session)
      binds.release(session)
    },
  }

  /** Called before the TLS handshake, so that unfinished handshakes count as well. */
  function admit(socket: Socket): boolean {
    const address = socket.remoteAddress
    socket.on('error', () => {}) // the session adds its own listener
    const slot = address === undefined ? undefined : unbound.enter(address, () => socket.destroy())
    if (!slot) {
      socket.destroy()
      return false
    }
    const remote = remoteOf(socket)
    const first_byte_timer = afterReading(settings.first_byte_timeout_ms, () => {
      if (socket.bytesRead === 0) socket.destroy()
    })
    slots_by_remote.set(remote, slot)
    socket.once('close', () => {
      clearTimeout(first_byte_timer)
      slot.leave()
      if (slots_by_remote.get(remote) === slot) slots_by_remote.delete(remote)
    })
    return true
  }

  function serve(socket: Socket): void {
    const address = socket.remoteAddress
    const slot = slots_by_remote.get(remoteOf(socket))
    socket.on('error', () => {})
    if (address === undefined || !slot) return void socket.destroy() // closed meanwhile
    slots_by_remote.delete(remoteOf(socket))
    socket.setNoDelay(true)
    const session = openSession(session_deps, socket, address)
    sessions.add(session)
    slots.set(session, slot)
  }

  const server = makeListener(settings, admit, serve)
  server.maxConnections = limits.binds + limits.unbound
  const port = await listen(server, settings)
  log.info({ host: settings.host, port, tls: settings.tls !== undefined }, 'SMPP server is listening')
  return {
    port,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...sessions].map((session) => session.finish('the service is stopping')))
      await binds.stop()
      await closed
    },
  }
}

/** With TLS, a second server that does not listen performs the handshakes of admitted connections. */
function makeListener(
  { tls, bind_timeout_ms }: SmppServerSettings,
  admit: (socket: Socket) => boolean,
  serve: (socket: Socket) => void,
): Server {
  if (!tls) return createServer((socket) => admit(socket) && serve(socket))
  const files = { key: readFileSync(tls.key), cert: readFileSync(tls.cert) }
  const handshakes = createTlsServer({ ...files, handshakeTimeout: bind_timeout_ms }, serve)
  handshakes.on('tlsClientError', (_fault, socket) => socket.destroy())
  return createServer((socket) => admit(socket) && handshakes.emit('connection', socket))
}

/** Identifies a connection before and after the handshake. */
function remoteOf({ remoteAddress, remotePort }: Socket): string {
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
