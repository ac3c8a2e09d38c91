import { setTimeout as delay } from 'node:timers/promises'
import { PHONE_PATH } from '../../carriers/phone/tokens.ts'
import type { PhoneMessage } from '../../emulators/phone/memory.ts'
import { startPhoneEmulator, type Fate } from '../../emulators/phone/phone.ts'
import { plainForm, valued, type Command } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { readInteger, readTextsUntilStopped, type OptionValues } from './shared.ts'

const OPTIONS = {
  url: valued('ADDRESS', `the server address (http://127.0.0.1:8080${PHONE_PATH})`),
  token: valued('TOKEN', 'the private token, as gangan phones shows it'),
  name: valued('TEXT', 'its name'),
  sims: valued('N', 'its number of SIMs (1)'),
  delay: valued('MS', 'duration of sending, and of the delivery (500)'),
}
type Values = OptionValues<keyof typeof OPTIONS>

/** Runs an emulated phone until SIGINT or SIGTERM. */
export const phone: Command = [
  plainForm('', 'emulate a phone, to test without one', OPTIONS, runPhone, ['gangan phone --token TOKEN --sims 2']),
]

async function runPhone(values: Values): Promise<void> {
  const { token, name = 'Gangan/emulator' } = values
  if (token === undefined) throw usageFault(HOW_TO_BEGIN)
  const url = values.url ?? `http://127.0.0.1:8080${PHONE_PATH}`
  if (!URL.canParse(url)) throw usageFault(`--url must be a URL, not ${url}.`)
  const sims = readInteger(values, 'sims', 1, 3)
  const delay_ms = readInteger(values, 'delay', 500, 60_000)
  const counts = { sent: 0, failed: 0 }
  const running = startPhoneEmulator({
    url,
    token,
    name,
    sims,
    onNote: (sentence) => process.stdout.write(`${sentence}\n`),
    send: (message) => send(message, delay_ms, counts),
  })
  process.stdout.write(
    `Emulated phone with ${sims} SIM${sims === 1 ? '' : 's'} connects to ${url}. Messages it sends appear here.\n${HINT}`,
  )
  await readTextsUntilStopped('FROM TEXT', (from, _to, text) => running.receive({ from, text }))
  await running.stop()
  process.stdout.write(`\n${counts.sent} sent, ${counts.failed} failed.\n`)
}

const HINT =
  'Numbers ending in 001 have no service, in 002 are not delivered, in 003 are invalid; all others are delivered.\n' +
  'To send a text to the phone, write: FROM TEXT. Control-C stops it.\n'

const HOW_TO_BEGIN = `The private token of a carrier is required. Configure a carrier in the file that GANGAN_CONFIG names:

  carriers:
    - kind: phone
      name: phones
  routes:
    - name: sms
      channel: sms
      carrier: phones

Then start gangan serve; gangan phones shows the token.`

/** The fate of a message, by the last digits of its number. */
async function* send({ to, text, sim }: PhoneMessage, delay_ms: number, counts: Counts): Fate {
  const failing = FAILING.find(([end]) => to.endsWith(end))
  if (failing && failing[0] !== '002') {
    counts.failed += 1
    process.stdout.write(`→ ${to}: ${failing[1]}\n`)
    return yield { state: 'Failed', error: failing[1] }
  }
  counts.sent += 1
  process.stdout.write(`→ ${to}${sim === null ? '' : ` by SIM ${sim}`}: ${text}\n`)
  yield 'Processed'
  await delay(delay_ms)
  yield 'Sent'
  await delay(delay_ms)
  if (failing) yield { state: 'Failed', error: failing[1] }
  else yield 'Delivered'
}

type Counts = { sent: number; failed: number }

const FAILING: readonly (readonly [string, string])[] = [
  ['001', 'Send result: RESULT_ERROR_NO_SERVICE (Failed because service is currently unavailable)'],
  ['002', 'Delivery result from SC +2348030000000: 64'],
  ['003', 'Send result: RESULT_INVALID_ARGUMENTS (Failed because of invalid arguments)'],
]
