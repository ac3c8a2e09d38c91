import { networkOf } from '../../numbers/network-codes.ts'
import type { SpellOperator } from '../../numbers/operator-name.ts'
import type { PrefixTable } from '../../numbers/prefix-table.ts'
import { targetText, type RuleTarget } from '../rule.ts'
import { makeReadCountry, readDate, readNetworks, readPrefixes, readPrice, shown, type DateOrder } from './cells.ts'
import type { Field } from './columns.ts'

/** A rule of a line. A date that is absent or has passed means now. */
export type SheetRule = RuleTarget & {
  target: string
  mcc_mnc: string | undefined
  price: bigint
  from_ms: number | undefined
}

export type CellFault = { field: Field; text: string }

/** A network that is not in the table of network codes; its operator is the one that the line names, if any. */
export type UnknownNetwork = { mcc_mnc: string; country: string; operator: string | undefined }

/** The cells of a line, or the fields of a form. */
export type Cells = Partial<Record<Field, string>>

export type Defaults = {
  channel: 'sms' | 'whatsapp'
  route_class: 'transactional' | 'promotional' | undefined
  date_order: DateOrder | undefined
  /** Of the installation. */
  currency: string
}

export type Numbers = { table: PrefixTable; spellOperator: SpellOperator }

/** What the functions of a reader work on. */
type Line = Read & { cells: Cells; defaults: Defaults; country: string | undefined }
type Read = { rules: SheetRule[]; faults: CellFault[]; unknown: UnknownNetwork[] }
type Place = { country: string | undefined; operator: string | undefined; mcc_mnc: string | undefined }

/**
 * Reads lines into rules: one per prefix and network. The functions are made once: those made for every line would outlive
 * several garbage collections, which stop all requests.
 */
export function makeRuleReader({ table, spellOperator }: Numbers): (cells: Cells, defaults: Defaults) => Read {
  const readCountry = makeReadCountry(table)

  function readLine(cells: Cells, defaults: Defaults): Read {
    const line: Line = { cells, defaults, country: undefined, rules: [], faults: [], unknown: [] }
    const channel = oneOf(line, CHANNELS, 'channel', defaults.channel)
    const route_class = oneOf(line, CLASSES, 'class', defaults.route_class)
    const price = take(line, 'price', cell(line, 'price') === '' ? NO_PRICE : readPrice(cell(line, 'price')))
    const effective = cell(line, 'effective')
    const from_ms = effective === '' ? undefined : take(line, 'effective', readDate(effective, defaults.date_order))
    const prefixes = take(line, 'prefix', readPrefixes(cell(line, 'prefix'))) ?? []
    line.country = readCountryCell(line)
    const networks = readNetworkCells(line)
    const currency = cell(line, 'currency').toUpperCase()
    if (currency !== '' && currency !== defaults.currency) {
      const text = `the prices of this installation are in ${defaults.currency}, not ${shown(currency)}`
      line.faults.push({ field: 'currency', text })
    }
    if (networks.length === 0) {
      networks.push({ country: line.country, operator: readOperatorCell(line), mcc_mnc: undefined })
    }
    const { rules, faults, unknown } = line
    if (faults.length > 0 || price === undefined) return { rules, faults, unknown }
    for (const { country, operator, mcc_mnc } of networks) {
      for (const prefix of prefixes.length > 0 ? prefixes : NO_PREFIX) {
        const target = targetText({ channel, route_class, prefix, country, operator })
        rules.push({ channel, route_class, prefix, country, operator, target, mcc_mnc, price, from_ms })
      }
    }
    return { rules, faults, unknown }
  }

  function readCountryCell(line: Line): string | undefined {
    const text = cell(line, 'country')
    // A column of destinations may hold country calling codes, which the prefix says already.
    if (text === '' || /^\+?\d{1,4}$/.test(text)) return undefined
    const found = readCountry(text)
    if (found === undefined) {
      line.faults.push({ field: 'country', text: `${shown(text)} is not a country such as NG or Nigeria` })
    }
    return found
  }

  function readOperatorCell(line: Line, of = line.country ?? ''): string | undefined {
    const text = cell(line, 'operator')
    return ALL.test(text) ? undefined : spellOperator(text.replaceAll('|', ' '), of)
  }

  function readNetworkCells(line: Line): Place[] {
    const own = cell(line, 'mcc')
    if (own !== '' && ALL.test(cell(line, 'mnc'))) {
      const whole = networkOf(own, '0')
      if (whole) return [{ country: whole.country, operator: readOperatorCell(line), mcc_mnc: undefined }]
      line.faults.push({ field: 'mccmnc', text: `there is no country ${shown(own)}` })
      return []
    }
    const separate = own === '' ? '' : `${own}-${cell(line, 'mnc')}`
    const places: Place[] = []
    for (const code of take(line, 'mccmnc', readNetworks(cell(line, 'mccmnc') || separate)) ?? []) {
      const place = placeOf(line, code)
      if (place) places.push(place)
    }
    return places
  }

  function placeOf(line: Line, { mcc, mnc }: { mcc: string; mnc: string }): Place | undefined {
    const network = networkOf(mcc, mnc)
    const mcc_mnc = `${mcc}-${mnc}`
    const fault = (text: string): undefined => void line.faults.push({ field: 'mccmnc', text })
    if (!network) return fault(`${mcc_mnc} is no network: there is no country ${mcc}`)
    const { country } = network
    if (line.country !== undefined && line.country !== country) {
      return fault(`${mcc_mnc} is a network of ${country}, not of ${line.country}`)
    }
    // Networks that are not in the table are of the operator that the line names, whether it has one code or several.
    const operator = network.operator ?? readOperatorCell(line, country)
    if (network.operator === undefined) line.unknown.push({ mcc_mnc, country, operator })
    if (operator === undefined) return fault(`${mcc_mnc} is an unknown network: name its operator in a column`)
    return { country, operator, mcc_mnc }
  }

  return readLine
}

const CHANNELS = ['sms', 'whatsapp'] as const
const CLASSES = ['transactional', 'promotional'] as const
const NO_PRICE = { fault: 'there is no price' }
const NO_PREFIX = ['']

function cell({ cells }: Line, field: Field): string {
  return (cells[field] ?? '').trim()
}

function take<T>({ faults }: Line, field: Field, read: { value: T } | { fault: string }): T | undefined {
  if ('value' in read) return read.value
  faults.push({ field, text: read.fault })
  return undefined
}

function oneOf<W extends string, D extends W | undefined>(
  line: Line,
  words: readonly W[],
  field: Field,
  none: D,
): W | D {
  const text = cell(line, field)
  if (text === '') return none
  const lower = text.toLowerCase()
  for (const word of words) if (word === lower) return word
  line.faults.push({ field, text: `${shown(text)} is none of ${words.join(', ')}` })
  return none
}

/** No operator in particular. */
const ALL = /^(all|any|others?|default|\*)?$/i
