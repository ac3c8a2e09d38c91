import { findReview, settleReview } from '../airtime/review.ts'
import { readConfig } from '../config/config.ts'
import { moneyToText } from '../values/money.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'

export const airtime: Command = [
  form('review', {}, list),
  form('review ID success', {}, (_, id = '') => settle(id, 'success')),
  form('review ID failed', {}, (_, id = '') => settle(id, 'failed')),
]

async function list(): Promise<void> {
  const rows = await withDatabase(readConfig(), (db) => findReview({ db }))
  process.stdout.write(
    table(
      ['id', 'bought', 'network', 'recipient', 'amount', 'vendor', 'reference', "vendor's id", 'last word'],
      rows.map((row) => [
        row.id,
        row.created_datetime,
        row.network,
        row.recipient,
        moneyToText(row.amount),
        row.vendor,
        row.reference,
        row.vendor_purchase_id ?? '-',
        [row.code, row.vendor_description].filter(Boolean).join(' ') || '-',
      ]),
    ),
  )
}

async function settle(id: string, status: 'success' | 'failed'): Promise<void> {
  const settled = await withDatabase(readConfig(), (db) => settleReview({ db }, id, status))
  if (!settled) throw new OperatorFault(`No purchase ${id} is in review; gangan airtime review lists them.`)
  const money = settled.refunded ? `, ${moneyToText(settled.amount)} refunded` : ''
  process.stdout.write(`Settled ${id} as ${status}${money}.\n`)
}
