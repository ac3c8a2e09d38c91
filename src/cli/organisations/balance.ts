import { auditPurchases } from '../../airtime/audit-store.ts'
import { auditFees } from '../../otp/fees/audit-store.ts'
import { topUp } from '../../billing/balance.ts'
import { readAccount } from '../../billing/ledger.ts'
import { readConfig } from '../../config/config.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { auditMoney } from '../../messaging/settle/audit.ts'
import { findOrganisation } from '../../organisations/store.ts'
import { moneyFromText, moneyToText } from '../../values/money.ts'
import { codeOf } from '../../values/thrown.ts'
import { withDatabase } from '../database.ts'
import { form, type Command } from '../terminal/command.ts'
import { OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, table, type Result } from '../terminal/result.ts'
import { ACCOUNT, withAccount, type Account } from './which-organisation.ts'

export const balance: Command = [
  form('show', 'show balance and newest ledger lines', ACCOUNT, show),
  form('top-up AMOUNT', 'add to the balance; a negative amount corrects it', ACCOUNT, add, [
    'gangan balance top-up 50000',
  ]),
  form('audit', 'check every balance against its ledger', {}, audit),
]

async function show(given: Account): Promise<Result> {
  const { account } = await withAccount(given, async (db, organisation_id) => {
    const currency = (await findOrganisation(db, organisation_id))?.currency ?? ''
    return readAccount({ db }, { organisation_id, currency }, { limit: 20 })
  })
  const lines = table(account.entries, {
    line: (one) => one.id,
    time: (one) => one.created_datetime,
    kind: (one) => one.kind,
    amount: (one) => one.amount,
    balance: (one) => one.balance_after,
    for: (one) => one.subject_id,
  })
  return { data: account, text: `${account.balance} ${account.currency}\n\n${lines}` }
}

async function add(given: Account, text = ''): Promise<Result> {
  const amount = moneyFromText(text)
  if (amount === undefined || amount === 0n) throw usageFault(`${text} is not an amount.`)
  const left = await withAccount(given, (db, organisation_id) =>
    topUp({ db }, organisation_id, amount).catch((fault: unknown) => {
      if (codeOf(fault) !== '23514') throw fault // not the check that keeps balances above the credit limit
      throw new OperatorFault('The balance cannot fall further than the credit limit.')
    }),
  )
  return done(`The balance is ${moneyToText(left)} now.`, { balance: left })
}

async function audit(): Promise<Result> {
  const findings = await withDatabase(readConfig(), auditAll)
  if (findings.length > 0) throw new OperatorFault(`The audit found faults:\n  ${findings.join('\n  ')}`)
  return done('Every balance is the sum of its ledger lines, and every line has its reason.')
}

/** All that is wrong with money, in sentences. */
export async function auditAll(db: Db | Tx): Promise<string[]> {
  return [...(await auditMoney(db)), ...(await auditPurchases(db)), ...(await auditFees(db))]
}
