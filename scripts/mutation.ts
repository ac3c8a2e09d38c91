import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { groupBy } from '../src/values/group.ts'
import { urlOf } from '../test/support/address.ts'
import { temporaryFolder } from '../test/support/folder.ts'

/**
 * `npm run mutation [group or file…]`: mutates the code and checks whether a test fails. Each group lists the mutated
 * files and their tests; the results go into the table of docs/mutation.md.
 */
type Group = { mutate: string[]; tests: string[] }

const GROUPS: Record<string, Group> = {
  'otp rules': {
    mutate: [
      'src/otp/admission/limits.ts',
      'src/otp/token.ts',
      'src/otp/text.ts',
      'src/otp/read-request.ts',
      'src/otp/record.ts',
    ],
    tests: ['src/otp/*.test.ts'],
  },
  'otp verify': {
    mutate: ['src/otp/verification/verify.ts', 'src/otp/read.ts', 'src/otp/fallback/fail.ts'],
    tests: ['test/flows/otp-life.test.ts'],
  },
  'otp limits': {
    mutate: ['src/otp/admission/admit.ts'],
    tests: ['test/flows/otp-admission.test.ts'],
  },
  'otp request': {
    mutate: ['src/otp/request.ts'],
    tests: ['test/flows/otp-sending.test.ts'],
  },
  callbacks: {
    mutate: [
      'src/callbacks/deliver/retry-schedule.ts',
      'src/callbacks/signing/signature.ts',
      'src/callbacks/post/address-guard.ts',
      'src/callbacks/post/read-response.ts',
      'src/callbacks/deliver/concurrency.ts',

      'src/callbacks/deliver/reserved.ts',
    ],
    tests: ['src/callbacks/**/!(post).test.ts'],
  },
  'callbacks delivered': {
    mutate: ['src/callbacks/enqueue.ts', 'src/callbacks/deliver/deliver.ts'],
    tests: ['src/callbacks/enqueue.test.ts', 'test/flows/callback-tries.test.ts'],
  },
  billing: {
    mutate: ['src/billing/charge.ts', 'src/billing/balance.ts', 'src/billing/answer-slots.ts'],
    tests: ['src/billing/*.test.ts', 'test/flows/charge.test.ts', 'test/flows/account.test.ts'],
  },
  'states of a delivery': {
    mutate: [
      'src/messaging/settle/settle.ts',
      'src/messaging/settle/store.ts',
      'src/messaging/reports/settle-delivered.ts',
    ],
    tests: ['test/flows/settle.test.ts'],
  },
  'segments of a message': {
    mutate: ['src/messaging/reports/segments.ts'],
    tests: ['src/messaging/reports/segments.test.ts'],
  },
  reports: {
    mutate: ['src/messaging/reports/receive-reports.ts'],
    tests: ['test/flows/reports.test.ts'],
  },
  'overdue and canceled': {
    mutate: [
      'src/messaging/settle/overdue.ts',
      'src/messaging/settle/overdue-store.ts',
      'src/messaging/schedule/cancel.ts',
    ],
    tests: ['test/flows/overdue.test.ts', 'test/flows/cancel.test.ts'],
  },
}

const FILE = new URL('../docs/mutation.md', import.meta.url)
const REPORT = '.stryker-tmp.json'

type Report = { files: Record<string, { mutants: { status: string }[] }> }

const wanted = process.argv.slice(2)
const folder = await temporaryFolder()
const server = await startEmbedded({ data_dir: folder.path, settings: { max_connections: '300' } })
try {
  for (const [name, group] of Object.entries(GROUPS)) {
    const all = wanted.length === 0 || wanted.includes(name)
    const mutate = group.mutate.filter((file) => all || wanted.includes(file))
    if (mutate.length > 0) measure(name, { ...group, mutate })
  }
} finally {
  await server.stop()
  await folder.remove()
}

function measure(name: string, { mutate, tests }: Group): void {
  const env = {
    ...process.env,
    GANGAN_MUTATION: tests.join(),
    GANGAN_TEST_DATABASE_URL: urlOf(server.url_options),
  }
  const done = spawnSync('npx', ['stryker', 'run', '--mutate', mutate.join()], { env, stdio: 'inherit' })
  if (done.status !== 0) throw new Error(`Stryker ended with ${done.status} at ${name}`)
  const report: Report = JSON.parse(readFileSync(REPORT, 'utf8'))
  write(table(report))
}

function table({ files }: Report): string[] {
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses: string[]): number => mutants.filter(({ status }) => statuses.includes(status)).length
    const killed = count('Killed', 'Timeout')
    const alive = count('Survived', 'NoCoverage')
    const score = ((100 * killed) / Math.max(1, killed + alive)).toFixed(0)
    return `| ${file} | ${killed + alive} | ${killed} | ${count('Survived')} | ${count('NoCoverage')} | ${score} % |`
  })
}

/** Lines of files that were not measured this time are kept. */
function write(fresh: readonly string[]): void {
  const text = readFileSync(FILE, 'utf8').split('\n')
  const known = text.filter((line) => line.startsWith('| src/'))
  const kept = known.filter((line) => !fresh.some((one) => cellsOf(one)[0] === cellsOf(line)[0]))
  const lines = [...kept, ...fresh].sort()
  const rest = text.filter((line) => !/^\| (src\/|\*\*)/.test(line))
  const at = rest.indexOf('|---|---|---|---|---|---|') + 1
  writeFileSync(FILE, [...rest.slice(0, at), ...lines, ...totals(lines), ...rest.slice(at)].join('\n'))
}

/** One line per module. */
function totals(lines: readonly string[]): string[] {
  const modules = groupBy(lines, (line) => cellsOf(line)[0]?.split('/')[1] ?? '')
  return [...modules].map(([module, own]) => {
    const sum = (column: number): number => own.reduce((all, line) => all + Number(cellsOf(line)[column]), 0)
    const score = ((100 * sum(2)) / Math.max(1, sum(1))).toFixed(0)
    return `| **${module}** | ${[1, 2, 3, 4].map(sum).join(' | ')} | **${score} %** |`
  })
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim())
}
