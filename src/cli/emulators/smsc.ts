import type { ShownText } from '../../emulators/smsc/handset.ts'
import { startSmsc } from '../../emulators/smsc/smsc.ts'
import { SMSC_DEFAULTS, type Range, type SmscOptions } from '../../emulators/smsc/settings.ts'
import { STATUS } from '../../carriers/codec/status.ts'
import { form, type Command } from '../terminal/command.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/table.ts'
import { explainListenFault, readNumber, readShare, readTextsUntilStopped, type OptionValues } from './shared.ts'

/** Runs an emulated SMSC until SIGINT or SIGTERM. */
async function runSmsc(values: Values): Promise<void> {
  const running = await startSmsc(readOptions(values)).catch(explainListenFault)
  running.handsets.watch(show)
  process.stdout.write(
    `SMSC emulator on port ${running.port}. Texts that handsets display appear here.\n` +
      'To send a text from a handset, write: FROM TO TEXT. Control-C stops the emulator and prints its counts.\n',
  )
  await readTextsUntilStopped('FROM TO TEXT', (from, to, text) => {
    running.sendText({ from, to, text }).catch((fault: Error) => process.stdout.write(`${fault.message}\n`))
  })
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

type Values = OptionValues<keyof typeof OPTIONS>

const ID_FORMS = ['decimal', 'hex', 'upper_case', 'zero_padded'] as const

function readOptions(values: Values): SmscOptions {
  const { reports } = SMSC_DEFAULTS
  const system_id = values['system-id']
  const cut_share = readShare(values, 'cut') / 2
  return {
    host: values.host ?? SMSC_DEFAULTS.host,
    port: readNumber(values, 'port', 2775),
    accounts: system_id === undefined ? null : [{ system_id, password: values.password ?? '' }],
    latency_ms: range(values, 'latency'),
    throughput: values.throughput === undefined ? null : readNumber(values, 'throughput', 0),
    errors: weights(values, 'errors', {}, Object.keys(STATUS)),
    cut_before_share: cut_share,
    cut_after_share: cut_share,
    silent_share: readShare(values, 'silent'),
    alphabet: oneOf(values, 'alphabet', ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const, SMSC_DEFAULTS.alphabet),
    seed: readNumber(values, 'seed', SMSC_DEFAULTS.seed),
    reports: {
      delay_ms: range(values, 'report-delay'),
      none_share: readShare(values, 'report-none'),
      twice_share: readShare(values, 'report-twice'),
      early_share: readShare(values, 'report-early'),
      other_bind_share: readShare(values, 'report-other-bind'),
      form: oneOf(values, 'report-form', ['text', 'tlv', 'both', 'unflagged'] as const, reports.form),
      answer_id: oneOf(values, 'answer-id', ID_FORMS, reports.answer_id),
      report_id: oneOf(values, 'report-id', ID_FORMS, reports.report_id),
      stats: weights(values, 'report-stats', reports.stats, null),
    },
  }
}

/** `50` or `20-80`, in milliseconds. */
function range(values: Values, name: keyof Values): Range {
  const [from = '0', to = from] = (values[name] ?? '0').split('-', 2)
  if (!/^\d{1,7}$/.test(from) || !/^\d{1,7}$/.test(to)) {
    throw new OperatorFault(`--${name} must be milliseconds, such as 50 or 20-80.`)
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
      throw new OperatorFault(`--${name} must be a list of weights, such as ${known ? 'RSYSERR:0.01' : 'DELIVRD:9'}.`)
    }
    return [word, Number(weight)] as const
  })
  return Object.fromEntries(entries)
}

function oneOf<Word extends string>(values: Values, name: keyof Values, words: readonly Word[], otherwise: Word): Word {
  const text = values[name] ?? otherwise
  const word = words.find((known) => known === text)
  if (word === undefined) throw new OperatorFault(`--${name} must be one of ${words.join(', ')}.`)
  return word
}

function show({ from, to, text, segments }: ShownText): void {
  process.stdout.write(`${from} → ${to}${segments > 1 ? ` (${segments} parts)` : ''}: ${text}\n`)
}
