import { readFileSync } from 'node:fs'
import { balanceText } from '../../carriers/http/describe.ts'
import { makeCalls } from '../../carriers/http/calls.ts'
import { readBalance } from '../../carriers/http/balance.ts'
import { readRecorded } from '../../carriers/http/recorded-post.ts'
import { outcomeOf } from '../../carriers/http/answer.ts'
import { nameOf } from '../../carriers/http/naming.ts'
import type { StoredBalance } from '../../carriers/http/store.ts'
import { makeVendor, type Vendor } from '../../carriers/http/vendor.ts'
import type { OutgoingMessage } from '../../carriers/message-carrier.ts'
import { carriersOfKind } from '../../carriers/kinds.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import { readConfig, type Config } from '../../config/config.ts'
import { newId } from '../../values/id.ts'
import { moneyToText } from '../../values/money.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { codeOf } from '../../values/thrown.ts'
import { withConfigured } from '../configured.ts'
import { hasDatabase } from '../database.ts'
import { notFound, OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { done, jsonText, table, type Result } from '../terminal/result.ts'

/** Vendors with an HTTP interface: our money there, and where they reach us, with the secrets. */
export function shownVendors({ settings, public_url }: Config, balances: readonly StoredBalance[]) {
  const vendors = carriersOfKind(settings.carriers, 'http').map((one) => {
    const { name, preset, addresses } = makeVendor(one, public_url)
    const kept = balances.find(({ carrier }) => carrier === name)
    return {
      carrier: name,
      vendor: preset.vendor,
      ...(kept ? { balance: balanceText(kept), read_datetime: kept.read_datetime } : {}),
      addresses,
    }
  })
  if (vendors.length === 0) return { data: {}, tables: [] }
  const addresses = vendors.flatMap(({ carrier, addresses: { reports, texts } }) =>
    Object.entries({ reports, texts }).map(([purpose, address]) => ({ carrier, purpose, address })),
  )
  return {
    data: { vendors },
    tables: [
      table(vendors, {
        carrier: (one) => one.carrier,
        vendor: (one) => one.vendor,
        balance: (one) => one.balance,
        read: (one) => one.read_datetime,
      }),
      table(
        addresses.filter(({ address }) => address !== undefined),
        {
          carrier: (one) => one.carrier,
          for: (one) => one.purpose,
          'address to give to the vendor': (one) => one.address,
        },
      ),
    ],
  }
}

/** Tries the credentials; with a number, sends a message there, which the vendor charges. */
export async function check(values: { to?: string; text?: string; from?: string }, name: string): Promise<Result> {
  const config = await configWith(name)
  const vendor = findVendor(config, name)
  const http = makeHttpClient(vendor.limits)
  const calls = makeCalls(http, vendor)
  try {
    return values.to === undefined ? await tryCredentials(vendor, calls) : await trySend(config, vendor, calls, values)
  } finally {
    await http.stop()
  }
}

type Calls = ReturnType<typeof makeCalls>

async function tryCredentials(vendor: Vendor, calls: Calls): Promise<Result> {
  if (!vendor.check) throw new OperatorFault(`${vendor.preset.vendor} has nothing harmless to ask; try --to NUMBER.`)
  const answer = await calls.call(vendor.check())
  if (answer.kind !== 'answered')
    throw new OperatorFault(`${vendor.preset.vendor} cannot be reached: ${answer.description}`, 'unavailable')
  const balance = readBalance(vendor, answer)
  const words = [`HTTP ${answer.status}`, shorten(answer.text)]
  if (answer.status === 401 || answer.status === 403) {
    throw new OperatorFault(`${vendor.preset.vendor} does not take the credentials: ${words.join(' ')}`)
  }
  const outcome = balance
    ? `The balance is ${moneyToText(balance.amount)} ${balance.currency ?? ''}`.trimEnd() + '.'
    : vendor.balance
      ? 'This does not include the balance.'
      : 'The credentials are taken.'
  const facts = { status: answer.status, ...(balance ? { balance: balance.amount, currency: balance.currency } : {}) }
  return done(`${vendor.preset.vendor} answered ${words.join(' ')}\n${outcome}`, facts)
}

async function trySend(
  { settings }: Config,
  vendor: Vendor,
  calls: Calls,
  { to = '', text = 'A test message.', from }: { to?: string; text?: string; from?: string },
): Promise<Result> {
  const recipient = cleanPhone(to, dialPlan(settings.organisation.default_country))
  if (recipient === undefined) throw usageFault(`${to} is no phone number.`)
  const message: OutgoingMessage = {
    organisation_id: newId(),
    message_id: newId(),
    recipient,
    channel: 'sms',
    sender_id: from ?? settings.organisation.default_sender_id,
    text,
    expires_in_s: null,
    attempt: 1,
    urgent: false,
  }
  const { answer } = await calls.send([message], () => false)
  if (answer.kind !== 'answered') return done(`${answer.kind}: ${answer.description}`, { kind: answer.kind })
  const verdicts = vendor.readAnswer([{ recipient, id: nameOf(message) }], answer)
  const outcomes = verdicts.map((verdict) => {
    const mapped = verdict.outcome === 'paused' ? verdict : outcomeOf(verdict, vendor.limits.report_due_s)
    return { ...mapped, ...(verdict.cost === undefined ? {} : { cost: verdict.cost }) }
  })
  const answered = `${vendor.preset.vendor} answered HTTP ${answer.status} ${shorten(answer.text)}\nThis becomes:\n`
  return { data: { status: answer.status, outcomes }, text: answered + outcomes.map(jsonText).join('') }
}

const LONGEST_SHOWN = 500
const LARGEST_FILE = 4 * 1024 * 1024

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** Runs a recorded post through the mapping, and stores nothing. */
export async function replay(name: string, file: string): Promise<Result> {
  const config = await configWith(name)
  const vendor = findVendor(config, name)
  const recorded = readRecorded(readRecordedFile(file))
  const { what, post, has_headers } = recorded
  const { reports, known, texts, ignored, skipped } = vendor.posts.read(
    what,
    post,
    config.public_url,
    config.settings.organisation.default_country,
  )
  const is_vendors = vendor.posts.isVerified(what, post, config.public_url)
  const origin = has_headers
    ? `It ${is_vendors ? 'is' : 'is not'} known to be from ${vendor.preset.vendor}.\n`
    : 'The file has only a body, so its signature cannot be verified.\n'
  const entries = [
    ...reports.map((one) => ({
      what: 'report',
      id: one.carrier_message_id,
      number: one.recipient,
      state: one.status,
      code: one.code,
      description: one.description,
    })),
    ...texts.map((one) => ({
      what: 'text',
      id: one.received_id,
      number: one.from,
      state: `to ${one.to}`,
      description: one.text,
    })),
    ...ignored.map((word) => ({
      what: 'ignored',
      state: word,
      description: 'on its way, or a word that the preset does not know',
    })),
  ]
  type Entry = {
    what: string
    id?: string
    number?: string | null | undefined
    state: string
    code?: string
    description: string
  }
  const lines = table<Entry>(entries, {
    what: (one) => one.what,
    id: (one) => one.id,
    number: (one) => one.number,
    state: (one) => one.state,
    code: (one) => one.code,
    description: (one) => one.description,
  })
  return {
    data: { ...(has_headers ? { authentic: is_vendors } : {}), entries, own_references: known.length, skipped },
    text:
      origin +
      lines +
      (known.length > 0 ? `${known.length} of them name our own reference.\n` : '') +
      (skipped > 0 ? `${skipped} entries have no message id or no recipient, and are skipped.\n` : ''),
  }
}

function readRecordedFile(file: string): Buffer {
  try {
    const bytes = readFileSync(file)
    if (bytes.length > LARGEST_FILE) throw new OperatorFault(`${file} is larger than any post.`)
    return bytes
  } catch (fault) {
    if (fault instanceof OperatorFault) throw fault
    throw notFound(`${file} cannot be read (${codeOf(fault)}).`)
  }
}

/** The configuration of the file, or with the carriers of operators if it does not have this one. */
async function configWith(name: string): Promise<Config> {
  const config = readConfig()
  if (findHttp(config, name) || !(await hasDatabase(config))) return config
  return withConfigured(async (_, effective) => effective)
}

function findHttp({ settings }: Config, name: string) {
  return carriersOfKind(settings.carriers, 'http').find((one) => one.name === name)
}

function findVendor({ settings, public_url }: Config, name: string): Vendor {
  const carriers = carriersOfKind(settings.carriers, 'http')
  const found = carriers.find((one) => one.name === name)
  if (found) return makeVendor(found, public_url)
  const names = carriers.map((one) => one.name).join(', ')
  throw notFound(`There is no carrier ${name} of the kind http${names === '' ? '' : `; there are ${names}`}.`)
}
