import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A private network that the operator allows to be called. */
export type Network = { address: Address; bits: number }

/** An IPv6 address, a slash and three digits. */
export const MAX_NETWORK_LENGTH = 43
const WIDEST = { ipv4: { bits: 8, text: '10.0.0.0/8' }, ipv6: { bits: 7, text: 'fc00::/7' } }

/** Ranges without hosts (this network, multicast, reserved), and those that embed an IPv4 address, which a relay or translator would call unchecked. */
const NEVER = networks(
  ['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8'],
  ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
)
/** IPv4-compatible addresses, except ::1. */
const COMPATIBLE = networks(['::/96'])
const LINK_LOCAL = networks(['169.254.0.0/16', 'fe80::/10'])
/** Metadata services of clouds, which return credentials, outside of the link-local range. */
const METADATA = networks(
  ['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ['fd00:ec2::254/128', 'fd20:ce::254/128', 'fd00:42::42/128'],
)
const LOOPBACK = networks(['127.0.0.0/8', '::1/128'])

/**
 * Parses an address accepted by `isIP`, without its zone. ipaddr.js would parse ::10.0.0.1 as ::ffff:10.0.0.1, a different
 * address, so it is first converted to hexadecimal groups.
 */
export function readAddress(ip: string): Address {
  if (isIP(ip) === 4) return ipaddr.IPv4.parse(ip)
  return ipaddr.IPv6.parse(new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1))
}

/** Parses networks that `readNetwork` has accepted. */
export function readNetworks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const network = readNetwork(text)
    if ('fault' in network) throw new Error(`${text} ${network.fault}`)
    return network
  })
}

/** Parses a network or a single address; returns the fault as the end of a sentence. */
export function readNetwork(text: string): Network | { fault: string } {
  const [, ip = '', prefix] = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text.slice(0, MAX_NETWORK_LENGTH + 1)) ?? []
  const family = isIP(ip)
  const longest = family === 4 ? 32 : 128
  const bits = prefix === undefined ? longest : Number(prefix)
  if (family === 0 || bits > longest) return { fault: 'is neither a network such as 10.0.0.0/8 nor an address' }
  const address = readAddress(ip)
  const { bits: widest, text: widest_text } = WIDEST[address.kind()]
  if (bits < widest) return { fault: `is too wide; at most ${widest_text}` }
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  const first = kind.networkAddressFromCIDR(`${address.toString()}/${bits}`)
  if (first.toString() !== address.toString()) {
    return { fault: `names a host in it; the network is ${first.toString()}/${bits}` }
  }
  return placeFault(address, bits) ?? { address, bits }
}

function placeFault(address: Address, bits: number): { fault: string } | undefined {
  const is_compatible = bits >= 96 && isIn(address, COMPATIBLE) && !isIn(address, LOOPBACK)
  if (is_compatible || NEVER.some((never) => never.bits <= bits && matches(address, never))) {
    return { fault: 'can never be called' }
  }
  const is_link_local = LINK_LOCAL.some((local) => local.bits <= bits && matches(address, local))
  if (is_link_local && bits < lengthOf(address)) {
    return { fault: 'is too wide; link-local addresses are named one by one' }
  }
  return undefined
}

/**
 * Whether the list allows the address. Link-local and metadata addresses must be listed singly, and loopback by a loopback
 * network, so that no wide network includes them by mistake. A mapped IPv4 address counts as that IPv4 address.
 */
export function isNamed(given: Address, named: readonly Network[]): boolean {
  const address = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress() ? given.toIPv4Address() : given
  const is_loopback = isIn(address, LOOPBACK)
  if (isIn(address, NEVER) || (isIn(address, COMPATIBLE) && !is_loopback)) return false
  const narrowest = isIn(address, LINK_LOCAL) || isIn(address, METADATA) ? lengthOf(address) : 0
  return named.some(
    (network) =>
      network.bits >= narrowest && matches(address, network) && (!is_loopback || isIn(network.address, LOOPBACK)),
  )
}

/** Whether the list allows loopback. */
export function namesLoopback(named: readonly Network[]): boolean {
  return named.some(({ address }) => isIn(address, LOOPBACK))
}

/** Whether the address is a metadata service, called only if listed singly. */
export function isMetadata(address: Address): boolean {
  return isIn(address, METADATA)
}

function isIn(address: Address, list: readonly Network[]): boolean {
  return list.some((network) => matches(address, network))
}

function matches(address: Address, network: Network): boolean {
  return address.kind() === network.address.kind() && address.match(network.address, network.bits)
}

function lengthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

function networks(...texts: string[][]): Network[] {
  return texts.flat().map((text) => {
    const [address, bits] = ipaddr.parseCIDR(text)
    return { address, bits }
  })
}
