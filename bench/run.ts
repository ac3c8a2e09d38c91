import { cpus } from 'node:os'
import { benchAirtime } from './airtime.ts'
import { benchClicks } from './clicks.ts'
import { benchContacts } from './contacts.ts'
import { benchLookup } from './lookup.ts'
import { benchOtp } from './otp.ts'
import { benchSends, type Figure } from './sends.ts'

/** `npm run bench [part…]`: measures and prints. Figures of one run can be compared with each other, not with others'. */
const PARTS: Record<string, () => Promise<Figure[]>> = {
  sends: benchSends,
  clicks: benchClicks,
  otp: benchOtp,
  airtime: benchAirtime,
  lookup: benchLookup,
  contacts: benchContacts,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((part) => !PARTS[part])
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.\n`)
  process.exit(1)
}
process.stdout.write(`Node ${process.version}, ${process.arch}, ${cpus().length} cores (${cpus()[0]?.model ?? '?'})\n`)
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  for (const { name: what, figure } of await measure()) process.stdout.write(`  ${what.padEnd(52)} ${figure}\n`)
}
