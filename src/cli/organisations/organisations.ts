import { openAccount } from '../../billing/balance.ts'
import { creditOf, limitCredit } from '../../billing/credit.ts'
import { newSecret } from '../../callbacks/signing/signature.ts'
import { readConfig } from '../../config/config.ts'
import { migrate } from '../../db/migrate.ts'
import { createOrganisation } from '../../organisations/create.ts'
import { listOrganisations } from '../../organisations/store.ts'
import { limitOrganisation } from '../../organisations/suspend.ts'
import { suspendOrganisation } from '../../messaging/operate/hold.ts'
import { readOrganisation } from '../../organisations/read.ts'
import { COMMAND_LINE, recordAudit } from '../../users/audit.ts'
import { transaction } from '../../db/transaction.ts'
import { isId } from '../../values/id.ts'
import { registerFirstSender } from '../../senders/decide.ts'
import { moneyFromText, moneyToNumber, moneyToText } from '../../values/money.ts'
import { isCountry } from '../../values/phone/phone.ts'
import { withDatabase } from '../database.ts'
import { flag, form, valued, type Command } from '../terminal/command.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { readSecretSeal } from '../secret-seal.ts'
import { transfer } from '../transfer.ts'

const CREATE = {
  sender: valued('SENDER', 'its default sender ID (up to 11 characters)'),
  country: valued('CODE', 'its default country (that of the installation)'),
  credit: valued('AMOUNT', 'its opening balance (0)'),
}

const LIMIT = {
  requests: valued('RATE', 'API requests per second, over all processes; none: unlimited'),
  messages: valued('RATE', 'recipients per second, over all APIs and processes; none: unlimited'),
  credit: valued('AMOUNT', 'how far below zero its balance may fall; 0: prepaid'),
}

const RESUME = {
  'abandon-move': flag('resume it although it was exported to be moved; only if the export is not used'),
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
  form(
    'limit ID',
    'limit its requests and messages, with those of its test twin, and its credit; what is not given stays',
    LIMIT,
    (given, id = '') => limit(id, given),
    [
      'gangan organisations limit 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40 --messages 50 --requests none',
      'gangan organisations limit 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40 --credit 100000',
    ],
  ),
  form('resume ID', 'allow them to send again, and release what is on hold after a restore', RESUME, (given, id = '') =>
    suspend(id, false, given),
  ),
  ...transfer,
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

async function suspend(id: string, suspended: boolean, given: { 'abandon-move'?: boolean } = {}): Promise<Result> {
  const options = { abandons_move: given['abandon-move'] === true }
  const found = await withDatabase(readConfig(), (db) =>
    isId(id) ? transaction(db, (tx) => suspendOrganisation(tx, id, suspended, options)) : Promise.resolve(undefined),
  )
  if (!found) throw notFound(`There is no organisation ${id}; gangan organisations list shows them.`)
  return done(suspended ? `${id} sends nothing more, within a second.` : `${id} sends again.`, { id, suspended })
}

type Limits = { requests?: string; messages?: string; credit?: string }

async function limit(id: string, { requests, messages, ...given }: Limits): Promise<Result> {
  const credit = given.credit === undefined ? undefined : moneyFromText(given.credit)
  if (given.credit !== undefined && (credit === undefined || credit < 0n)) {
    throw usageFault(`${given.credit} is not an amount of credit.`)
  }
  if (requests === undefined && messages === undefined && credit === undefined) {
    throw usageFault('Give --requests, --messages or --credit.')
  }
  const asked = { requests_per_s: rateOf('requests', requests), messages_per_s: rateOf('messages', messages) }
  const limits = await withDatabase(readConfig(), async (db) => {
    const known = isId(id) ? await readOrganisation({ db }, id) : undefined
    if (!known) throw notFound(`There is no organisation ${id}; gangan organisations list shows them.`)
    const { requests_per_s = known.requests_per_s ?? null, messages_per_s = known.messages_per_s ?? null } = asked
    const wanted = { requests_per_s, messages_per_s }
    await transaction(db, async (tx) => {
      const done_to = await limitOrganisation(tx, id, wanted)
      const credit_before = credit === undefined ? undefined : await limitCredit(tx, id, credit)
      await recordAudit(tx, COMMAND_LINE, {
        organisation_id: id,
        action: 'organisation.limit',
        subject: id,
        before: { ...done_to?.before, ...creditOf(credit_before) },
        after: { ...wanted, ...creditOf(credit) },
      })
    })
    return { ...wanted, credit_limit: credit === undefined ? (known.credit_limit ?? 0) : moneyToNumber(credit) }
  })
  const said = [
    `requests per second ${limits.requests_per_s ?? 'unlimited'}`,
    `messages per second ${limits.messages_per_s ?? 'unlimited'}`,
    `credit ${limits.credit_limit}`,
  ]
  return done(`Limits of ${id}: ${said.join(', ')}; in every process within a second.`, { id, ...limits })
}

/** Undefined if it was not given; null: unlimited. */
function rateOf(option: string, given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined
  if (given === 'none') return null
  const rate = Number(given)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(given) || rate < 0.1 || rate > 100_000) {
    throw usageFault(`--${option} takes a number per second from 0.1 to 100000, or none.`)
  }
  return rate
}

async function list(): Promise<Result> {
  return rows(await withDatabase(readConfig(), listOrganisations), {
    id: (one) => one.id,
    mode: (one) => one.mode,
    balance: (one) => `${moneyToText(one.balance)} ${one.currency}`,
    credit: (one) => moneyToText(one.credit_limit),
    state: (one) => one.held ?? (one.suspended ? 'suspended' : 'active'),
    'requests/s': (one) => one.requests_per_s,
    'messages/s': (one) => one.messages_per_s,
    name: (one) => one.name,
  })
}
