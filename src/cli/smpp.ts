import { readConfig } from '../config/config.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { addAccount, findAccounts, removeAccount } from '../smpp-accounts/accounts.ts'
import { ALPHABETS, type Alphabet, type SmppAccountBody } from '../smpp-accounts/schema.ts'
import { Refusal } from '../values/refusal.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichAccount } from './which-organisation.ts'

const ORGANISATION_OPTIONS = { organisation: 'text', test: 'flag' } as const
const LIMITS = {
  password: 'text',
  networks: 'text',
  binds: 'text',
  rate: 'text',
  window: 'text',
  alphabet: 'text',
} as const

type OrganisationOptions = { organisation?: string; test?: boolean }
type Options = OrganisationOptions & { [name in keyof typeof LIMITS]?: string } & { 'no-texts'?: boolean }

/** Accounts of clients that bind to the SMPP server. */
export const smpp: Command = [
  form('add [SYSTEM_ID]', { ...ORGANISATION_OPTIONS, ...LIMITS, 'no-texts': 'flag' }, add),
  form('list', ORGANISATION_OPTIONS, list),
  form('remove SYSTEM_ID', ORGANISATION_OPTIONS, remove),
]

async function add(options: Options, system_id?: string): Promise<void> {
  const body = readBody(options, system_id)
  const config = readConfig()
  const made = await withDatabase(config, async (db) => {
    const { smpp_key } = pepperKeys(await readPepper({ db }, config))
    return addAccount({ db, smpp_key }, await whichAccount(db, options), body, [])
  }).catch(explain)
  process.stdout.write(`${made.system_id}\n${made.password}\n`)
  const where = config.settings.smpp_server
  const at = where
    ? `It binds to port ${where.port}`
    : 'The SMPP server is not running: smpp_server is not in the configuration'
  process.stderr.write(`The system_id, and the password: shown only this once. ${at}.\n`)
}

/** Checks the command line before the database is opened. */
function readBody(options: Options, system_id: string | undefined): Partial<SmppAccountBody> {
  const { password, networks, binds, rate, window, alphabet } = options
  if (system_id !== undefined && !/^[0-9A-Za-z_.-]{1,15}$/.test(system_id)) {
    throw new OperatorFault('A system_id has 1 to 15 characters: letters, digits, dots, dashes and underscores.')
  }
  if (password !== undefined && !/^[\x21-\x7e]{8}$/.test(password)) {
    throw new OperatorFault('A password has 8 characters without spaces.')
  }
  if (alphabet !== undefined && !isAlphabet(alphabet)) {
    throw new OperatorFault(`There is no alphabet ${alphabet}; known are ${ALPHABETS.join(', ')}.`)
  }
  return {
    ...(system_id === undefined ? {} : { system_id }),
    ...(password === undefined ? {} : { password }),
    ...(networks === undefined ? {} : { allow_networks: networks.split(',') }),
    ...(binds === undefined ? {} : { max_binds: readNumber('binds', binds, 100) }),
    ...(rate === undefined ? {} : { rate_per_s: readNumber('rate', rate, 10_000) }),
    ...(window === undefined ? {} : { window_size: readNumber('window', window, 1_000) }),
    ...(alphabet === undefined ? {} : { alphabet }),
    ...(options['no-texts'] ? { receives_texts: false } : {}),
  }
}

function readNumber(option: string, text: string, most: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > most) {
    throw new OperatorFault(`--${option} takes a number from 1 to ${most}.`)
  }
  return number
}

function isAlphabet(word: string): word is Alphabet {
  return ALPHABETS.some((one) => one === word)
}

async function list(options: OrganisationOptions): Promise<void> {
  const found = await withDatabase(readConfig(), async (db) => findAccounts({ db }, await whichAccount(db, options)))
  const rows = found.map((one) => [
    one.system_id,
    `${one.binds} of ${one.max_binds}`,
    `${one.rate_per_s}/s`,
    String(one.window_size),
    String(one.waiting),
    one.allow_networks.join(' ') || 'anywhere',
    one.created_datetime,
  ])
  process.stdout.write(table(['system_id', 'binds', 'rate', 'window', 'waiting', 'from', 'made'], rows))
}

/** The service detects removed accounts every second and closes their binds. */
async function remove(options: OrganisationOptions, system_id = ''): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    await removeAccount({ db, notifyChange: () => {} }, await whichAccount(db, options), system_id)
  }).catch(explain)
  process.stdout.write(`Removed ${system_id}: its binds are closed.\n`)
}

function explain(fault: unknown): never {
  if (fault instanceof Refusal) throw new OperatorFault(fault.faults[0]?.message ?? fault.message)
  throw fault
}
