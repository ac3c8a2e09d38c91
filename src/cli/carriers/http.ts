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
import { OperatorFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/table.ts'

/** Vendors with an HTTP interface: our money there, and where they reach us, with the secrets. */
export function httpTables({ settings, public_url }: Config, balances: readonly StoredBalance[]): string[] {
  const vendors = carriersOfKind(settings.carriers, 'http').map((one) => makeVendor(one, public_url))
  if (vendors.length === 0) return []
  const lines = vendors.map(({ name, preset }) => {
    const kept = balances.find(({ carrier }) => carrier === name)
    return [name, preset.vendor, kept ? balanceText(kept) : '', kept?.read_datetime ?? '']
  })
  const addresses = vendors.flatMap(({ name, addresses: { reports, texts } }) => [
    ...(reports === undefined ? [] : [[name, 'reports', reports]]),
    ...(texts === undefined ? [] : [[name, 'texts', texts]]),
  ])
  return [
    table(['carrier', 'vendor', 'balance', 'read'], lines),
    table(['carrier', 'for', 'address to give to the vendor'], addresses),
  ]
}

/** Tries the credentials; with a number, sends a message there, which the vendor charges. */
export async function check(values: { to?: string; text?: string; from?: string }, name: string): Promise<void> {
  const config = readConfig()
  const vendor = findVendor(config, name)
  const http = makeHttpClient(vendor.limits)
  const calls = makeCalls(http, vendor)
  try {
    if (values.to !== undefined) await trySend(config, vendor, calls, values)
    else await tryCredentials(vendor, calls)
  } finally {
    await http.stop()
  }
}

type Calls = ReturnType<typeof makeCalls>

async function tryCredentials(vendor: Vendor, calls: Calls): Promise<void> {
  if (!vendor.check) throw new OperatorFault(`${vendor.preset.vendor} has nothing harmless to ask; try --to NUMBER.`)
  const answer = await calls.call(vendor.check())
  if (answer.kind !== 'answered')
    throw new OperatorFault(`${vendor.preset.vendor} cannot be reached: ${answer.description}`)
  const balance = readBalance(vendor, answer)
  const words = [`HTTP ${answer.status}`, shorten(answer.text)]
  if (answer.status === 401 || answer.status === 403) {
    throw new OperatorFault(`${vendor.preset.vendor} does not take the credentials: ${words.join(' ')}`)
  }
  process.stdout.write(`${vendor.preset.vendor} answered ${words.join(' ')}\n`)
  if (balance)
    process.stdout.write(`The balance is ${moneyToText(balance.amount)} ${balance.currency ?? ''}`.trimEnd() + '.\n')
  else if (vendor.balance) process.stdout.write('This does not include the balance.\n')
  else process.stdout.write('The credentials are taken.\n')
}

async function trySend(
  { settings }: Config,
  vendor: Vendor,
  calls: Calls,
  { to = '', text = 'A test message.', from }: { to?: string; text?: string; from?: string },
): Promise<void> {
  const recipient = cleanPhone(to, dialPlan(settings.organisation.default_country))
  if (recipient === undefined) throw new OperatorFault(`${to} is no phone number.`)
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
  if (answer.kind !== 'answered') {
    process.stdout.write(`${answer.kind}: ${answer.description}\n`)
    return
  }
  process.stdout.write(
    `${vendor.preset.vendor} answered HTTP ${answer.status} ${shorten(answer.text)}\nThis becomes:\n`,
  )
  const verdicts = vendor.readAnswer([{ recipient, id: nameOf(message) }], answer)
  for (const verdict of verdicts) {
    const mapped = verdict.outcome === 'paused' ? verdict : outcomeOf(verdict, vendor.limits.report_due_s)
    const cost = verdict.cost === undefined ? {} : { cost: moneyToText(verdict.cost) }
    process.stdout.write(
      `${JSON.stringify({ ...mapped, ...cost }, (_, value: unknown) => (typeof value === 'bigint' ? moneyToText(value) : value), 2)}\n`,
    )
  }
}

const LONGEST_SHOWN = 500
const LARGEST_FILE = 4 * 1024 * 1024

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** Runs a recorded post through the mapping, and stores nothing. */
export async function replay(name: string, file: string): Promise<void> {
  const config = readConfig()
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
  process.stdout.write(
    has_headers
      ? `It ${is_vendors ? 'is' : 'is not'} known to be from ${vendor.preset.vendor}.\n`
      : 'The file has only a body, so its signature cannot be verified.\n',
  )
  const lines = [
    ...reports.map((one) => [
      'report',
      one.carrier_message_id,
      one.recipient ?? '',
      one.status,
      one.code,
      one.description,
    ]),
    ...texts.map((one) => ['text', one.received_id, one.from, `to ${one.to}`, '', one.text]),
    ...ignored.map((word) => ['ignored', '', '', word, '', 'on its way, or a word that the preset does not know']),
  ]
  process.stdout.write(table(['what', 'id', 'number', 'state', 'code', 'description'], lines))
  if (known.length > 0) process.stdout.write(`${known.length} of them name our own reference.\n`)
  if (skipped > 0) process.stdout.write(`${skipped} entries have no message id or no recipient, and are skipped.\n`)
}

function readRecordedFile(file: string): Buffer {
  try {
    const bytes = readFileSync(file)
    if (bytes.length > LARGEST_FILE) throw new OperatorFault(`${file} is larger than any post.`)
    return bytes
  } catch (fault) {
    if (fault instanceof OperatorFault) throw fault
    throw new OperatorFault(`${file} cannot be read (${codeOf(fault)}).`)
  }
}

function findVendor({ settings, public_url }: Config, name: string): Vendor {
  const carriers = carriersOfKind(settings.carriers, 'http')
  const found = carriers.find((one) => one.name === name)
  if (found) return makeVendor(found, public_url)
  const names = carriers.map((one) => one.name).join(', ')
  throw new OperatorFault(`There is no carrier ${name} of the kind http${names === '' ? '' : `; there are ${names}`}.`)
}
