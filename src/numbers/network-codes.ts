import { readFileSync } from 'node:fs'
import { packageFile } from '../values/package-files.ts'

/** The network of a mobile country code and mobile network code. */
export type Network = {
  country: string
  /** As in the prefix table; undefined: unknown. */
  operator: string | undefined
}

export const NETWORKS_FILE = packageFile('assets/network-codes.txt')

type NetworkTable = {
  country_of: ReadonlyMap<string, string>
  /** By country code and network code, such as `621 30`. */
  operator_of: ReadonlyMap<string, string>
}

/** Undefined: there is no such country code. The network code is a number: `01` and `1` are the same. */
export function networkOf(mcc: string, mnc: string): Network | undefined {
  table ??= readNetworks(readFileSync(NETWORKS_FILE, 'utf8'))
  const country = table.country_of.get(mcc)
  return country === undefined ? undefined : { country, operator: table.operator_of.get(`${mcc} ${Number(mnc)}`) }
}

// Module state, as an exception: the file never changes while the process runs.
let table: NetworkTable | undefined

/** The file explains its own form. */
export function readNetworks(text: string): NetworkTable {
  const country_of = new Map<string, string>()
  const operator_of = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [mcc = '', country = '', networks = ''] = line.split('\t')
    country_of.set(mcc, country)
    for (const network of networks.split('|').filter(Boolean)) {
      const at = network.indexOf(' ')
      operator_of.set(`${mcc} ${network.slice(0, at)}`, network.slice(at + 1))
    }
  }
  return { country_of, operator_of }
}
