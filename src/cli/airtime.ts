import { findReview, settleReview } from '../airtime/review.ts'
import { readConfig } from '../config/config.ts'
import { moneyToText } from '../values/money.ts'
import { withDatabase } from './database.ts'
import { form, type Command } from './terminal/command.ts'
import { notFound } from './terminal/operator-fault.ts'
import { done, rows, type Result } from './terminal/result.ts'

export const airtime: Command = [
  form('review', 'list purchases whose outcome no vendor reported in time', {}, list),
  form('review ID success', 'decide that the airtime has arrived; final', {}, (_, id = '') => settle(id, 'success')),
  form('review ID failed', 'decide that it has not; final, refunds the charge', {}, (_, id = '') =>
    settle(id, 'failed'),
  ),
]

async function list(): Promise<Result> {
  const found = await withDatabase(readConfig(), (db) => findReview({ db }))
  return rows(found, {
    id: (one) => one.id,
    bought: (one) => one.created_datetime,
    network: (one) => one.network,
    recipient: (one) => one.recipient,
    amount: (one) => one.amount,
    vendor: (one) => one.vendor,
    reference: (one) => one.reference,
    "vendor's id": (one) => one.vendor_purchase_id ?? '-',
    'last word': (one) => [one.code, one.vendor_description].filter(Boolean).join(' ') || '-',
  })
}

async function settle(id: string, status: 'success' | 'failed'): Promise<Result> {
  const settled = await withDatabase(readConfig(), (db) => settleReview({ db }, id, status))
  if (!settled) throw notFound(`No purchase ${id} is in review; gangan airtime review lists them.`)
  const { refunded, amount } = settled
  const money = refunded ? `, ${moneyToText(amount)} refunded` : ''
  return done(`Settled ${id} as ${status}${money}.`, { id, status, refunded, amount })
}
