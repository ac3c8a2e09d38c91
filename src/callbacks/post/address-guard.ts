import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify, promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { isMetadata, isNamed, namesLoopback, readAddress, type Network } from './networks.ts'

/** Live mode calls public addresses and allowed networks; the sandbox (`private_allowed`) calls any address. */
export type AddressMode = { private_allowed: boolean; networks?: readonly Network[] }

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export const MAX_URL_LENGTH = 2_048

/** Domains that, by convention or by RFC 6761, 6762 and 8375, are never on the public internet. */
const PRIVATE_DOMAINS = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa']

/** Both sentences name the setting, so that an operator with private applications finds it. */
const NOT_PUBLIC = 'The URL must lead to a public address, or into a network that callbacks.allow_networks names.'
const NOT_A_PUBLIC_NAME =
  `The URL must lead to a public address. A host of a network that callbacks.allow_networks names is called by its ` +
  `address, or by a name that does not end in ${PRIVATE_DOMAINS.join(', ')}.`

/** The range from which public IPv6 addresses are allocated. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The host has an address that must not be called. The message omits it: customers read the message, and the address would disclose the private network. */
export class BlockedAddressError extends Error {
  readonly code = 'ERR_BLOCKED_ADDRESS'

  constructor(hostname: string) {
    super(`The host ${hostname} does not have a public address, nor one of a network in callbacks.allow_networks.`)
    this.name = 'BlockedAddressError'
  }
}

/** The fault of a callback URL as a sentence for the customer, or undefined. Resolves no names. */
export function urlFault(url: string, mode: AddressMode): string | undefined {
  if (url.includes('\u0000')) return 'The URL holds a NUL character.'
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`
  if (!URL.canParse(url)) return 'The URL cannot be parsed.'
  const { protocol, username, password, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'The URL must start with http:// or https://.'
  if (username !== '' || password !== '') return 'The URL must not contain a user name or password.'
  // One dot at the end is the absolute form of the same name.
  const host = hostname.replace(/\.$/, '')
  if (host.split('.').includes('')) return 'The URL must contain a valid host name.'
  return mode.private_allowed ? undefined : hostFault(host, mode.networks ?? [])
}

/**
 * Checks a host as `new URL()` returns it: in lower case, with all IPv4 notations converted to dotted decimal. The
 * addresses of a name are checked when it is called.
 */
function hostFault(host: string, networks: readonly Network[]): string | undefined {
  const literal = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0) return isCallable(literal, networks) ? undefined : NOT_PUBLIC
  const domain = PRIVATE_DOMAINS.find((one) => host === one || host.endsWith(`.${one}`))
  if (domain === undefined || (domain === 'localhost' && namesLoopback(networks))) return undefined
  return domain === 'localhost' ? NOT_PUBLIC : NOT_A_PUBLIC_NAME
}

/** Public, or in an allowed network. */
function isCallable(ip: string, networks: readonly Network[]): boolean {
  return isPublicAddress(ip) || (isIP(ip) !== 0 && isNamed(readAddress(ip), networks))
}

/**
 * IPv6 addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are never public: no receiver needs
 * them, and a relay or translator decides where they lead.
 */
export function isPublicAddress(ip: string): boolean {
  // ipaddr.js also accepts short and octal notations, on which parsers disagree.
  if (isIP(ip) === 0) return false
  const address = readAddress(ip)
  if (address.range() !== 'unicast' || isMetadata(address)) return false
  // ipaddr.js reports every unknown range as unicast, including ::7f00:1 (127.0.0.1).
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

/**
 * A `lookup` for `net.connect`. In live mode a single forbidden address blocks the host, even beside public ones. The
 * socket connects to the addresses that were checked, which defeats DNS rebinding. `net.connect` does not call it for IP
 * literals: `urlFault` checks those.
 */
export function guardedLookup(mode: AddressMode, resolve: Resolve = resolveAll): LookupFunction {
  const check = callbackify((hostname: string, family: number) => checkedAddresses(mode, resolve, hostname, family))
  return (hostname, options, callback) => {
    check(hostname, familyOf(options.family), (error, addresses) => {
      if (error !== null) callback(error, '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, addresses[0].address, addresses[0].family)
    })
  }
}

const lookupAll = promisify(lookup)

/** Uses the system's resolver, including its hosts file and search domains. */
export const resolveAll: Resolve = (hostname) => lookupAll(hostname, { all: true })

async function checkedAddresses(
  mode: AddressMode,
  resolve: Resolve,
  hostname: string,
  family: number,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const addresses = await resolve(hostname)
  if (!mode.private_allowed && !addresses.every(({ address }) => isCallable(address, mode.networks ?? []))) {
    throw new BlockedAddressError(hostname)
  }
  const [first, ...others] = addresses.filter((address) => family === 0 || address.family === family)
  if (first === undefined) {
    throw Object.assign(new Error(`The host ${hostname} has no address.`), { code: 'ENOTFOUND' })
  }
  return [first, ...others]
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4
  if (family === 'IPv6') return 6
  return family ?? 0
}
