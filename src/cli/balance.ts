import { auditPurchases } from '../airtime/audit-store.ts'
import { topUp } from '../billing/balance.ts'
import { readAccount } from '../billing/ledger.ts'
import { readConfig } from '../config/config.ts'
import type { Db, Tx } from '../db/connect.ts'
import { auditMoney } from '../messaging/settle/audit.ts'
import { findOrganisation } from '../organisations/store.ts'
import { moneyFromText, moneyToText } from '../values/money.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichAccount } from './which-organisation.ts'
import { codeOf } from '../values/thrown.ts'

type Options = { organisation?: string; test?: boolean }

const ORGANISATION_OPTIONS = { organisation: 'text', test: 'flag' } as const

export const balance: Command = [
  form('show', ORGANISATION_OPTIONS, show),
  form('top-up AMOUNT', ORGANISATION_OPTIONS, add),
  form('audit', {}, audit),
]

async function show(options: Options): Promise<void> {
  const { account } = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichAccount(db, options)
    const currency = (await findOrganisation(db, organisation_id))?.currency ?? ''
    return readAccount({ db }, { organisation_id, currency }, { limit: 20 })
  })
  process.stdout.write(`${account.balance} ${account.currency}\n\n`)
  process.stdout.write(
    table(
      ['line', 'time', 'kind', 'amount', 'balance', 'for'],
      account.entries.map(({ id, created_datetime, kind, amount, balance_after, subject_id }) => [
        id,
        created_datetime,
        kind,
        String(amount),
        String(balance_after),
        subject_id,
      ]),
    ),
  )
}

async function add(options: Options, text = ''): Promise<void> {
  const amount = moneyFromText(text)
  if (amount === undefined || amount === 0n) throw new OperatorFault(`${text} is not an amount.`)
  const left = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichAccount(db, options)
    return topUp({ db }, organisation_id, amount).catch((fault: unknown) => {
      if (codeOf(fault) !== '23514') throw fault // not the check that keeps balances from sinking below zero
      throw new OperatorFault('The balance cannot go below zero.')
    })
  })
  process.stdout.write(`The balance is ${moneyToText(left)} now.\n`)
}

async function audit(): Promise<void> {
  const findings = await withDatabase(readConfig(), auditAll)
  if (findings.length > 0) throw new OperatorFault(`The audit found faults:\n  ${findings.join('\n  ')}`)
  process.stdout.write('Every balance is the sum of its ledger lines, and every line has its reason.\n')
}

/** All that is wrong with money, in sentences. */
export async function auditAll(db: Db | Tx): Promise<string[]> {
  return [...(await auditMoney(db)), ...(await auditPurchases(db))]
}
