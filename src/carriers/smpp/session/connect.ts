import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { BindSettings } from './bind-settings.ts'

/** A socket to the SMSC, plain or TLS; `onConnect` runs when it may be written to. Certificates are verified unless told. */
export function connect(bind: BindSettings, onConnect: () => void): Socket {
  const { host, port, local_address, tls } = bind
  const address = { host, port, ...(local_address !== null && { localAddress: local_address }) }
  const socket =
    tls === null ? connectTcp(address, onConnect) : connectTls({ ...address, ...tlsOptions(bind, tls) }, onConnect)
  // Carriers' firewalls forget quiet connections; the kernel's probes find out before the next message does.
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setNoDelay(true)
  return socket
}

const KEEP_ALIVE_MS = 30_000

function tlsOptions(bind: BindSettings, tls: NonNullable<BindSettings['tls']>) {
  const { ca, cert, key, insecure } = tls
  const servername = tls.servername ?? (isIP(bind.host) === 0 ? bind.host : null)
  return {
    rejectUnauthorized: !insecure,
    ...(servername !== null && { servername }),
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  }
}
