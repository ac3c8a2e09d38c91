import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAirtime } from './airtime.ts'
import { benchBackup } from './backup.ts'
import { buildsOf, type Builds } from './builds.ts'
import { benchCampaigns } from './campaigns.ts'
import { benchCitus } from './citus.ts'
import { benchClicks } from './clicks.ts'
import { benchContactSheet } from './contact-sheet.ts'
import { benchContacts } from './contacts.ts'
import { benchConversions } from './conversions.ts'
import { benchChoice, benchCosts } from './costs.ts'
import { benchEvidence } from './evidence.ts'
import { putPart } from './figures.ts'
import { benchGrowth } from './growth.ts'
import { benchHttpVendor } from './http-vendor.ts'
import { benchIdle } from './idle.ts'
import { benchLookup } from './lookup.ts'
import { benchOrganisations } from './organisations.ts'
import { benchOtp } from './otp.ts'
import { benchPrices } from './prices.ts'
import { benchSends, type Figure } from './sends.ts'
import { benchSmpp } from './smpp.ts'
import { benchSmppCodec } from './smpp-codec.ts'
import { benchSmppServer } from './smpp-server.ts'
import { benchVersus } from './versus.ts'

const HELP = `npm run bench -- [PART…] [options]

Measures and prints; without a PART all of them, and writes the figures to docs/benchmarks.md. Figures of one run can be
compared with each other, not with those of another run: the machine differs.

  --write             also writes the parts that were named, each with the machine it ran on
  --against FOLDER    costs, organisations, airtime and otp: compares this checkout with another one, built in FOLDER. Both run at the
                      same time and are measured in interleaved rounds; printed are the medians, other → this. On a busy
                      machine compare processor time, not throughput
  --rounds N          rounds of such a comparison, 4 unless given

Environment: BENCH_SECONDS duration of a measurement (6), BENCH_COSTS messages of costs (20,000), BENCH_WARM_UP messages
before costs and organisations (20,000), BENCH_NODE options for Node.
`

const PARTS: Record<string, (builds: Builds) => Promise<Figure[]>> = {
  versus: benchVersus,
  costs: benchCosts,
  idle: benchIdle,
  growth: benchGrowth,
  sends: benchSends,
  organisations: benchOrganisations,
  clicks: benchClicks,
  otp: benchOtp,
  airtime: benchAirtime,
  lookup: benchLookup,
  contacts: benchContacts,
  'contact-sheet': benchContactSheet,
  conversions: benchConversions,
  campaigns: benchCampaigns,
  prices: benchPrices,
  backup: benchBackup,
  smpp: benchSmpp,
  'smpp-codec': benchSmppCodec,
  'smpp-server': benchSmppServer,
  'http-vendor': benchHttpVendor,
  citus: benchCitus,
  evidence: benchEvidence,
  choice: () => benchChoice({ rounds: Math.max(2, Number(options.rounds)) }),
}

const COMPARABLE = ['costs', 'organisations', 'airtime', 'otp']
const DOCUMENT = new URL('../docs/benchmarks.md', import.meta.url)

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    against: { type: 'string' },
    rounds: { type: 'string', default: '4' },
  },
})
if (options.help) {
  process.stdout.write(`${HELP}\nParts: ${Object.keys(PARTS).join(', ')}\n`)
  process.exit(0)
}
const unknown = wanted.filter((part) => !PARTS[part])
if (unknown.length > 0) refuse(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`)
if (
  options.against !== undefined &&
  (options.write || !wanted.length || wanted.some((part) => !COMPARABLE.includes(part)))
) {
  refuse(`Only ${COMPARABLE.join(', ')} can be compared with another build, and a comparison is not written down.`)
}
const builds = buildsOf(options.against, Number(options.rounds))

const report = [machine(), '']
process.stdout.write(`${machine()}\n`)
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  report.push(`## ${name}`, '', '| what | figure |', '|---|---|')
  for (const { name: what, figure } of await measure(builds)) {
    process.stdout.write(`  ${what.padEnd(52)} ${figure}\n`)
    report.push(`| ${what.startsWith(' ') ? `&emsp;${what.trim()}` : what} | ${figure} |`)
  }
  report.push('')
}
if (wanted.length === 0) {
  const head =
    '# Benchmarks\n\nWritten by `npm run bench`. What the figures taught is in [performance.md](performance.md).\n'
  writeFileSync(DOCUMENT, `${head}\n${report.join('\n')}`)
} else if (options.write) {
  const parts = report.join('\n').split(/^(?=## )/m)
  const where = `Run separately: ${machine()}`
  writeFileSync(
    DOCUMENT,
    parts.slice(1).reduce((text, part) => putPart(text, part, where), readFileSync(DOCUMENT, 'utf8')),
  )
}

function machine(): string {
  const gib = Math.round(totalmem() / 2 ** 30)
  const load_average = execFileSync('uptime', { encoding: 'utf8' })
    .replace(/.*load average/s, 'load average')
    .trim()
  return (
    `Node ${process.version}, ${process.arch}, ${cpus().length} cores (${cpus()[0]?.model ?? '?'}), ${gib} GiB, ` +
    `Linux ${release()}; ${load_average} at the start.`
  )
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
