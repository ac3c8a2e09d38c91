import { stringify } from 'yaml'
import type { Sent } from '../../emulators/vendor/dialect.ts'
import { DIALECTS } from '../../emulators/vendor/dialects.ts'
import { startVendorEmulator, type VendorEmulator, type Treatment } from '../../emulators/vendor/vendor.ts'
import { plainForm, valued, type Command } from '../terminal/command.ts'
import { nearest } from '../terminal/nearest.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/result.ts'
import { runCloudApi } from './whatsapp.ts'
import { explainListenFault, readNumber, readShare, readTextsUntilStopped, type OptionValues } from './shared.ts'

const OPTIONS = {
  port: valued('NUMBER', 'port to listen on (8090)'),
  host: valued('ADDRESS', 'address to listen on (127.0.0.1)'),
  'reports-to': valued('URL', 'the service it reports to (http://127.0.0.1:8080)'),
  latency: valued('MS', 'latency of answers'),
  lose: valued('SHARE', 'messages that are not delivered'),
  refuse: valued('SHARE', 'messages that are refused'),
  throttle: valued('SHARE', 'requests that are throttled'),
  hang: valued('SHARE', 'requests that are never answered'),
  read: valued('SHARE', 'of whatsapp: messages that are read (1)'),
  numbers: valued('N', 'of whatsapp: numbers of the account (1)'),
  limit: valued('TIER', 'of whatsapp: the messaging limit, such as TIER_250 (TIER_UNLIMITED)'),
  review: valued('MS', 'of whatsapp: duration of the review of a template (2000)'),
}

type Values = OptionValues<keyof typeof OPTIONS>

export const vendor: Command = [
  plainForm(
    '[PRESET]',
    "emulate an HTTP vendor (termii), or Meta's WhatsApp Cloud API (whatsapp), to test without an account",
    OPTIONS,
    (values, preset = 'termii') => (preset === WHATSAPP ? runCloudApi(values) : runVendor(values, preset)),
    ['gangan vendor termii --lose 0.05', 'gangan vendor whatsapp --read 0.5'],
  ),
]

/** No preset: a kind of carrier of its own. */
const WHATSAPP = 'whatsapp'

const CARRIER = 'vendor'

/** Runs an emulated vendor until SIGINT or SIGTERM. */
async function runVendor(values: Values, preset: string): Promise<void> {
  const dialect = Object.hasOwn(DIALECTS, preset) ? DIALECTS[preset] : undefined
  if (!dialect) {
    const names = [...Object.keys(DIALECTS), WHATSAPP]
    const meant = nearest(preset, names)
    throw usageFault(
      `There is no preset ${preset}; ${meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}.`}`,
    )
  }
  const place = { name: preset, dialect, port: readNumber(values, 'port', 8090), host: values.host ?? '127.0.0.1' }
  const treat = makeTreat(values)
  const running = await startVendorEmulator(place, (sent) => {
    process.stdout.write(`${sent.from || '–'} → ${sent.to}: ${sent.text}\n`)
    return treat(sent)
  }).catch(explainListenFault)
  const url = (values['reports-to'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
  running.reports_to = { url, carrier: CARRIER }
  process.stdout.write(
    `Emulator of ${preset} on port ${running.port}, reporting to ${url}. To send through it, put this into the file that\n` +
      `GANGAN_CONFIG names, and start gangan serve:\n\n${configurationOf(running)}\n` +
      'Messages it receives appear here. To send a text from a handset, write: FROM TO TEXT. Control-C stops it.\n',
  )
  let count = 0
  await readTextsUntilStopped('FROM TO TEXT', (from, to, text) => {
    count += 1
    void running.sendText(`text-${Date.now()}-${count}`, from, to, text).then((taken) => {
      if (!taken) process.stdout.write('The text was not accepted.\n')
      return taken
    })
  })
  await running.close()
  const counts = Object.entries({ requests: running.requests, 'messages accepted': running.taken.length })
  process.stdout.write(`\n${table(counts, { what: ([name]) => name, count: ([, made]) => made })}`)
}

function configurationOf(running: VendorEmulator): string {
  const routes = [{ name: 'sms', channel: 'sms', carrier: CARRIER }]
  return stringify({ carriers: [running.settings(CARRIER)], routes })
}

/** Draws the treatment of each message by the configured shares. */
function makeTreat(values: Values): (sent: Sent) => Treatment {
  const delay_ms = readNumber(values, 'latency', 0)
  const [lose, refuse, throttle, hang] = [
    readShare(values, 'lose'),
    readShare(values, 'refuse'),
    readShare(values, 'throttle'),
    readShare(values, 'hang'),
  ]
  return () => {
    const chance = Math.random()
    if (chance < refuse) return { made: 'refused' }
    if (chance < refuse + throttle) return { made: 'put_off' }
    if (chance < refuse + throttle + hang) return { made: 'hangs' }
    const is_lost = chance < refuse + throttle + hang + lose
    return { made: 'taken', delay_ms, ends: [is_lost ? 'lost' : 'delivered'] }
  }
}
