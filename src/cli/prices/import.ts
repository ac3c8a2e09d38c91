import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { importPrices } from '../../prices/import.ts'
import { MAX_FILE_BYTES, type ImportResult } from '../../prices/schema.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { present } from '../../values/record.ts'
import { codeOf } from '../../values/thrown.ts'
import { choice, flag, valued } from '../terminal/command.ts'
import { notFound, OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, type Result } from '../terminal/result.ts'
import { bodyOf, change, importDeps } from './change.ts'

export const IMPORT = {
  list: valued('LIST', 'the price list (required)'),
  'dry-run': flag('only report what would change'),
  replace: flag('the file is the complete list: remove what it does not name'),
  'skip-invalid': flag('import the other lines if some are invalid'),
  from: valued('TIME', 'when lines without a date apply (now)'),
  channel: choice(['sms', 'whatsapp'], 'of lines that name none (sms)'),
  class: choice(['transactional', 'promotional'], 'of lines that name none'),
  columns: valued('FIELD=HEADER,…', 'which column is what, such as price=Rate,mccmnc=#3; fields: see docs/prices.md'),
  'date-order': choice(['dmy', 'mdy'], 'of dates such as 01/12/2026'),
}

type ImportOptions = {
  list?: string
  'dry-run'?: boolean
  replace?: boolean
  'skip-invalid'?: boolean
  from?: string
  channel?: string
  class?: string
  columns?: string
  'date-order'?: string
}

export async function importFile(file: string, given: ImportOptions): Promise<Result> {
  const { list, from, columns, 'dry-run': dry_run = false, 'date-order': order } = given
  if (list === undefined) throw usageFault('--list is required.')
  const options = {
    dry_run,
    replace: given.replace === true,
    skip_invalid: given['skip-invalid'] === true,
    ...bodyOf({ ...present('channel', given.channel), ...present('class', given.class) }),
    ...present('from', from),
    ...present('columns', columns),
    ...orderOf(order),
    file_name: basename(file),
  }
  const bytes = await readWhole(file)
  const result = await change(async (db, config) =>
    importPrices(await importDeps(db, config), COMMAND_LINE, list, bytes, options),
  )
  return done(summaryOf(list, result), result)
}

function orderOf(word: string | undefined): { date_order?: 'dmy' | 'mdy' } {
  return word === 'dmy' || word === 'mdy' ? { date_order: word } : {}
}

function summaryOf(list: string, result: ImportResult): string {
  const { applied, lines, added, raised, lowered, removed, unchanged, invalid, faults, columns } = result
  const { unknown_networks, networks, below_cost, below_cost_prices } = result
  const count = (n: number): string => n.toLocaleString('en')
  const head = applied
    ? `${list} is imported, in every process within two seconds.`
    : `${list} is not changed: this is what the import would do.`
  return [
    head,
    `Columns: ${Object.entries(columns)
      .map(([field, header]) => `${field} = ${header}`)
      .join(', ')}.`,
    `${count(lines)} lines: ${count(added)} added, ${count(raised)} raised, ${count(lowered)} lowered, ${count(removed)} removed, ${count(unchanged)} unchanged, ${count(invalid)} invalid.`,
    ...faults.map(({ line, message }) => `Line ${line}: ${message}.`),
    ...(invalid > faults.length ? [`… and ${count(invalid - faults.length)} more invalid lines.`] : []),
    ...below_cost_prices.map(
      ({ price, cost, carrier, prefix, country = '', operator = '' }) =>
        `Below cost: ${[prefix, country, operator].filter(Boolean).join(' ')} at ${price}; ${carrier} charges ${cost}.`,
    ),
    ...(below_cost > below_cost_prices.length
      ? [`… and ${count(below_cost - below_cost_prices.length)} more prices below cost.`]
      : []),
    ...networks.flatMap(({ line, mcc_mnc, country, operator }) =>
      operator === undefined
        ? []
        : [`Line ${line}: ${mcc_mnc} is an unknown network of ${country}; the file says ${operator}.`],
    ),
    ...(unknown_networks > networks.length
      ? [`… and ${count(unknown_networks - networks.length)} more unknown networks.`]
      : []),
  ].join('\n')
}

async function readWhole(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) {
      throw new OperatorFault(`${file} is larger than a rate sheet may be: ${MAX_FILE_BYTES / 1_048_576} MiB.`)
    }
    return await readFile(file)
  } catch (fault) {
    if (fault instanceof OperatorFault) throw fault
    throw notFound(`${file} cannot be read (${codeOf(fault)}).`)
  }
}
