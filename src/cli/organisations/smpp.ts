import { readConfig } from '../../config/config.ts'
import { readKeys } from '../../otp/pepper.ts'
import { addAccount, findAccounts, removeAccount } from '../../smpp-accounts/accounts.ts'
import { ALPHABETS, type Alphabet, type SmppAccountBody } from '../../smpp-accounts/schema.ts'
import { choice, flag, form, integer, valued, type Command } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { ACCOUNT, withAccount, type Account } from './which-organisation.ts'

const ADD = {
  ...ACCOUNT,
  password: valued('TEXT', 'a given password (8 characters)'),
  networks: valued('LIST', 'comma-separated networks it may bind from (any)'),
  binds: integer(1, 100, 'concurrent binds (4)'),
  rate: integer(1, 10_000, 'submits per second (500)'),
  window: integer(1, 1_000, 'unanswered submits (100)'),
  alphabet: choice(ALPHABETS, 'the meaning of data_coding 0 (gsm7)'),
  'no-texts': flag('do not deliver inbound messages to it'),
}

type Limits = { password?: string; networks?: string; binds?: string; rate?: string; window?: string }
type Options = Account & Limits & { alphabet?: string; 'no-texts'?: boolean }

/** Accounts of clients that bind to the SMPP server. */
export const smpp: Command = [
  form('add [SYSTEM_ID]', 'create an account for the SMPP server, and its password', ADD, add, [
    'gangan smpp add shop --networks 203.0.113.0/24 --rate 100',
  ]),
  form('list', 'list accounts, their binds and pending events', ACCOUNT, list),
  form('remove SYSTEM_ID', 'remove it; closes its binds and drops pending events', ACCOUNT, remove),
]

async function add(options: Options, system_id?: string): Promise<Result> {
  const body = readBody(options, system_id)
  const config = readConfig()
  const made = await withAccount(
    options,
    async (db, organisation_id) => {
      const { smpp_key } = await readKeys({ db }, config)
      return addAccount({ db, smpp_key }, organisation_id, body, [])
    },
    config,
  )
  const where = config.settings.smpp_server
  const at = where
    ? `It binds to port ${where.port}`
    : 'The SMPP server is not running: smpp_server is not in the configuration'
  return {
    data: { system_id: made.system_id, password: made.password },
    text: `${made.system_id}\n${made.password}\n`,
    note: `The system_id, and the password: shown only this once. ${at}.`,
  }
}

/** Checks the command line before the database is opened. */
function readBody(options: Options, system_id: string | undefined): Partial<SmppAccountBody> {
  const { password, networks, binds, rate, window, alphabet } = options
  if (system_id !== undefined && !/^[0-9A-Za-z_.-]{1,15}$/.test(system_id)) {
    throw usageFault('A system_id has 1 to 15 characters: letters, digits, dots, dashes and underscores.')
  }
  if (password !== undefined && !/^[\x21-\x7e]{8}$/.test(password)) {
    throw usageFault('A password has 8 characters without spaces.')
  }
  return {
    ...(system_id === undefined ? {} : { system_id }),
    ...(password === undefined ? {} : { password }),
    ...(networks === undefined ? {} : { allow_networks: networks.split(',') }),
    ...(binds === undefined ? {} : { max_binds: Number(binds) }),
    ...(rate === undefined ? {} : { rate_per_s: Number(rate) }),
    ...(window === undefined ? {} : { window_size: Number(window) }),
    ...(isAlphabet(alphabet) ? { alphabet } : {}),
    ...(options['no-texts'] ? { receives_texts: false } : {}),
  }
}

function isAlphabet(word: string | undefined): word is Alphabet {
  return ALPHABETS.some((one) => one === word)
}

async function list(given: Account): Promise<Result> {
  const found = await withAccount(given, (db, organisation_id) => findAccounts({ db }, organisation_id))
  return rows(found, {
    system_id: (one) => one.system_id,
    binds: (one) => `${one.binds} of ${one.max_binds}`,
    rate: (one) => `${one.rate_per_s}/s`,
    window: (one) => one.window_size,
    waiting: (one) => one.waiting,
    from: (one) => one.allow_networks.join(' ') || 'anywhere',
    made: (one) => one.created_datetime,
  })
}

/** The service detects removed accounts every second and closes their binds. */
async function remove(given: Account, system_id = ''): Promise<Result> {
  await withAccount(given, (db, organisation_id) =>
    removeAccount({ db, notifyChange: () => {} }, organisation_id, system_id),
  )
  return done(`Removed ${system_id}: its binds are closed.`, { system_id })
}
