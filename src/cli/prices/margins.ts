import { exportMargins, keysOf, readForExport, readMargins } from '../../margins/read.ts'
import { MARGINS_BY, type MarginsReport, type MarginsRow } from '../../margins/schema.ts'
import { fillCount } from '../../values/fill.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { form, plainForm, valued, type Command } from '../terminal/command.ts'
import { table, type Columns, type Result } from '../terminal/result.ts'
import { change } from './change.ts'

const PERIOD = {
  from: valued('DATE', 'the first day, UTC (29 days before the last)'),
  until: valued('DATE', 'the last day, UTC (today)'),
  by: valued('WORDS', `grouped by some of ${MARGINS_BY.join(', ')} (day)`),
  organisation: valued('ID', 'only this organisation'),
  carrier: valued('NAME', 'only this carrier'),
  country: valued('COUNTRY', 'only numbers of this country, such as NG'),
}
type Given = { from?: string; until?: string; by?: string; organisation?: string; carrier?: string; country?: string }

/** Revenue, cost and margin. */
export const margins: Command = [
  form('', 'revenue, cost and margin of the messages accepted in a period', PERIOD, show, [
    'gangan margins --by day',
    'gangan margins --by carrier,country --from 2026-11-01 --until 2026-11-30',
    'gangan margins --by organisation --json',
  ]),
  plainForm(
    'export',
    'the same as CSV',
    PERIOD,
    async (given) => {
      const report = await read(readForExport, given)
      for await (const text of exportMargins(report)) process.stdout.write(text)
    },
    ['gangan margins export --by day,organisation,carrier > margins.csv'],
  ),
]

async function show(given: Given): Promise<Result> {
  const report = await read(readMargins, given)
  const { totals, by, rows } = report
  const named: Columns<MarginsRow> = Object.fromEntries(
    keysOf(by).map((key) => [key.replace('_', ' '), (row: MarginsRow) => row[key]]),
  )
  const all: MarginsRow[] = by.length === 0 || rows.length === 1 ? rows : [...rows, totals]
  return { data: report, text: table(all, { ...named, ...FIGURES }), ...noteOf(report) }
}

const FIGURES: Columns<MarginsRow> = {
  deliveries: (row) => row.deliveries,
  pages: (row) => row.pages,
  revenue: (row) => moneyFromNumber(row.revenue),
  cost: (row) => moneyFromNumber(row.cost),
  margin: (row) => moneyFromNumber(row.margin),
  rate: (row) => (row.margin_rate === undefined ? '' : `${(100 * row.margin_rate).toFixed(1)} %`),
  'without cost': (row) => row.without_cost,
  'their revenue': (row) => moneyFromNumber(row.revenue_without_cost),
}

function noteOf({ totals, currency, has_more }: MarginsReport): { note: string } {
  const unknown = fillCount(
    totals.without_cost,
    'The cost of {n} delivery is not known, and its revenue is not part of the margin: gangan costs carriers.',
    'The cost of {n} deliveries is not known, and their revenue is not part of the margin: gangan costs carriers.',
  )
  const notes = [
    `Amounts in ${currency}.`,
    ...(totals.without_cost > 0 ? [unknown] : []),
    ...(has_more ? ['There are more rows: gangan margins export.'] : []),
  ]
  return { note: notes.join(' ') }
}

async function read(readReport: typeof readMargins, { organisation, ...given }: Given): Promise<MarginsReport> {
  const query = { ...given, ...present('organisation_id', organisation) }
  return change((db, config) => readReport({ db, currency: config.settings.currency }, query))
}
