import { openAccount } from '../billing/balance.ts'
import { newSecret } from '../callbacks/signing/signature.ts'
import { readConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { createOrganisation } from '../organisations/create.ts'
import { listOrganisations } from '../organisations/store.ts'
import { setSuspended } from '../organisations/suspend.ts'
import { transaction } from '../db/transaction.ts'
import { isId } from '../values/id.ts'
import { registerFirstSender } from '../senders/decide.ts'
import { moneyFromText, moneyToText } from '../values/money.ts'
import { isCountry } from '../values/phone/phone.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { readSecretSeal } from './secret-seal.ts'
import { table } from './terminal/table.ts'

export const organisations: Command = [
  form('create NAME', { sender: 'text', country: 'text', credit: 'text' }, (options, name = '') =>
    create(name, options),
  ),
  form('list', {}, list),
  form('suspend ID', {}, (_, id = '') => suspend(id, true)),
  form('resume ID', {}, (_, id = '') => suspend(id, false)),
]

type Options = { sender?: string; country?: string; credit?: string }

async function create(name: string, { sender, credit = '0', ...options }: Options): Promise<void> {
  const config = readConfig()
  const country = options.country ?? config.settings.organisation.default_country
  const amount = moneyFromText(credit)
  if (amount === undefined || amount < 0n) throw new OperatorFault(`${credit} is not an amount.`)
  if (sender !== undefined && !/^[A-Za-z0-9 ._&-]{1,11}$/.test(sender)) {
    throw new OperatorFault('A sender ID has 1 to 11 letters, digits, spaces or -_.& characters.')
  }
  requireCountry(country)
  const id = await withDatabase(config, async (db) => {
    await migrate(db)
    return createOrganisation(
      {
        db,
        openAccount,
        newCallbackSecret: newSecret,
        secret_seal: await readSecretSeal({ db }, config),
        registerSender: registerFirstSender,
      },
      {
        name,
        default_country: country,
        default_sender_id: sender ?? null,
        currency: config.settings.currency,
        credit: amount,
      },
    )
  })
  process.stdout.write(`${id}\n`)
}

export function requireCountry(country: string): void {
  if (!isCountry(country)) throw new OperatorFault(`${country} is not a country code such as NG.`)
}

async function suspend(id: string, suspended: boolean): Promise<void> {
  const found = await withDatabase(readConfig(), (db) =>
    isId(id) ? transaction(db, (tx) => setSuspended(tx, id, suspended)) : Promise.resolve(undefined),
  )
  if (!found) throw new OperatorFault(`There is no organisation ${id}; gangan organisations list shows them.`)
  process.stdout.write(suspended ? `${id} sends nothing more, within a second.\n` : `${id} sends again.\n`)
}

async function list(): Promise<void> {
  const rows = await withDatabase(readConfig(), listOrganisations)
  process.stdout.write(
    table(
      ['id', 'mode', 'balance', 'state', 'name'],
      rows.map(({ id, mode, balance, currency, name, suspended }) => {
        return [id, mode, `${moneyToText(balance)} ${currency}`, suspended ? 'suspended' : 'active', name]
      }),
    ),
  )
}
