import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const RELOADS = scale(2, 10)
const CLIENTS = 4
const BINDS = 2

let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** The carrier that every reload changes, and one that none does. */
let changing: Smsc
let unchanged: Smsc
let gangan: Gangan
let env: Record<string, string>
let path: string
let running = false

type Wish = { window?: number; price?: number; more?: object }

const settings = ({ window = 20, price = 4, more = {} }: Wish) => ({
  carriers: [
    { ...smppCarrier(changing.port, { window, binds: BINDS }), name: 'changing' },
    { ...smppCarrier(unchanged.port, { binds: BINDS }), name: 'unchanged' },
  ],
  routes: [
    { name: 'home', channel: 'sms', prefix: '234', carrier: 'changing' },
    { name: 'abroad', channel: 'sms', carrier: 'unchanged' },
  ],
  prices: [{ channel: 'sms', prefix: '', price }],
  ...more,
})
const configure = (wish: Wish): Promise<void> => writeFile(path, JSON.stringify(settings(wish)))
const reload = () => runGangan(['reload', '--json'], env)

beforeAll(async () => {
  folder = await temporaryFolder()
  const options = { latency_ms: [20, 60] as [number, number], reports: { delay_ms: [0, 50] as [number, number] } }
  ;[changing, unchanged] = await Promise.all([startSmsc(options), startSmsc(options)])
  path = join(folder.path, 'gangan.json')
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: path }
  await configure({})
  gangan = await startGangan(env, ['--processes', '2'])
  await until('all binds', () => changing.bound === BINDS && unchanged.bound === BINDS)
})
afterAll(async () => {
  running = false
  await gangan.end('SIGTERM')
  await Promise.all([changing.stop(), unchanged.stop()])
  await folder.remove()
})

test('carriers, routes and prices change under load: no request fails, every message arrives, other carriers keep their binds', async () => {
  const call = caller(gangan.url, gangan.key ?? '')
  const ids: string[] = []
  const statuses = new Set<number>()
  running = true
  const sending = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; running; n += 1) {
      const recipients = n % 2 === 0 ? `23480${client}1234567` : `23324${client}123456`
      const { status, body } = await call('POST', '/sms/send', { recipients, content: 'Hello' })
      statuses.add(status)
      ids.push(String(body.id))
    }
  })
  const connections = unchanged.counts.connections
  for (let n = 1; n <= RELOADS; n += 1) {
    const before = ids.length
    await until('messages before the reload', () => ids.length > before + 50)
    await configure({ window: 20 + n, price: 4 + n })
    const { code, stdout, stderr } = await reload()
    expect([code, stderr]).toEqual([0, ''])
    const answers = JSON.parse(stdout) as { applied: string[]; needs_restart: string[] }[]
    expect(answers).toHaveLength(2)
    for (const { applied, needs_restart } of answers) {
      expect(applied).toEqual(['carriers (changing restarted)', 'prices'])
      expect(needs_restart).toEqual([])
    }
    const sent = await call('POST', '/sms/send', { recipients: '233241234567', content: 'Hi' })
    expect(sent).toMatchObject({ status: 200, body: { meta: { estimate: { charge: 4 + n } } } })
    await until('the binds', () => changing.bound === BINDS)
  }
  running = false
  await Promise.all(sending)
  expect([...statuses]).toEqual([200])
  expect(unchanged.counts.connections).toBe(connections)
  const states = new Map<string, number>()
  for (const id of ids) {
    const status = await until('the end of a message', async () => {
      const { body } = await call<{ deliveries: { status: string }[] }>('GET', `/sms/${id}`)
      const [delivery] = body.deliveries
      return delivery?.status === 'queued' || delivery?.status === 'sent' ? undefined : delivery?.status
    })
    states.set(status, (states.get(status) ?? 0) + 1)
  }
  expect([...states.keys()]).toEqual(['delivered'])
  note({
    promise: 'a reload changes carriers, routes and prices without a failed request',
    figure: `${RELOADS} reloads of 2 processes under load: ${count(ids.length)} messages, all answered with 200 and delivered; the other carrier kept its binds`,
    goal: 'none failed',
    met: true,
  })
})

test('an invalid configuration changes nothing, and all its errors are listed', async () => {
  const before = { connections: changing.counts.connections, output: gangan.output().length }
  await configure({ window: 9_999_999, price: -1, more: { colour: 'red' } })
  const { code, stderr } = await reload()
  expect(code).toBe(2)
  for (const place of ['carriers.0', 'prices.0.price', 'unknown key colour']) expect(stderr).toContain(place)
  process.kill(gangan.pid, 'SIGHUP')
  await until('the line of both processes', () => {
    return gangan.output().slice(before.output).split('the configuration has faults; nothing was changed').length === 3
  })
  expect(changing.counts.connections).toBe(before.connections)
  expect(changing.bound).toBe(BINDS)
})

test('what needs a restart is named, and what can change is applied', async () => {
  await configure({ window: 20, price: 8, more: { log_level: 'warn', retention: { otps_days: 30 } } })
  const { code, stdout } = await reload()
  expect(code).toBe(0)
  for (const answer of JSON.parse(stdout) as { needs_restart: string[] }[]) {
    expect(answer.needs_restart).toEqual(['retention'])
  }
  const again = JSON.parse((await reload()).stdout) as { applied: string[]; needs_restart: string[] }[]
  for (const { applied, needs_restart } of again) expect([applied, needs_restart]).toEqual([[], ['retention']])
})

test('without a running service the command says so', async () => {
  const other = await temporaryFolder()
  const { code, stderr } = await runGangan(['reload'], { GANGAN_DATA: other.path })
  expect(code).toBe(3)
  expect(stderr).toContain('There is no Gangan database')
  await other.remove()
})
