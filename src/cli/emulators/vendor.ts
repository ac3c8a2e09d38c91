import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import type { Sent } from '../../emulators/vendor/dialect.ts'
import { DIALECTS } from '../../emulators/vendor/dialects.ts'
import { startVendorEmulator, type VendorEmulator, type Treatment } from '../../emulators/vendor/vendor.ts'
import { isRecord } from '../../values/record.ts'
import { codeOf } from '../../values/thrown.ts'
import { form, type Command } from '../command.ts'
import { nearest } from '../nearest.ts'
import { OperatorFault } from '../operator-fault.ts'
import { table } from '../table.ts'

const OPTIONS = {
  port: 'text',
  host: 'text',
  'reports-to': 'text',
  latency: 'text',
  lose: 'text',
  refuse: 'text',
  throttle: 'text',
  hang: 'text',
} as const

type Values = { [name in keyof typeof OPTIONS]?: string }

export const vendor: Command = [form('[PRESET]', OPTIONS, (values, preset = 'termii') => runVendor(values, preset))]

const CARRIER = 'vendor'

/** A vendor on this machine, to try an HTTP carrier on without an account. Runs until it is told to stop. */
async function runVendor(values: Values, preset: string): Promise<void> {
  const dialect = Object.hasOwn(DIALECTS, preset) ? DIALECTS[preset] : undefined
  if (!dialect) {
    const meant = nearest(preset, Object.keys(DIALECTS))
    throw new OperatorFault(
      `There is no preset ${preset}; ${meant ? `did you mean ${meant}?` : `there are ${Object.keys(DIALECTS).join(', ')}.`}`,
    )
  }
  const place = { name: preset, dialect, port: number(values, 'port', 8090), host: values.host ?? '127.0.0.1' }
  const treat = makeTreat(values)
  const running = await startVendorEmulator(place, (sent) => {
    process.stdout.write(`${sent.from || '–'} → ${sent.to}: ${sent.text}\n`)
    return treat(sent)
  }).catch(explain)
  const url = (values['reports-to'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
  running.reports_to = { url, carrier: CARRIER }
  process.stdout.write(
    `An emulator of ${preset} on port ${running.port} reports to ${url}. To send by it, put this into the file that\n` +
      `GANGAN_CONFIG names, and start gangan serve:\n\n${configurationOf(running)}\n` +
      'What it is sent appears here. To text as a handset, write: FROM TO TEXT. Control-C stops it.\n',
  )
  const stopReading = readTexts(running)
  await signal()
  stopReading()
  await running.close()
  const counts = [
    ['requests', String(running.requests)],
    ['messages taken', String(running.taken.length)],
  ]
  process.stdout.write(`\n${table(['what', 'count'], counts)}`)
}

function configurationOf(running: VendorEmulator): string {
  const routes = [{ name: 'sms', channel: 'sms', carrier: CARRIER }]
  return stringify({ carriers: [running.settings(CARRIER)], routes })
}

/** Shares of messages that do not simply arrive. */
function makeTreat(values: Values): (sent: Sent) => Treatment {
  const delay_ms = number(values, 'latency', 0)
  const [lose, refuse, throttle, hang] = [
    share(values, 'lose'),
    share(values, 'refuse'),
    share(values, 'throttle'),
    share(values, 'hang'),
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

function number(values: Values, name: keyof Values, otherwise: number): number {
  const text = values[name]
  if (text === undefined) return otherwise
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new OperatorFault(`--${name} wants a number, not ${text}.`)
  return Number(text)
}

function share(values: Values, name: keyof Values): number {
  const value = number(values, name, 0)
  if (value > 1) throw new OperatorFault(`--${name} wants a share between 0 and 1.`)
  return value
}

function explain(fault: unknown): never {
  const code = codeOf(fault)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') throw fault
  throw new OperatorFault(`Port ${isRecord(fault) ? String(fault.port) : ''} cannot be used (${code}).`)
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

/** One in the background has no standard input: it runs on without. */
function readTexts(running: VendorEmulator): () => void {
  const lines = createInterface({ input: process.stdin })
  let count = 0
  lines.on('line', (line) => {
    const [, from, to, text] = /^\s*(\S+)\s+(\S+)\s+(.+)$/.exec(line) ?? []
    if (from === undefined || to === undefined || text === undefined) {
      process.stdout.write('Write FROM TO TEXT, such as: 2348031234567 32811 STOP\n')
      return
    }
    count += 1
    void running.handOnText(`text-${Date.now()}-${count}`, from, to, text).then((taken) => {
      if (!taken) process.stdout.write('The text was not taken.\n')
      return taken
    })
  })
  return () => lines.close()
}
