import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { urlOf } from '../test/support/address.ts'
import { temporaryFolder } from '../test/support/folder.ts'

/**
 * `npm run mutation [group…]`: changes the code in small ways and sees whether a test notices. Each group names the
 * files that are changed and the tests that know them; the figures go into the table of docs/mutation.md.
 */
type Group = { mutate: string[]; tests: string[] }

const GROUPS: Record<string, Group> = {
  'otp rules': {
    mutate: ['src/otp/judge.ts', 'src/otp/token.ts', 'src/otp/text.ts'],
    tests: ['src/otp/judge.test.ts', 'src/otp/token.test.ts', 'src/otp/text.test.ts'],
  },
  'otp verify': {
    mutate: ['src/otp/verify.ts', 'src/otp/record.ts'],
    tests: ['test/http/otp-verify.test.ts', 'test/faults/otp-guessing.test.ts'],
  },
  callbacks: {
    mutate: ['src/callbacks/retry-schedule.ts', 'src/callbacks/signature.ts', 'src/callbacks/address-guard.ts'],
    tests: [
      'src/callbacks/retry-schedule.test.ts',
      'src/callbacks/signature.test.ts',
      'src/callbacks/address-guard.test.ts',
    ],
  },
  billing: {
    mutate: ['src/billing/till.ts', 'src/billing/balance.ts', 'src/billing/answer.ts'],
    tests: ['test/faults/race.test.ts', 'test/flows/ledger.test.ts', 'test/http/sms-send.test.ts'],
  },
  'states of a delivery': {
    mutate: ['src/messaging/settle.ts', 'src/messaging/settle-store.ts'],
    tests: ['test/flows/deliveries.test.ts', 'test/faults/money.test.ts'],
  },
}

const FILE = new URL('../docs/mutation.md', import.meta.url)
const REPORT = '.stryker-tmp.json'

type Report = { files: Record<string, { mutants: { status: string }[] }> }

const wanted = process.argv.slice(2)
const folder = await temporaryFolder()
const server = await startEmbedded({ data_dir: folder.path, settings: { max_connections: '300' } })
const rows: string[] = []
try {
  for (const [name, { mutate, tests }] of Object.entries(GROUPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const env = {
      ...process.env,
      GANGAN_MUTATION: tests.join(),
      GANGAN_TEST_DATABASE_URL: urlOf(server.url_options),
    }
    const done = spawnSync('npx', ['stryker', 'run', '--mutate', mutate.join()], { env, stdio: 'inherit' })
    if (done.status !== 0) throw new Error(`Stryker ended with ${done.status} at ${name}`)
    rows.push(...table(JSON.parse(readFileSync(REPORT, 'utf8')) as Report))
  }
} finally {
  await server.stop()
  await folder.remove()
}
write(rows)

function table({ files }: Report): string[] {
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses: string[]): number => mutants.filter(({ status }) => statuses.includes(status)).length
    const killed = count('Killed', 'Timeout')
    const alive = count('Survived', 'NoCoverage')
    const score = ((100 * killed) / Math.max(1, killed + alive)).toFixed(0)
    return `| ${file} | ${killed + alive} | ${killed} | ${count('Survived')} | ${count('NoCoverage')} | ${score} % |`
  })
}

/** Lines of files that were not measured this time stay. */
function write(fresh: readonly string[]): void {
  const text = readFileSync(FILE, 'utf8')
  const known = text.split('\n').filter((line) => line.startsWith('| src/'))
  const fileOf = (line: string): string => line.split('|')[1]?.trim() ?? ''
  const kept = known.filter((line) => !fresh.some((one) => fileOf(one) === fileOf(line)))
  const lines = [...kept, ...fresh].sort()
  const rest = text.split('\n').filter((line) => !line.startsWith('| src/'))
  const at = rest.indexOf('|---|---|---|---|---|---|') + 1
  writeFileSync(FILE, [...rest.slice(0, at), ...lines, ...rest.slice(at)].join('\n'))
}
