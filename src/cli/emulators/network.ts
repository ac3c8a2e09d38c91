import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import {
  makeNetworkReport,
  type BestCarrier,
  type NetworkReport,
  type ReportRow,
} from '../../emulators/network/report.ts'
import { readDuration } from '../../emulators/network/scenario/duration.ts'
import { readScenario, ScenarioFault } from '../../emulators/network/scenario/read.ts'
import type { Scenario } from '../../emulators/network/scenario/schema.ts'
import { startNetwork, type Network } from '../../emulators/network/start.ts'
import { packageFile } from '../../values/package-files.ts'
import { form, integer, plainForm, valued, type Command } from '../terminal/command.ts'
import { unusableFile, usageFault } from '../terminal/operator-fault.ts'
import { done, table, type Result } from '../terminal/result.ts'
import { explainListenFault, readNumber, type OptionValues } from './shared.ts'
import { statusLine } from './status-line.ts'

const OPTIONS = {
  host: valued('ADDRESS', 'address to listen on (127.0.0.1)'),
  for: valued('DURATION', 'real time after which it stops, such as 90s or 10m; without it, SIGINT or SIGTERM stops it'),
  seed: integer(0, 4_294_967_295, 'seed in place of that of the scenario', 'NUMBER'),
  acceleration: valued('NUMBER', 'simulated seconds per second, in place of those of the scenario'),
  url: valued('URL', 'the service in which people verify OTPs (http://127.0.0.1:8080)'),
  key: valued('KEY', 'its API key; without it, GANGAN_API_KEY, or else people verify none'),
}
type Values = OptionValues<keyof typeof OPTIONS>

export const network: Command = [
  plainForm('example', 'print a scenario to begin with, which explains every key', {}, printExample, [
    'gangan network example > scenario.yaml',
  ]),
  form('FILE', 'simulate mobile networks: carriers, operators and people, as a scenario describes them', OPTIONS, run, [
    'gangan network scenario.yaml',
    'gangan network scenario.yaml --for 5m --json > report.json',
  ]),
  form('check FILE', 'check a scenario; starts nothing', {}, (_, file = '') => check(file), [
    'gangan network check scenario.yaml',
  ]),
  plainForm(
    'configuration FILE',
    'print a configuration of Gangan whose carriers are those of a scenario',
    { host: valued('ADDRESS', 'address at which Gangan reaches the simulator (127.0.0.1)') },
    ({ host }, file = '') => printConfiguration(file, host),
    ['gangan network configuration scenario.yaml > gangan.yaml'],
  ),
]

/** Runs a scenario to its end and returns the report. Everything else goes to standard error. */
async function run(values: Values, file = ''): Promise<Result> {
  const scenario = withOptions(readFile(file), values)
  const for_ms = readFor(values)
  const otp_service = readOtpService(values)
  const status = statusLine(process.stderr)
  const running = await startNetwork(scenario, {
    host: values.host ?? '127.0.0.1',
    otp_service,
    onNote: (sentence) => status.note(sentence),
  }).catch(explainListenFault)
  for (const sentence of greeting(running, scenario, otp_service !== null)) status.note(sentence)
  const ticker = setInterval(() => status.show(statusOf(running)), STATUS_EVERY_MS)
  await stopped(for_ms)
  clearInterval(ticker)
  status.end(statusOf(running))
  const report = makeNetworkReport(running, scenario.seed)
  await running.stop()
  return { data: report, text: reportText(report) }
}

const STATUS_EVERY_MS = 1_000

async function printExample(): Promise<void> {
  process.stdout.write(readFileSync(packageFile('network.example.yaml'), 'utf8'))
}

async function check(file: string): Promise<Result> {
  const { carriers, operators, seed } = readFile(file)
  const counts = { carriers: carriers.length, operators: operators.length, seed }
  const said = `${counted(counts.carriers, 'carrier')}, ${counted(counts.operators, 'operator')}, seed ${seed}`
  return done(`${file} is valid: ${said}.`, counts)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

async function printConfiguration(file: string, host = '127.0.0.1'): Promise<void> {
  const { carriers } = readFile(file)
  const configured = carriers.map(({ name, port, system_id, password }) => {
    return { kind: 'smpp', name, host, port, system_id, password }
  })
  const routes = [{ name: 'sms', channel: 'sms', carriers: carriers.map(({ name }) => name) }]
  process.stdout.write(stringify({ carriers: configured, routes }))
}

function readFile(path: string): Scenario {
  try {
    return readScenario(path)
  } catch (fault) {
    if (fault instanceof ScenarioFault) throw usageFault(`${path}: ${fault.message}`)
    throw unusableFile(path, fault)
  }
}

function withOptions(scenario: Scenario, values: Values): Scenario {
  const acceleration = readNumber(values, 'acceleration', scenario.acceleration)
  if (acceleration <= 0 || acceleration > 100_000) throw usageFault('--acceleration must be above 0, at most 100000.')
  return { ...scenario, acceleration, seed: Number(values.seed ?? scenario.seed) }
}

function readFor({ for: text }: Values): number | undefined {
  if (text === undefined) return undefined
  const for_ms = readDuration(text)
  if (for_ms === undefined || for_ms > MAX_FOR_MS)
    throw usageFault('--for must be a duration of up to 24 days, such as 90s.')
  return for_ms
}

/** The longest delay of a timer of Node is a little more. */
const MAX_FOR_MS = 24 * 86_400_000

function readOtpService({ url = 'http://127.0.0.1:8080', key = process.env.GANGAN_API_KEY }: Values) {
  if (!URL.canParse(url)) throw usageFault(`--url must be a URL, not ${url}.`)
  return key ? { url, key } : null
}

function greeting({ ports, model }: Network, { people, seed, acceleration }: Scenario, has_key: boolean): string[] {
  const lines = ports.map((port, n) => `${model.carriers[n]?.name}: SMPP port ${port.port}`)
  return [
    ...lines,
    `Network simulator started, seed ${seed}, ${acceleration} simulated seconds per second. Control-C ends it with a report.`,
    ...(people.otp && !has_key ? ['People verify no OTPs: there is no API key (--key or GANGAN_API_KEY).'] : []),
  ]
}

async function stopped(for_ms: number | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    if (for_ms !== undefined) timer = setTimeout(resolve, for_ms)
  })
  clearTimeout(timer)
}

function statusOf({ counts, ports, now }: Network): string {
  const all = counts.all().map((row) => row.counts)
  const sum = (key: Summed) => all.reduce((total, one) => total + one[key], 0)
  const said = SUMMED.map((key) => `${sum(key).toLocaleString('en')} ${key.replace('otps_', 'OTPs ')}`)
  const binds = ports.reduce((total, port) => total + port.bound, 0)
  return `${elapsed(now())}  ${said.join(', ')}; ${counted(binds, 'bind')}`
}

const SUMMED = ['submitted', 'accepted', 'delivered', 'faked', 'lost', 'pending', 'receipts', 'otps_verified'] as const
type Summed = (typeof SUMMED)[number]

function elapsed(time_ms: number): string {
  const s = Math.floor(time_ms / 1_000)
  return [Math.floor(s / 3_600), Math.floor(s / 60) % 60, s % 60].map((n) => String(n).padStart(2, '0')).join(':')
}

function reportText({ carriers, best, simulated_s, seed }: NetworkReport): string {
  const rejected = rejections(carriers)
  const counts = table(carriers, {
    carrier: ({ carrier }) => carrier,
    operator: ({ operator }) => operator || 'none',
    submitted: ({ submitted }) => submitted,
    rejected: (row) => Object.values(row.rejected).reduce((sum, count) => sum + count, 0),
    unanswered: ({ unanswered }) => unanswered,
    delivered: ({ delivered }) => delivered,
    faked: ({ faked }) => faked,
    lost: ({ lost }) => lost,
    undelivered: ({ undelivered }) => undelivered,
    expired: ({ expired }) => expired,
    pending: ({ pending }) => pending,
    receipts: ({ receipts }) => receipts,
    acknowledged: (row) => row.receipts_acknowledged,
    'OTPs verified': (row) => row.otps_verified,
    cost: ({ cost }) => cost,
  })
  const by_operator = table(best, {
    operator: ({ operator }) => operator,
    'best carrier': ({ carrier }: BestCarrier) => carrier,
    'expected to be delivered': (row) => `${(row.delivered_share * 100).toFixed(1)} %`,
    'cost per message': (row) => row.cost_per_message,
  })
  const causes = rejected.length === 0 ? '' : `\n${table(rejected, REJECTED_COLUMNS)}`
  return `${elapsed(simulated_s * 1_000)} of simulated time, seed ${seed}\n\n${counts}${causes}\n${by_operator}`
}

type Rejection = { carrier: string; operator: string; status: string; count: number }

const REJECTED_COLUMNS = {
  carrier: ({ carrier }: Rejection) => carrier,
  operator: ({ operator }: Rejection) => operator || 'none',
  'rejected with': ({ status }: Rejection) => status,
  count: ({ count }: Rejection) => count,
}

function rejections(rows: readonly ReportRow[]): Rejection[] {
  return rows.flatMap(({ carrier, operator, rejected }) =>
    Object.entries(rejected).map(([status, count]) => ({ carrier, operator, status, count })),
  )
}
