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

/** Reads lines into rules: one per prefix and network. */
export function makeRuleReader({ table, spellOperator }: Numbers) {
  const readCountry = makeReadCountry(table)

  return (cells: Cells, defaults: Defaults): { rules: SheetRule[]; faults: CellFault[]; unknown: UnknownNetwork[] } => {
    const faults: CellFault[] = []
    const unknown: UnknownNetwork[] = []
    const cell = (field: Field): string => (cells[field] ?? '').trim()
    function take<T>(field: Field, read: { value: T } | { fault: string }): T | undefined {
      if ('value' in read) return read.value
      faults.push({ field, text: read.fault })
      return undefined
    }

    const channel = oneOf(['sms', 'whatsapp'] as const, 'channel', defaults.channel)
    const route_class = oneOf(['transactional', 'promotional'] as const, 'class', defaults.route_class)
    const price = take('price', cell('price') === '' ? { fault: 'there is no price' } : readPrice(cell('price')))
    const from_ms =
      cell('effective') === '' ? undefined : take('effective', readDate(cell('effective'), defaults.date_order))
    const prefixes = take('prefix', readPrefixes(cell('prefix'))) ?? []
    const country = readCountryCell()
    const networks = readNetworkCells()
    const currency = cell('currency').toUpperCase()
    if (currency !== '' && currency !== defaults.currency) {
      fault('currency', `the prices of this installation are in ${defaults.currency}, not ${shown(currency)}`)
    }
    const places = networks.length > 0 ? networks : [{ country, operator: readOperatorCell(), mcc_mnc: undefined }]
    if (faults.length > 0 || price === undefined) return { rules: [], faults, unknown }
    const rules = places.flatMap((place) =>
      (prefixes.length > 0 ? prefixes : ['']).map((prefix) => {
        const applies = { channel, route_class, prefix, country: place.country, operator: place.operator }
        return { ...applies, target: targetText(applies), mcc_mnc: place.mcc_mnc, price, from_ms }
      }),
    )
    return { rules, faults, unknown }

    function readCountryCell(): string | undefined {
      const text = cell('country')
      // A column of destinations may hold country calling codes, which the prefix says already.
      if (text === '' || /^\+?\d{1,4}$/.test(text)) return undefined
      const found = readCountry(text)
      if (found === undefined) fault('country', `${shown(text)} is not a country such as NG or Nigeria`)
      return found
    }

    function readOperatorCell(): string | undefined {
      const text = cell('operator')
      return ALL.test(text) ? undefined : spell(text, country ?? '')
    }

    function readNetworkCells(): { country: string; operator: string | undefined; mcc_mnc: string | undefined }[] {
      const own = cell('mcc')
      if (own !== '' && ALL.test(cell('mnc'))) {
        const whole = networkOf(own, '0')
        if (!whole) return fault('mccmnc', `there is no country ${shown(own)}`)
        return [{ country: whole.country, operator: readOperatorCell(), mcc_mnc: undefined }]
      }
      const separate = own === '' ? '' : `${own}-${cell('mnc')}`
      const codes = take('mccmnc', readNetworks(cell('mccmnc') || separate)) ?? []
      return codes.flatMap(({ mcc, mnc }) => {
        const network = networkOf(mcc, mnc)
        const mcc_mnc = `${mcc}-${mnc}`
        if (!network) return fault('mccmnc', `${mcc_mnc} is no network: there is no country ${mcc}`)
        if (country !== undefined && country !== network.country) {
          return fault('mccmnc', `${mcc_mnc} is a network of ${network.country}, not of ${country}`)
        }
        const operator = network.operator ?? operatorOfLine(network.country)
        if (network.operator === undefined) unknown.push({ mcc_mnc, country: network.country, operator })
        if (operator === undefined)
          return fault('mccmnc', `${mcc_mnc} is an unknown network: name its operator in a column`)
        return [{ country: network.country, operator, mcc_mnc }]
      })
    }

    /** Networks that are not in the table are of the operator that the line names, whether it has one code or several. */
    function operatorOfLine(of: string): string | undefined {
      const text = cell('operator')
      return ALL.test(text) ? undefined : spell(text, of)
    }

    function fault(field: Field, text: string): [] {
      faults.push({ field, text })
      return []
    }

    function oneOf<W extends string, D extends W | undefined>(words: readonly W[], field: Field, otherwise: D): W | D {
      const text = cell(field)
      const found = words.find((word) => word === text.toLowerCase())
      if (text !== '' && found === undefined) fault(field, `${shown(text)} is none of ${words.join(', ')}`)
      return found ?? otherwise
    }

    function spell(text: string, of: string): string {
      return spellOperator(text.replaceAll('|', ' '), of)
    }
  }
}

/** No operator in particular. */
const ALL = /^(all|any|others?|default|\*)?$/i
