import { openAccount } from '../../billing/balance.ts'
import { newSecret } from '../../callbacks/signing/signature.ts'
import { readConfig } from '../../config/config.ts'
import { migrate } from '../../db/migrate.ts'
import { createOrganisation } from '../../organisations/create.ts'
import { listOrganisations } from '../../organisations/store.ts'
import { setSuspended } from '../../organisations/suspend.ts'
import { transaction } from '../../db/transaction.ts'
import { isId } from '../../values/id.ts'
import { registerFirstSender } from '../../senders/decide.ts'
import { moneyFromText, moneyToText } from '../../values/money.ts'
import { isCountry } from '../../values/phone/phone.ts'
import { withDatabase } from '../database.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { readSecretSeal } from '../secret-seal.ts'

const CREATE = {
  sender: valued('SENDER', 'its default sender ID (up to 11 characters)'),
  country: valued('CODE', 'its default country (that of the installation)'),
  credit: valued('AMOUNT', 'its opening balance (0)'),
}

export const organisations: Command = [
  form(
    'create NAME',
    'create an organisation and its test twin',
    CREATE,
    (options, name = '') => create(name, options),
    ["gangan organisations create 'Ada Stores' --sender AdaStores --credit 5000"],
  ),
  form('list', 'list organisations with their balances', {}, list),
  form('suspend ID', 'block it and its test twin from sending; accepted messages complete', {}, (_, id = '') =>
    suspend(id, true),
  ),
  form('resume ID', 'allow them to send again', {}, (_, id = '') => suspend(id, false)),
]

type Options = { sender?: string; country?: string; credit?: string }

async function create(name: string, { sender, credit = '0', ...options }: Options): Promise<Result> {
  const config = readConfig()
  const country = options.country ?? config.settings.organisation.default_country
  const amount = moneyFromText(credit)
  if (amount === undefined || amount < 0n) throw usageFault(`${credit} is not an amount.`)
  if (sender !== undefined && !/^[A-Za-z0-9 ._&-]{1,11}$/.test(sender)) {
    throw usageFault('A sender ID has 1 to 11 letters, digits, spaces or -_.& characters.')
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
  return { data: { id }, text: `${id}\n` }
}

export function requireCountry(country: string): void {
  if (!isCountry(country)) throw usageFault(`${country} is not a country code such as NG.`)
}

async function suspend(id: string, suspended: boolean): Promise<Result> {
  const found = await withDatabase(readConfig(), (db) =>
    isId(id) ? transaction(db, (tx) => setSuspended(tx, id, suspended)) : Promise.resolve(undefined),
  )
  if (!found) throw notFound(`There is no organisation ${id}; gangan organisations list shows them.`)
  return done(suspended ? `${id} sends nothing more, within a second.` : `${id} sends again.`, { id, suspended })
}

async function list(): Promise<Result> {
  return rows(await withDatabase(readConfig(), listOrganisations), {
    id: (one) => one.id,
    mode: (one) => one.mode,
    balance: (one) => `${moneyToText(one.balance)} ${one.currency}`,
    state: (one) => (one.suspended ? 'suspended' : 'active'),
    name: (one) => one.name,
  })
}
