import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PHONE_PATH } from '../src/carriers/phone/tokens.ts'
import { connect } from '../src/db/connect.ts'
import { findRunningEmbedded } from '../src/db/embedded/start.ts'
import { startPhoneEmulator } from '../src/emulators/phone/phone.ts'
import { startSmsc } from '../src/emulators/smsc/smsc.ts'
import { addEvidence } from '../src/evidence/store.ts'
import { hourOf, makeEvidence, type EvidenceRow } from '../src/observe/evidence.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { tokenOf } from '../test/support/phone-api.ts'
import { spawnGangan, startGangan, type Gangan } from '../test/support/process.ts'
import { PEPPER } from '../test/support/secret-seal.ts'
import { smppCarrier } from '../test/support/smpp-carrier.ts'
import { until } from '../test/support/until.ts'

/** Of each carrier: what a message costs, and how many of a hundred are lost on their way. */
const CARRIERS = [
  { name: 'direct', cost: 4, lost: 2 },
  { name: 'regional', cost: 2.8, lost: 5 },
  { name: 'bargain', cost: 1.6, lost: 22 },
] as const
const OPERATORS = [
  ['MTN', 90],
  ['Airtel', 60],
  ['Glo', 40],
  ['9mobile', 20],
] as const
/** The SIMs of the phone that receives probes. */
const NUMBERS = ['2348031234567', '2348021234567']
const PROBES = [
  ['codes-direct', 'direct', 'MTN'],
  ['codes-airtel', 'direct', 'Airtel'],
  ['codes-bargain', 'bargain', 'MTN'],
] as const
const RUNS = 3

export type Live = { gangan: Gangan; end(): Promise<void> }

/** A live installation with three carriers and a phone that receives probes, and a day of evidence. */
export async function startLive(): Promise<Live> {
  const data = await temporaryFolder()
  const smscs = await Promise.all(CARRIERS.map(() => startSmsc()))
  const config = join(data.path, 'live.json')
  await writeFile(config, JSON.stringify(settings(smscs.map(({ port }) => port))))
  const env = { GANGAN_DATA: data.path, GANGAN_CONFIG: config, GANGAN_PEPPER: PEPPER }
  const gangan = await startGangan(env)
  const phone = startPhoneEmulator({
    url: gangan.url + PHONE_PATH,
    token: tokenOf('drawer'),
    name: 'drawer',
    sims: NUMBERS.length,
    send: async function* () {},
  })
  // The handsets of the third carrier receive nothing, although it reports them as delivered.
  for (const smsc of smscs.slice(0, 2)) {
    smsc.handsets.watch(({ to, from, text }) =>
      phone.receive({ from, text, recipient: `+${to}`, sim: 1 + Math.max(0, NUMBERS.indexOf(to)) }),
    )
  }
  const command = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await spawnGangan(args, env)
    if (code !== 0) throw new Error(`gangan ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  await fillEvidence(data.path)
  for (const { name, cost } of CARRIERS) {
    await command('costs', 'create', name)
    await command('costs', 'set', name, '--prefix', '234', '--price', String(cost))
    await command('costs', 'assign', name, name)
  }
  await until('the webhooks of the phone', () => phone.memory.webhooks.length > 0)
  for (const [name, carrier, operator] of PROBES) {
    const text = 'Your code is {{code}}. Do not share it.'
    await command(
      'probes',
      'create',
      name,
      '--carrier',
      carrier,
      '--operator',
      operator,
      '--from',
      'MyBank',
      '--text',
      text,
    )
    await command('probes', 'update', name, '--switch', 'on')
    for (let run = 0; run < RUNS; run += 1) await command('probes', 'run', name)
  }
  return {
    gangan,
    async end() {
      phone.kill()
      await gangan.end('SIGTERM')
      for (const smsc of smscs) await smsc.stop()
      await data.remove()
    },
  }
}

function settings(ports: readonly number[]): object {
  return {
    carriers: [
      ...CARRIERS.map(({ name }, n) => smppCarrier(ports[n] ?? 0, { name })),
      { kind: 'phone', name: 'drawer', probe: true, numbers: NUMBERS.map((number) => ({ number })) },
    ],
    routes: [
      {
        name: 'nigeria',
        channel: 'sms',
        prefix: '234',
        carriers: CARRIERS.map(({ name }) => name),
        choose: 'evidence',
        evidence: { follow_percent: 20 },
      },
    ],
    prices: [{ channel: 'sms', prefix: '', price: 6 }],
  }
}

/** What became of a day's messages: the least expensive carrier loses many, and more of them from hour to hour. */
async function fillEvidence(data_dir: string): Promise<void> {
  const address = await findRunningEmbedded(data_dir)
  if (!address) throw new Error('The database of the service was not found.')
  const db = connect(address, { connections: 1 })
  await addEvidence(db, dayOfEvidence())
  await db.end()
}

function dayOfEvidence(): EvidenceRow[] {
  const evidence = makeEvidence()
  const now = hourOf(Date.now())
  for (let ago = 23; ago > 0; ago -= 1) {
    for (const [nth, { name, cost, lost }] of CARRIERS.entries()) {
      for (const [place, [operator, size]] of OPERATORS.entries()) {
        const worse = nth === 2 ? (24 - ago) / 2 : 0
        const wave = Math.sin(ago / 3 + nth + place) * lost * 0.3
        const failed = Math.round((size * (lost + worse + wave)) / 100)
        const delivered = size - failed
        const verified = Math.round(delivered * (nth === 2 ? 0.62 : 0.84))
        const key = {
          hour: now - ago,
          carrier: name,
          country: 'NG',
          operator,
          channel: 'sms' as const,
          class: 'otp' as const,
        }
        evidence.note(key, {
          submitted: size,
          delivered: nth === 2 ? size - Math.round(failed / 2) : delivered,
          no_report: nth === 2 ? Math.round(failed / 2) : failed,
          cost: Math.round(size * cost * 10_000),
          judged: size,
          good: verified,
          claimed: size,
          proven: verified,
          ...(nth === 0 && { advised: Math.round(size / 3), saved: Math.round(size / 3) * 12_000, gained: 1_000 }),
        })
        for (let n = 0; n < size; n += 1) evidence.noteReport(key, nth === 2 ? 0.4 : 1 + ((n * 7 + ago) % 12))
      }
    }
  }
  return evidence.drain()
}
