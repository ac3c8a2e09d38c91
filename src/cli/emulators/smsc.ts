import { createInterface } from 'node:readline'
import type { ShownText } from '../../emulators/smsc/handset.ts'
import { startSmsc, type Smsc } from '../../emulators/smsc/smsc.ts'
import { SMSC_DEFAULTS, type Range, type SmscOptions } from '../../emulators/smsc/settings.ts'
import { STATUS } from '../../carriers/smpp/codec/status.ts'
import { form, type Command } from '../command.ts'
import { OperatorFault } from '../operator-fault.ts'
import { table } from '../table.ts'
import { isRecord } from '../../values/record.ts'
import { codeOf } from '../../values/thrown.ts'

/** An SMSC on this machine, to try the gateway on without a carrier. Runs until it is told to stop. */
async function runSmsc(values: Values): Promise<void> {
  const running = await startSmsc(readOptions(values)).catch(explain)
  running.handsets.watch(show)
  process.stdout.write(
    `SMSC on port ${running.port}. What handsets show appears here.\n` +
      'To text as a handset, write: FROM TO TEXT. Control-C stops it and tells what it counted.\n',
  )
  const stopReading = readTexts(running)
  await signal()
  stopReading()
  await running.stop()
  const counted = Object.entries(running.counts).map(([name, count]) => [name, count.toLocaleString('en')])
  process.stdout.write(`\n${table(['what', 'count'], counted)}`)
}

const OPTIONS = {
  port: 'text',
  host: 'text',
  'system-id': 'text',
  password: 'text',
  latency: 'text',
  throughput: 'text',
  errors: 'text',
  cut: 'text',
  silent: 'text',
  'report-delay': 'text',
  'report-none': 'text',
  'report-twice': 'text',
  'report-early': 'text',
  'report-other-bind': 'text',
  'report-form': 'text',
  'report-stats': 'text',
  'answer-id': 'text',
  'report-id': 'text',
  alphabet: 'text',
  seed: 'text',
} as const

export const smsc: Command = [form('', OPTIONS, runSmsc)]

type Values = { [name in keyof typeof OPTIONS]?: string }

const ID_FORMS = ['decimal', 'hex', 'upper_case', 'zero_padded'] as const

function readOptions(values: Values): SmscOptions {
  const { reports } = SMSC_DEFAULTS
  const system_id = values['system-id']
  const cut_share = share(values, 'cut') / 2
  return {
    host: values.host ?? SMSC_DEFAULTS.host,
    port: number(values, 'port', 2775),
    accounts: system_id === undefined ? null : [{ system_id, password: values.password ?? '' }],
    latency_ms: range(values, 'latency'),
    throughput: values.throughput === undefined ? null : number(values, 'throughput', 0),
    errors: weights(values, 'errors', {}, Object.keys(STATUS)),
    cut_before_share: cut_share,
    cut_after_share: cut_share,
    silent_share: share(values, 'silent'),
    alphabet: oneOf(values, 'alphabet', ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const, SMSC_DEFAULTS.alphabet),
    seed: number(values, 'seed', SMSC_DEFAULTS.seed),
    reports: {
      delay_ms: range(values, 'report-delay'),
      none_share: share(values, 'report-none'),
      twice_share: share(values, 'report-twice'),
      early_share: share(values, 'report-early'),
      other_bind_share: share(values, 'report-other-bind'),
      form: oneOf(values, 'report-form', ['text', 'tlv', 'both', 'unflagged'] as const, reports.form),
      answer_id: oneOf(values, 'answer-id', ID_FORMS, reports.answer_id),
      report_id: oneOf(values, 'report-id', ID_FORMS, reports.report_id),
      stats: weights(values, 'report-stats', reports.stats, null),
    },
  }
}

function number(values: Values, name: keyof Values, otherwise: number): number {
  const text = values[name]
  if (text === undefined) return otherwise
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new OperatorFault(`--${name} wants a number, not ${text}.`)
  return Number(text)
}

function share(values: Values, name: keyof Values): number {
  const value = number(values, name, 0)
  if (value > 1) throw new OperatorFault(`--${name} wants a share between 0 and 1.`)
  return value
}

/** `50` or `20-80`, in milliseconds. */
function range(values: Values, name: keyof Values): Range {
  const [from = '0', to = from] = (values[name] ?? '0').split('-', 2)
  if (!/^\d{1,7}$/.test(from) || !/^\d{1,7}$/.test(to)) {
    throw new OperatorFault(`--${name} wants milliseconds, such as 50 or 20-80.`)
  }
  return [Number(from), Number(to)]
}

/** `RSYSERR:0.01,RMSGQFUL:0.02`. */
function weights(values: Values, name: keyof Values, otherwise: Record<string, number>, known: string[] | null) {
  const text = values[name]
  if (text === undefined) return otherwise
  const entries = text.split(',').map((item) => {
    const [word = '', weight = ''] = item.split(':', 2)
    if (!/^\w+$/.test(word) || !/^\d+(\.\d+)?$/.test(weight) || known?.includes(word) === false) {
      throw new OperatorFault(
        `--${name} wants words with their weights, such as ${known ? 'RSYSERR:0.01' : 'DELIVRD:9'}.`,
      )
    }
    return [word, Number(weight)] as const
  })
  return Object.fromEntries(entries)
}

function oneOf<Word extends string>(values: Values, name: keyof Values, words: readonly Word[], otherwise: Word): Word {
  const text = values[name] ?? otherwise
  const word = words.find((known) => known === text)
  if (word === undefined) throw new OperatorFault(`--${name} is one of ${words.join(', ')}.`)
  return word
}

function explain(fault: unknown): never {
  const code = codeOf(fault)
  if (code !== 'EADDRINUSE' && code !== 'EACCES') throw fault
  const port = isRecord(fault) ? String(fault.port) : ''
  throw new OperatorFault(`Port ${port} cannot be used (${code}).`)
}

function show({ from, to, text, segments }: ShownText): void {
  process.stdout.write(`${from} → ${to}${segments > 1 ? ` (${segments} parts)` : ''}: ${text}\n`)
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

/** An SMSC in the background has no standard input: it runs on without. */
function readTexts(running: Smsc): () => void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const [, from, to, text] = /^\s*(\S+)\s+(\S+)\s+(.+)$/.exec(line) ?? []
    if (from === undefined || to === undefined || text === undefined) {
      process.stdout.write('Write FROM TO TEXT, such as: 2348031234567 32811 STOP\n')
    } else {
      running.sendText({ from, to, text }).catch((fault: Error) => process.stdout.write(`${fault.message}\n`))
    }
  })
  return () => lines.close()
}
