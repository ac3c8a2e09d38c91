import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { SendDeps } from '../messaging/accept/send.ts'
import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { listeningPort } from '../values/listening-port.ts'
import type { Log } from '../values/log.ts'
import { keepBindsOf } from './binds.ts'
import { makeDoorkeeper } from './doorkeeper.ts'
import { openSession, type BindRequest, type Session } from './session.ts'
import type { SmppServerSettings } from './settings.ts'

export type SmppServerDeps = SendDeps & {
  db: Db
  /** For what probes by key: their plans are kept. */
  quick_db: Db
  log: Log
  wakeups: Wakeups
  public_url: string
  /** Passwords are hashed under it. */
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
  const { log } = deps
  const db = deps.quick_db
  const door = makeDoorkeeper(limits)
  const sessions = new Set<Session>()
  /** How those who have not bound give back their place at the door; before they have a session, by their line. */
  const met = new Map<string, () => void>()
  const unbound = new Map<Session, () => void>()
  const binds = keepBindsOf({ ...deps, db, settings, onWrongPassword: (address) => door.noteFailure(address) })
  const session_deps = {
    ...deps,
    db,
    settings,
    most_long_texts: limits.long_texts,
    admit: (session: Session, bind: BindRequest) => binds.admit(session, bind),
    onBound(session: Session) {
      leaveDoor(session)
      binds.onBound(session)
    },
    onRoom: (session: Session) => binds.onRoom(session),
    onClosed(session: Session) {
      leaveDoor(session)
      sessions.delete(session)
      binds.release(session)
    },
  }

  function leaveDoor(session: Session): void {
    unbound.get(session)?.()
    unbound.delete(session)
  }

  /** Asked before any handshake: one that never ends has a place at the door as well. */
  function meet(socket: Socket): boolean {
    const address = socket.remoteAddress
    socket.on('error', () => {}) // whoever goes on with it hears of it, too
    if (address === undefined || !door.enter(address)) {
      socket.destroy()
      return false
    }
    const line = lineOf(socket)
    let is_here = true
    const leave = (): void => {
      if (is_here) door.leave(address)
      is_here = false
    }
    met.set(line, leave)
    socket.once('close', () => {
      leave()
      if (met.get(line) === leave) met.delete(line)
    })
    return true
  }

  function take(socket: Socket): void {
    const address = socket.remoteAddress
    const leave = met.get(lineOf(socket))
    socket.on('error', () => {})
    if (address === undefined || !leave) return void socket.destroy() // gone meanwhile
    met.delete(lineOf(socket))
    socket.setNoDelay(true)
    const session = openSession(session_deps, socket, address)
    sessions.add(session)
    unbound.set(session, leave)
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
