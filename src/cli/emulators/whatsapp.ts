import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { stringify } from 'yaml'
import { startCloudApi, type CloudApi } from '../../emulators/whatsapp/cloud-api.ts'
import { startHandsets, type Handsets } from '../../emulators/whatsapp/handsets.ts'
import type { NumberIds } from '../../emulators/whatsapp/webhooks.ts'
import { messageOf } from '../../values/thrown.ts'
import { table } from '../terminal/result.ts'
import {
  explainListenFault,
  readInteger,
  readNumber,
  readShare,
  readTextsUntilStopped,
  type OptionValues,
} from './shared.ts'

type Values = OptionValues<
  | 'port'
  | 'host'
  | 'reports-to'
  | 'latency'
  | 'lose'
  | 'refuse'
  | 'throttle'
  | 'hang'
  | 'read'
  | 'review'
  | 'numbers'
  | 'limit'
>

const CARRIER = 'whatsapp'
const NUMBER = { phone_number_id: '106540352242922', waba_id: '102290129340398', display: '15550783881' }
const TOKEN = 'emulator-token'
const MAX_NUMBERS = 100

/** Runs the emulator of Meta's Cloud API until SIGINT or SIGTERM. */
export async function runCloudApi(values: Values): Promise<void> {
  const place = { port: readNumber(values, 'port', 8090), host: values.host ?? '127.0.0.1' }
  const app_secret = randomBytes(16).toString('hex')
  const fates = makeFates(values)
  const size = Math.max(1, readInteger(values, 'numbers', 1, MAX_NUMBERS))
  const further = Array.from({ length: size - 1 }, (_, n) => furtherNumber(n + 1))
  const api = await startCloudApi({ ...place, token: TOKEN, number: NUMBER, further }).catch(explainListenFault)
  const line_form = size === 1 ? 'FROM TEXT' : 'FROM TO TEXT'
  if (values.limit !== undefined) api.facts.whatsapp_business_manager_messaging_limit = values.limit
  const url = (values['reports-to'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
  const handsets = startHandsets(api, {
    webhook_url: `${url}/carriers/whatsapp/${CARRIER}`,
    app_secret,
    ...fates,
    review_ms: readNumber(values, 'review', 2_000),
    transit_ms: readNumber(values, 'latency', 200),
    onNote: (sentence) => process.stdout.write(`${sentence}\n`),
  })
  process.stdout.write(
    `Emulator of the WhatsApp Cloud API on port ${new URL(api.url).port}, reporting to ${url}. To send through it, put\n` +
      `this into the file that GANGAN_CONFIG names, and start gangan serve:\n\n${configurationOf(api, app_secret)}\n` +
      'Messages it receives appear here. Templates are reviewed after a moment; those with "reject" in their name are\n' +
      'rejected. To send a text from a phone, write: ' +
      `${line_form}; the title of a button presses it, an emoji is a reaction.\n` +
      'To send a file, write @PATH in place of the text. Control-C stops it.\n',
  )
  await readTextsUntilStopped(line_form, (from, to, text) => {
    const number = line_form === 'FROM TEXT' ? api.number : api.numbers.find(({ display }) => display === to)
    if (!number) {
      process.stdout.write(`TO is one of ${api.numbers.map(({ display }) => display).join(', ')}.\n`)
      return
    }
    void sendFrom(handsets, { from, number }, text).then((fault) => {
      if (fault !== undefined) process.stdout.write(`${fault}\n`)
      return fault
    })
  })
  await api.close()
  const counts = Object.entries({ 'messages accepted': api.taken.length, 'files uploaded': api.media.uploads })
  process.stdout.write(`\n${table(counts, { what: ([name]) => name, count: ([, count]) => count })}`)
}

/** A text, or a file after an at sign. Returns why it was not accepted. */
async function sendFrom(handsets: Handsets, { from, number }: Phone, text: string): Promise<string | undefined> {
  const taken = text.startsWith('@')
    ? await sendFile(handsets, { from, number }, text.slice(1).trim())
    : await handsets.write(from, handsets.answer(from, text), number)
  if (typeof taken === 'string') return taken
  return taken ? undefined : 'The text was not accepted.'
}

type Phone = { from: string; number: NumberIds }

async function sendFile(handsets: Handsets, { from, number }: Phone, path: string): Promise<boolean | string> {
  try {
    const bytes = await readFile(path)
    const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
    return await handsets.sendFile(from, { bytes, type, filename: basename(path) }, number)
  } catch (fault) {
    return `The file cannot be read: ${messageOf(fault)}`
  }
}

/** As a phone declares them, by the end of the name. */
const TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.3gp': 'video/3gpp',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
}

function configurationOf(api: CloudApi, app_secret: string): string {
  const carrier = {
    kind: 'whatsapp_cloud',
    name: CARRIER,
    ...(api.numbers.length === 1
      ? { phone_number_id: NUMBER.phone_number_id, digits: NUMBER.display }
      : { numbers: api.numbers.map(({ phone_number_id, display }) => ({ phone_number_id, digits: display })) }),
    waba_id: NUMBER.waba_id,
    access_token: TOKEN,
    app_secrets: [app_secret],
    verify_token: 'emulator',
    base_url: api.url,
    sync_minutes: 1,
  }
  const routes = [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'whatsapp', channel: 'whatsapp', carrier: CARRIER },
  ]
  return stringify({ carriers: [{ kind: 'simulator', name: 'simulator' }, carrier], routes })
}

function furtherNumber(n: number): NumberIds {
  const next = (digits: string): string => String(Number(digits) + n)
  return { ...NUMBER, phone_number_id: next(NUMBER.phone_number_id), display: next(NUMBER.display) }
}

/** Draws the treatment and the fate of each message by the configured shares. */
function makeFates(values: Values) {
  const [lose, refuse, throttle, hang] = [
    readShare(values, 'lose'),
    readShare(values, 'refuse'),
    readShare(values, 'throttle'),
    readShare(values, 'hang'),
  ]
  const read = values.read === undefined ? 1 : readShare(values, 'read')
  return {
    treat() {
      const chance = Math.random()
      if (chance < refuse) return { code: 131026 }
      if (chance < refuse + throttle) return { code: 130429, status: 429 }
      return chance < refuse + throttle + hang ? ('take_and_hang' as const) : ('take' as const)
    },
    fate() {
      if (Math.random() < lose) return 'failed' as const
      return Math.random() < read ? ('read' as const) : ('delivered' as const)
    },
  }
}
