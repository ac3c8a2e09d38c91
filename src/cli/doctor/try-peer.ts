import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { faultInWords } from '../../db/fault-words.ts'
import type { Finding } from '../../status/check.ts'
import { levelOf, THRESHOLDS } from '../../status/thresholds.ts'
import { makeSemaphore } from '../../values/concurrency/semaphore.ts'
import type { Peer } from './peers.ts'

const MAX_AT_A_TIME = 100
const DAY_MS = 86_400_000

/** Connects to every server, without sending anything: name, port, and over TLS the certificate. */
export async function tryPeers(peers: readonly Peer[], timeout_ms: number): Promise<Finding[]> {
  const permits = makeSemaphore(MAX_AT_A_TIME)
  return Promise.all(peers.map((peer) => permits.run(() => tryPeer(peer, timeout_ms))))
}

async function tryPeer(peer: Peer, timeout_ms: number): Promise<Finding> {
  const { name, host, port } = peer
  const at = `${name} at ${host}:${port}`
  const section = 'GanganBindDown'
  if (isIP(host) === 0) {
    const found = await inTime(timeout_ms, lookup(host)).catch((fault: unknown) => fault)
    if (found instanceof Error) {
      const summary = `The name of ${at} cannot be resolved (${faultInWords(found)}).`
      return {
        level: 'critical',
        summary,
        advice: 'Correct the name, or the name servers in /etc/resolv.conf.',
        section,
      }
    }
  }
  try {
    return await open(peer, timeout_ms, (socket) => judge(peer, at, socket))
  } catch (fault) {
    return {
      level: 'critical',
      summary: `${at} cannot be reached (${faultInWords(fault)}).`,
      advice: 'Check host and port, the firewall, and whether the other side admits the address of this machine.',
      section,
    }
  }
}

function judge({ tls }: Peer, at: string, socket: Socket): Finding {
  if (!(socket instanceof TLSSocket)) return { level: 'ok', summary: `${at} accepts connections.` }
  const expires = Date.parse(socket.getPeerCertificate().valid_to)
  const days = (expires - Date.now()) / DAY_MS
  const date = new Date(expires).toISOString().slice(0, 10)
  const section = 'GanganCertificateExpires'
  if (!socket.authorized && !tls?.insecure) {
    return {
      level: 'critical',
      summary: `${at} has a certificate that is not accepted (${reasonOf(socket)}).`,
      advice:
        'Ask the other side; for a carrier that signs its own set tls.ca_file, and tls.servername for another name.',
      section,
    }
  }
  const level = levelOf(THRESHOLDS.certificate_left, days)
  if (level !== 'ok') {
    const advice = 'Ask the other side when it renews its certificate.'
    return { level, summary: `The certificate of ${at} expires on ${date}.`, advice, section }
  }
  if (tls?.insecure && !socket.authorized) {
    return {
      level: 'warning',
      summary: `${at} has a certificate that is not checked (tls.insecure: ${reasonOf(socket)}).`,
      advice: 'Set tls.ca_file instead: now anyone in between could read the credentials and the messages.',
      section,
    }
  }
  return { level: 'ok', summary: `${at} accepts connections over TLS; its certificate expires on ${date}.` }
}

function reasonOf({ authorizationError }: TLSSocket): string {
  const reason: unknown = authorizationError
  return reason instanceof Error ? faultInWords(reason) : String(reason)
}

/** Calls `use` once the connection is open, and closes it. */
function open<T>(peer: Peer, timeout_ms: number, use: (socket: Socket) => T): Promise<T> {
  const { host, port, tls, local_address } = peer
  const address = { host, port, ...(local_address === undefined ? {} : { localAddress: local_address }) }
  return new Promise((resolve, reject) => {
    const onOpen = (): void => {
      resolve(use(socket))
      socket.destroy()
    }
    const socket: Socket =
      tls === null ? connectTcp(address, onOpen) : connectTls({ ...address, ...optionsOf(host, tls) }, onOpen)
    socket.setTimeout(timeout_ms, () => socket.destroy(timeoutFault()))
    socket.once('error', reject)
  })
}

/** Any certificate is accepted, to be judged. */
function optionsOf(host: string, { ca, cert, key, servername }: NonNullable<Peer['tls']>) {
  const name = servername ?? (isIP(host) === 0 ? host : null)
  return {
    rejectUnauthorized: false,
    ...(name === null ? {} : { servername: name }),
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
  }
}

async function inTime<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutFault()), timeout_ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function timeoutFault(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}
