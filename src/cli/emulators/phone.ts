import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { PHONE_PATH } from '../../carriers/phone/tokens.ts'
import type { PhoneMessage } from '../../emulators/phone/memory.ts'
import { startPhoneEmulator, type Fate, type PhoneEmulator } from '../../emulators/phone/phone.ts'
import { form, type Command } from '../command.ts'
import { OperatorFault } from '../operator-fault.ts'

const OPTIONS = { url: 'text', token: 'text', name: 'text', sims: 'text', delay: 'text' } as const
type Values = { [name in keyof typeof OPTIONS]?: string }

/** A phone on this machine, to try the gateway on without one. Runs until it is told to stop. */
export const phone: Command = [form('', OPTIONS, runPhone)]

async function runPhone(values: Values): Promise<void> {
  const { token, name = 'Gangan/emulator' } = values
  if (token === undefined) throw new OperatorFault(HOW_TO_BEGIN)
  const url = values.url ?? `http://127.0.0.1:8080${PHONE_PATH}`
  if (!URL.canParse(url)) throw new OperatorFault(`--url wants an address, not ${url}.`)
  const sims = wholeNumber(values, 'sims', 1, 3)
  const delay_ms = wholeNumber(values, 'delay', 500, 60_000)
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
    `A phone with ${sims} SIM${sims === 1 ? '' : 's'} calls ${url}. What it sends appears here.\n${HINT}`,
  )
  const stopReading = readTexts(running)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  stopReading()
  await running.stop()
  process.stdout.write(`\n${counts.sent} sent, ${counts.failed} failed.\n`)
}

const HINT =
  'Numbers that end in 001 get no service, in 002 never arrive, in 003 are no numbers; all others are delivered.\n' +
  'To text as a person, write: FROM TEXT. Control-C stops it.\n'

const HOW_TO_BEGIN = `It wants the private token of a carrier. Configure one, in the file that GANGAN_CONFIG names:

  carriers:
    - kind: phone
      name: phones
  routes:
    - name: sms
      channel: sms
      carrier: phones

Then start gangan serve, and say gangan phones: it shows the token.`

/** What becomes of a message, by the end of its number. */
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

function wholeNumber(values: Values, name: keyof Values, otherwise: number, most: number): number {
  const text = values[name] ?? String(otherwise)
  const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN
  if (!(number <= most)) throw new OperatorFault(`--${name} wants a number up to ${most}, not ${text}.`)
  return number
}

/** A phone in the background has no standard input: it runs on without. */
function readTexts(running: PhoneEmulator): () => void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const [, from, text] = /^\s*(\S+)\s+(.+)$/.exec(line) ?? []
    if (from === undefined || text === undefined) process.stdout.write('Write FROM TEXT, such as: 2348031234567 STOP\n')
    else running.receive({ from, text })
  })
  return () => lines.close()
}
