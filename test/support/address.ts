import type { DatabaseAddress } from '../../src/db/connect.ts'

/** Another database on the same server. */
export function onDatabase(server: DatabaseAddress, database: string): DatabaseAddress {
  if (!('url' in server)) return { ...server, database }
  const url = new URL(server.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** The owner of a new database: the role that connects to it. */
export function ownerOf(server: DatabaseAddress): string {
  return 'url' in server ? '' : `owner ${server.user}`
}

/** In the format of DATABASE_URL. */
export function urlOf(address: DatabaseAddress): string {
  if ('url' in address) return address.url
  const { host, port, user, password, database } = address
  const where = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${where.toString()}`
}
