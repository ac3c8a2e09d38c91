import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const CHANGES = scale(3, 12)
const CLIENTS = 2
const BINDS = 2
const PASSWORD = 'never-shown'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** Of the configuration file, one that every change is about, and one that takes over its route in between. */
let fixed: Smsc
let changing: Smsc
let other: Smsc
let gangan: Gangan
let key = ''
let env: Record<string, string>
let running = false
/** Everything that commands have printed. */
const printed: string[] = []

async function command(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGangan(args, env)
  printed.push(stdout, stderr)
  expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, ''])
  return stdout
}
async function file(name: string, content: object): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, JSON.stringify(content))
  return path
}

const changed = (window: number) => ({
  ...smppCarrier(changing.port, { window, binds: BINDS, password: PASSWORD }),
  name: 'changing',
})
const live = () => ({
  carriers: [changed(20), { ...smppCarrier(other.port, { binds: BINDS, password: PASSWORD }), name: 'other' }],
  routes: [{ name: 'home', channel: 'sms', prefix: '234', carrier: 'changing' }],
})

beforeAll(async () => {
  folder = await temporaryFolder()
  const options = { latency_ms: [20, 60] as [number, number], reports: { delay_ms: [0, 50] as [number, number] } }
  ;[fixed, changing, other] = await Promise.all([startSmsc(options), startSmsc(options), startSmsc(options)])
  const config = await file('gangan.json', {
    carriers: [{ ...smppCarrier(fixed.port, { binds: BINDS, password: PASSWORD }), name: 'fixed' }],
    routes: [{ name: 'abroad', channel: 'sms', carrier: 'fixed' }],
  })
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: config }
  gangan = await startGangan({ ...env, GANGAN_LOG: 'info' }, ['--processes', '2'])
  key = gangan.key ?? ''
  await until('the binds of the file', () => fixed.bound === BINDS)
})
afterAll(async () => {
  running = false
  await gangan.end('SIGTERM')
  await Promise.all([fixed, changing, other].map((one) => one.stop()))
  await folder.remove()
})

test('a file of carriers and routes is shown, applied within two seconds without a restart, and then changes nothing', async () => {
  const path = await file('live.json', live())
  const preview = await command('apply', path, '--dry-run')
  expect(preview).toMatch(/^\+ carrier changing$/m)
  expect(preview).toContain('Nothing was changed.')
  const before = performance.now()
  expect(await command('apply', path)).toContain('in every process within two seconds')
  await until('the binds of the new carriers', () => changing.bound === BINDS && other.bound === BINDS)
  expect(performance.now() - before).toBeLessThan(5_000)
  expect(await command('apply', path)).toBe('Nothing changes.\n')
  const exported = await command('export', 'config')
  const again = join(folder.path, 'exported.yaml')
  await writeFile(again, exported)
  expect(await command('apply', again)).toBe('Nothing changes.\n')
  const carriers = await command('carriers')
  for (const name of ['fixed', 'changing', 'other']) expect(carriers).toMatch(new RegExp(`^${name} +smpp +up`, 'm'))
})

test('carriers and routes change under load: no request fails, every message arrives once, other carriers keep their binds', async () => {
  const call = caller(gangan.url, key)
  const sent = new Map<string, string>()
  const statuses = new Set<number>()
  const connections = fixed.counts.connections
  let number = 0
  running = true
  const sending = Array.from({ length: CLIENTS }, async () => {
    for (let n = 0; running; n += 1) {
      number += 1
      const recipient = `${n % 2 === 0 ? '2348031' : '233241'}${String(number).padStart(6, '0')}`
      const { status, body } = await call('POST', '/sms/send', { recipients: recipient, content: 'Hello' })
      statuses.add(status)
      sent.set(String(body.id), recipient)
    }
  })
  for (let n = 1; n <= CHANGES; n += 1) {
    const before = sent.size
    await until('messages before the change', () => sent.size > before + 50)
    const former = changing.counts.connections
    await command('carriers', 'update', await file('carrier.json', changed(20 + n)))
    await until('the connections to be reopened', () => {
      return changing.counts.connections >= former + BINDS && changing.bound === BINDS
    })
    const carriers = n % 2 === 0 ? ['changing', 'other'] : ['other', 'changing']
    const route = { name: 'home', channel: 'sms', prefix: '234', carriers, rate_per_s: 1_000 + n }
    await command('routes', 'update', await file('route.json', route))
  }
  running = false
  await Promise.all(sending)
  expect([...statuses]).toEqual([200])
  expect(fixed.counts.connections).toBe(connections)
  for (const id of sent.keys()) {
    const status = await until('the end of a message', async () => {
      const { body } = await call<{ deliveries: { status: string }[] }>('GET', `/sms/${id}`)
      const [delivery] = body.deliveries
      return delivery?.status === 'queued' || delivery?.status === 'sent' ? undefined : delivery?.status
    })
    expect([id, status]).toEqual([id, 'delivered'])
  }
  const received = [fixed, changing, other].reduce((sum, { counts }) => sum + counts.accepted, 0)
  expect(received).toBe(sent.size)
  note({
    promise: 'operators change carriers and routes without a failed request',
    figure: `${2 * CHANGES} changes in 2 processes under load: ${count(sent.size)} messages, all answered with 200 and delivered once; the other carrier kept its binds`,
    goal: 'none failed',
    met: true,
  })
})

test('an invalid change is refused with all errors, and nothing is restarted', async () => {
  const connections = changing.counts.connections
  const path = await file('invalid.json', {
    carriers: [{ ...changed(0), colour: 'red' }],
    routes: [{ name: 'home', channel: 'sms', carrier: 'changing', rate_per_s: -1 }],
  })
  const { code, stderr } = await runGangan(['apply', path], env)
  expect(code).toBe(2)
  for (const place of ['carriers.changing.window', 'unknown key colour', 'routes.home.rate_per_s']) {
    expect(stderr).toContain(place)
  }
  expect(changing.counts.connections).toBe(connections)
})

test('carriers and routes of operators outlive a restart, and secrets are nowhere in outputs and logs', async () => {
  await gangan.end('SIGTERM')
  printed.push(gangan.output())
  gangan = await startGangan(env, ['--processes', '2'])
  await until('the binds', () => [fixed, changing, other].every(({ bound }) => bound === BINDS))
  const call = caller(gangan.url, key)
  const { status, body } = await call('POST', '/sms/send', { recipients: '2348039999999', content: 'Hello' })
  expect(status).toBe(200)
  const delivery = await until('the message to be delivered', async () => {
    const answer = await call<{ deliveries: { status: string; route: string }[] }>('GET', `/sms/${String(body.id)}`)
    return answer.body.deliveries.find((one) => one.status === 'delivered')
  })
  expect(delivery.status).toBe('delivered')
  expect(await command('routes')).toMatch(/^home +sms +234 /m)
  printed.push(await command('carriers', 'show', 'changing', '--json'), gangan.output())
  expect(printed.join('\n')).not.toContain(PASSWORD)
})
