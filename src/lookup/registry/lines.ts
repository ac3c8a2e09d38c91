import type { NumberKnowledge } from '../../numbers/knowledge.ts'
import { splitCsvRecord } from '../../values/csv-read.ts'
import { cleanPhone, type DialPlan } from '../../values/phone/phone.ts'

export type RegistryKind = 'ported' | 'dnd'

/** The columns of a file. */
export type Layout = { separator: string; phone: number; operator: number; has_header: boolean }

const SHORTEST_NUMBER = 7
const PHONE = /^(msisdn|phone|mobile|number|telephone|subscriber)/i
const OPERATOR = /^(operator|network|carrier|provider|ported.?to|recipient)/i

/**
 * Reads the form of a file from its first line: which character parts the cells, whether it is a header, and which
 * columns are wanted. Without a header the number comes first and its operator second.
 */
export function readLayout(first_line: string): Layout {
  const separator = [',', ';', '\t', '|'].find((one) => first_line.includes(one)) ?? ','
  const cells = splitCsvRecord(first_line, separator).map((cell) => cell.trim())
  const has_header = !cells.some((cell) => cell.replace(/\D/g, '').length >= SHORTEST_NUMBER)
  const column = (name: RegExp, otherwise: number): number => {
    const found = has_header ? cells.findIndex((cell) => name.test(cell)) : -1
    return found === -1 ? otherwise : found
  }
  return { separator, has_header, phone: column(PHONE, 0), operator: column(OPERATOR, 1) }
}

export type LineReader = (line: string) => { msisdn: string; operator: string } | { reason: string }

/** Reads the lines of a registry: a cleaned number and, for ported ones, its operator as we spell it. */
export function makeLineReader(
  { table, spellOperator }: Pick<NumberKnowledge, 'table' | 'spellOperator'>,
  kind: RegistryKind,
  layout: Layout,
  plan: DialPlan,
): LineReader {
  return (line) => {
    const cells = splitCsvRecord(line, layout.separator)
    const msisdn = cleanPhone((cells[layout.phone] ?? '').trim(), plan)
    if (msisdn === undefined) return { reason: 'not a phone number' }
    if (kind === 'dnd') return { msisdn, operator: '' }
    const operator = spellOperator(cells[layout.operator] ?? '', table.originOf(msisdn).country)
    return operator === '' ? { reason: 'no operator' } : { msisdn, operator }
  }
}
