import type { Server } from 'node:net'

/** The port a server listens on, which the system has chosen if it was told 0. */
export function listeningPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
