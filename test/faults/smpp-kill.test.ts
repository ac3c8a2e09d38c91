import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const MESSAGES = 400
const KILL_AT = [50, 180]
const WINDOW = 20
const ROUTES = [
  ['one carrier', ['mtn'], smppRoute],
  [
    'two carriers, of which one is chosen for each message',
    ['mtn', 'other'],
    { ...smppRoute, carrier: undefined, carriers: ['mtn', 'other'], choose: 'shares', shares: { mtn: 50, other: 50 } },
  ],
] as const

type Message = { deliveries: { recipient: string; status: string }[] }

describe.each(ROUTES)('over %s', (_over, names, route) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let smscs: Smsc[]
  let gangan: Gangan
  let env: Record<string, string>
  /** The maximum of messages in flight of a process: see the carriers. */
  const in_flight = names.length * WINDOW

  beforeAll(async () => {
    folder = await temporaryFolder()
    smscs = await Promise.all(names.map(() => startSmsc({ latency_ms: [50, 150], reports: { delay_ms: [0, 100] } })))
    const path = join(folder.path, 'gangan.json')
    const carriers = names.map((name, n) => smppCarrier(smscs[n]!.port, { name, window: WINDOW }))
    await writeFile(path, JSON.stringify({ carriers, routes: [route] }))
    env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: path }
    gangan = await startGangan(env)
  })
  afterAll(async () => {
    await gangan.end('SIGTERM')
    await Promise.all(smscs.map((smsc) => smsc.stop()))
    await folder.remove()
  })

  /**
   * Messages in flight of a killed process are `unknown`: possibly sent, never sent again, settled by a matching report.
   */
  test('a process killed in the middle of a window sends nothing twice and loses nothing', async () => {
    const key = gangan.key ?? ''
    const recipients = Array.from({ length: MESSAGES }, (_, n) => `234803${String(n).padStart(7, '0')}`)
    const sent = await caller(gangan.url, key)<{ id: string }>('POST', '/sms/send', {
      recipients: recipients.join(','),
      content: 'Hello',
    })
    expect(sent.status).toBe(200)
    const accepted = () => smscs.reduce((sum, { counts }) => sum + counts.accepted, 0)
    for (const at of KILL_AT) {
      await until(`${at} messages at the message centre`, () => accepted() >= at, 60_000)
      await gangan.end('SIGKILL')
      gangan = await startGangan(env)
    }
    const deliveries = await until(
      'every message to end',
      async () => {
        const { body } = await caller(gangan.url, key)<Message>('GET', `/sms/${sent.body.id}`)
        const open = body.deliveries.some(({ status }) => status === 'queued' || status === 'sent')
        return open ? undefined : body.deliveries
      },
      90_000,
    )
    const arrived = smscs.flatMap((smsc) => smsc.handsets.shown.map(({ to }) => to))
    expect(new Set(arrived).size).toBe(arrived.length)
    const of = (wanted: string): string[] =>
      deliveries.filter(({ status }) => status === wanted).map(({ recipient }) => recipient)
    expect(of('delivered').length + of('unknown').length).toBe(MESSAGES)
    expect(of('delivered').filter((recipient) => !arrived.includes(recipient))).toEqual([])
    expect(of('unknown').length).toBeGreaterThan(0)
    expect(of('unknown').length).toBeLessThanOrEqual(KILL_AT.length * in_flight)
    const lost = recipients.filter((recipient) => !arrived.includes(recipient) && !of('unknown').includes(recipient))
    expect(lost).toEqual([])
    expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: env.GANGAN_DATA ?? '' })).toMatchObject({ code: 0 })
    const seen = await runGangan(['carriers'], env)
    expect(seen.stdout).toMatch(/mtn +1 +bound/)
    expect((await runGangan(['carriers', 'pdus', 'mtn', '1'], env)).stdout).toContain('submit_sm_resp')
  }, 240_000)
})
