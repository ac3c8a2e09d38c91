import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { benchAirtime } from './airtime.ts'
import { benchBackup } from './backup.ts'
import { benchCampaigns } from './campaigns.ts'
import { benchCitus } from './citus.ts'
import { benchClicks } from './clicks.ts'
import { benchContactSheet } from './contact-sheet.ts'
import { benchContacts } from './contacts.ts'
import { benchCosts } from './costs.ts'
import { putPart } from './figures.ts'
import { benchGrowth } from './growth.ts'
import { benchHttpVendor } from './http-vendor.ts'
import { benchLookup } from './lookup.ts'
import { benchOrganisations } from './organisations.ts'
import { benchOtp } from './otp.ts'
import { benchSends, type Figure } from './sends.ts'
import { benchSmpp } from './smpp.ts'
import { benchSmppCodec } from './smpp-codec.ts'
import { benchSmppServer } from './smpp-server.ts'
import { benchVersus } from './versus.ts'

/**
 * `npm run bench [part…]`: measures and prints; a run of all parts is written down in docs/benchmarks.md, and with `--write`
 * (`npm run bench -- smpp --write`) so are those that were asked for, each with the machine it ran on. Figures of one run
 * can be compared with each other, not with others'.
 */
const PARTS: Record<string, () => Promise<Figure[]>> = {
  versus: benchVersus,
  costs: benchCosts,
  growth: benchGrowth,
  sends: benchSends,
  organisations: benchOrganisations,
  clicks: benchClicks,
  otp: benchOtp,
  airtime: benchAirtime,
  lookup: benchLookup,
  contacts: benchContacts,
  'contact-sheet': benchContactSheet,
  campaigns: benchCampaigns,
  backup: benchBackup,
  smpp: benchSmpp,
  'smpp-codec': benchSmppCodec,
  'smpp-server': benchSmppServer,
  'http-vendor': benchHttpVendor,
  citus: benchCitus,
}

const wanted = process.argv.slice(2).filter((part) => part !== '--write')
const DOCUMENT = new URL('../docs/benchmarks.md', import.meta.url)
const unknown = wanted.filter((part) => !PARTS[part])
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.\n`)
  process.exit(1)
}

const report = [machine(), '']
process.stdout.write(`${machine()}\n`)
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  report.push(`## ${name}`, '', '| what | figure |', '|---|---|')
  for (const { name: what, figure } of await measure()) {
    process.stdout.write(`  ${what.padEnd(52)} ${figure}\n`)
    report.push(`| ${what.startsWith(' ') ? `&emsp;${what.trim()}` : what} | ${figure} |`)
  }
  report.push('')
}
if (wanted.length === 0) {
  const head =
    '# Benchmarks\n\nWritten by `npm run bench`. What the figures taught is in [performance.md](performance.md).\n'
  writeFileSync(DOCUMENT, `${head}\n${report.join('\n')}`)
} else if (process.argv.includes('--write')) {
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
