import { readFileSync } from 'node:fs'
import { packageFile } from '../values/package-files.ts'

/** The country of a number and the operator to which its range was assigned, by the leading digits. */
export type Origin = {
  /** ISO code; empty where there is none, as for satellite phones. */
  country: string
  /** Empty when unknown. */
  operator: string
}

export type PrefixTable = {
  /** Of a cleaned number. Numbers of one range share one object, so calls do not allocate. */
  originOf: (msisdn: string) => Origin
  /** The spellings of every operator, by country. */
  operators: ReadonlyMap<string, ReadonlySet<string>>
  /** Digits of the longest prefix: the origin of a number is that of so many leading digits. */
  longest_prefix: number
  /** The age of the table. */
  age_s: () => number
}

export const PREFIX_FILE = packageFile('assets/number-prefixes.txt')

/** Reads the table: about 29,000 prefixes. The file explains its own form. */
export function readPrefixTable(): PrefixTable {
  table ??= makePrefixTable(readFileSync(PREFIX_FILE, 'utf8'))
  return table
}

// Module state, as an exception: the file never changes while the process runs.
let table: PrefixTable | undefined

/**
 * By prefix only, even for ported numbers: what is counted at acceptance and at the report must be counted under the same
 * origin. An erased person has no number.
 */
export function originOfErasable(recipient: string): Origin {
  return /^[0-9]/.test(recipient) ? readPrefixTable().originOf(recipient) : NOWHERE
}

type Entry = { prefix: string; name: string }

export function makePrefixTable(text: string): PrefixTable {
  const entries = [...readEntries(text)]
  const tree = makeTree()
  const operators = new Map<string, Set<string>>()
  for (const { prefix, name } of entries) tree.put(prefix, name)
  for (const { prefix, name } of entries) {
    if (name.startsWith('@')) continue
    const { country } = tree.originOf(prefix)
    operators.set(country, (operators.get(country) ?? new Set()).add(name))
  }
  const since = Date.parse(/^# date (\S+)$/m.exec(text)?.[1] ?? '')
  return {
    originOf: tree.originOf,
    operators,
    longest_prefix: entries.reduce((most, { prefix }) => Math.max(most, prefix.length), 0),
    age_s: () => Math.max(0, Math.floor((Date.now() - since) / 1_000)),
  }
}

export function* readEntries(text: string): Generator<Entry> {
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [name = '', code = '', rest = ''] = line.split('\t')
    for (const range of rest.split(' ')) {
      const [first = '', last = first] = range.split('-')
      for (let n = Number(first); n <= Number(last); n += 1) {
        yield { prefix: code + (first && String(n).padStart(first.length, '0')), name }
      }
    }
  }
}

/**
 * A trie with ten branches per node in one flat array: a lookup takes one step per digit of the longest matching prefix and
 * does not allocate. A node without a country or operator inherits that of its nearest ancestor.
 */
function makeTree() {
  let branches = new Uint32Array(10 * 4_096)
  let nodes = 1
  const countries = new Map<number, string>()
  const operators = new Map<number, string>()
  let origins: Origin[] | undefined

  function put(prefix: string, name: string): void {
    let node = 0
    for (let n = 0; n < prefix.length; n += 1) {
      const branch = 10 * node + prefix.charCodeAt(n) - 48
      node = branches[branch] ?? 0
      if (node === 0) {
        node = nodes++
        if (10 * nodes > branches.length) branches = grown(branches)
        branches[branch] = node
      }
    }
    if (name.startsWith('@')) countries.set(node, name.slice(1))
    else operators.set(node, name)
    origins = undefined
  }

  function originOf(msisdn: string): Origin {
    origins ??= settleOrigins()
    let node = 0
    for (let n = 0; n < msisdn.length; n += 1) {
      const next = branches[10 * node + msisdn.charCodeAt(n) - 48]
      if (next === undefined || next === 0) break
      node = next
    }
    return origins[node] ?? NOWHERE
  }

  function settleOrigins(): Origin[] {
    const settled = Array.from({ length: nodes }, () => NOWHERE)
    const shared = new Map<string, Origin>()
    const descend = (node: number): void => {
      for (let digit = 0; digit < 10; digit += 1) {
        const next = branches[10 * node + digit] ?? 0
        if (next === 0) continue
        const above = settled[node] ?? NOWHERE
        const country = countries.get(next) ?? above.country
        const operator = operators.get(next) ?? above.operator
        const key = `${country} ${operator}`
        const origin = shared.get(key) ?? { country, operator }
        shared.set(key, origin)
        settled[next] = origin
        descend(next)
      }
    }
    descend(0)
    return settled
  }

  return { put, originOf }
}

const NOWHERE: Origin = { country: '', operator: '' }

function grown(branches: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * branches.length)
  larger.set(branches)
  return larger
}
