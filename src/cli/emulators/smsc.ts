import type { ShownText } from '../../emulators/smsc/handset.ts'
import { startSmsc } from '../../emulators/smsc/smsc.ts'
import { SMSC_DEFAULTS, type Range, type SmscOptions } from '../../emulators/smsc/settings.ts'
import { STATUS } from '../../carriers/codec/status.ts'
import { choice, plainForm, valued, type Command } from '../terminal/command.ts'
import { usageFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/result.ts'
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
  const counts = Object.entries(running.counts)
  process.stdout.write(
    `\n${table(counts, { what: ([name]) => name, count: ([, count]) => count.toLocaleString('en') })}`,
  )
}

const ID_FORMS = ['decimal', 'hex', 'upper_case', 'zero_padded'] as const
const REPORT_FORMS = ['both', 'text', 'tlv', 'unflagged'] as const
const ALPHABETS = ['gsm7', 'gsm7-packed', 'latin1', 'ascii'] as const

const OPTIONS = {
  port: valued('NUMBER', 'port to listen on (2775)'),
  host: valued('ADDRESS', 'address to listen on (127.0.0.1)'),
  'system-id': valued('TEXT', 'the account that may bind (any)'),
  password: valued('TEXT', 'its password'),
  latency: valued('MS', 'latency of answers, such as 50 or 20-80'),
  throughput: valued('NUMBER', 'submits per second; more are throttled'),
  errors: valued('LIST', 'shares of errors, such as RSYSERR:0.01,RMSGQFUL:0.02'),
  cut: valued('SHARE', 'submits whose connection is cut'),
  silent: valued('SHARE', 'submits that are never answered'),
  'report-delay': valued('MS', 'delay of reports'),
  'report-none': valued('SHARE', 'messages without a report'),
  'report-twice': valued('SHARE', 'messages reported twice'),
  'report-early': valued('SHARE', 'messages reported before the answer'),
  'report-other-bind': valued('SHARE', 'messages reported on another bind'),
  'report-form': choice(REPORT_FORMS, 'form of reports (both)'),
  'report-stats': valued('LIST', 'weights of final states, such as DELIVRD:9,UNDELIV:1'),
  'answer-id': choice(ID_FORMS, 'form of message ids in answers'),
  'report-id': choice(ID_FORMS, 'form of message ids in reports'),
  alphabet: choice(ALPHABETS, 'the meaning of data_coding 0 (gsm7)'),
  seed: valued('NUMBER', 'seed of the random generator, to repeat a run'),
}

export const smsc: Command = [
  plainForm('', 'emulate an SMSC, to test without a carrier', OPTIONS, runSmsc, [
    'gangan smsc --latency 20-80 --errors RSYSERR:0.01',
  ]),
]

type Values = OptionValues<keyof typeof OPTIONS>

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
    alphabet: oneOf(values, 'alphabet', ALPHABETS, SMSC_DEFAULTS.alphabet),
    seed: readNumber(values, 'seed', SMSC_DEFAULTS.seed),
    reports: {
      delay_ms: range(values, 'report-delay'),
      none_share: readShare(values, 'report-none'),
      twice_share: readShare(values, 'report-twice'),
      early_share: readShare(values, 'report-early'),
      other_bind_share: readShare(values, 'report-other-bind'),
      form: oneOf(values, 'report-form', REPORT_FORMS, reports.form),
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
    throw usageFault(`--${name} must be milliseconds, such as 50 or 20-80.`)
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
      throw usageFault(`--${name} must be a list of weights, such as ${known ? 'RSYSERR:0.01' : 'DELIVRD:9'}.`)
    }
    return [word, Number(weight)] as const
  })
  return Object.fromEntries(entries)
}

function oneOf<Word extends string>(values: Values, name: keyof Values, words: readonly Word[], otherwise: Word): Word {
  return words.find((known) => known === values[name]) ?? otherwise
}

function show({ from, to, text, segments }: ShownText): void {
  process.stdout.write(`${from} → ${to}${segments > 1 ? ` (${segments} parts)` : ''}: ${text}\n`)
}
