import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import { temporaryFolder } from '../support/folder.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const MESSAGES = scale(120, 600)
const KILL_AT = scale([40], [40, 250])
/** Requests in flight, and recipients in each: together the maximum that a kill may leave unknown. */
const IN_FLIGHT: Record<string, { connections: number; batch: number }> = {
  termii: { connections: 1, batch: 100 },
  twilio: { connections: 10, batch: 1 },
  smsgate: { connections: 10, batch: 1 },
}

type Message = { deliveries: { recipient: string; status: string }[] }

/**
 * One vendor that ignores repeated requests without a reference, one that returns our reference, and one that
 * identifies a message by our id: messages in flight of a killed process are `unknown` until the report arrives, or are
 * sent again to the last one.
 */
describe.each(scale(['smsgate'], ['termii', 'twilio', 'smsgate']))('killed while submitting to %s', (preset) => {
  const { connections = 0, batch = 0 } = IN_FLIGHT[preset] ?? {}
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let vendor: VendorEmulator
  let gangan: Gangan
  let env: Record<string, string>

  beforeAll(async () => {
    folder = await temporaryFolder()
    vendor = await startVendor(preset, () => ({ made: 'taken', ends: ['delivered'], delay_ms: 50 }))
    const path = join(folder.path, 'gangan.json')
    const carrier = { ...vendor.settings('vendor'), connections }
    const settings = { public_url: 'https://gangan.example', carriers: [carrier], routes: [routeTo('vendor')] }
    await writeFile(path, JSON.stringify(settings))
    env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: path }
    gangan = await startGangan(env)
  })
  afterAll(async () => {
    await gangan.end('SIGTERM')
    await vendor.close()
    await folder.remove()
  })

  test('a process sends nothing twice and loses nothing', async () => {
    const key = gangan.key ?? ''
    const tellVendor = () => {
      vendor.reports_to = { url: gangan.url, carrier: 'vendor', public_url: 'https://gangan.example' }
    }
    tellVendor()
    const recipients = Array.from({ length: MESSAGES }, (_, n) => `234803${String(n).padStart(7, '0')}`)
    const body = { recipients: recipients.join(','), content: 'Hello' }
    const sent = await caller(gangan.url, key)<{ id: string }>('POST', '/sms/send', body)
    expect(sent.status).toBe(200)
    for (const at of KILL_AT) {
      await until(`${at} messages at the vendor`, () => vendor.taken.length >= at, 60_000)
      await gangan.end('SIGKILL')
      gangan = await startGangan(env)
      tellVendor()
    }
    const read = async () => (await caller(gangan.url, key)<Message>('GET', `/sms/${sent.body.id}`)).body.deliveries
    await until(
      'every message to be with the vendor, or unknown',
      async () => (await read()).every(({ status }) => status !== 'queued'),
      90_000,
    )
    await vendor.quiet()
    // Reports posted while no process was running are posted again, as every vendor does.
    for (const recipient of new Set(vendor.taken.map(({ to }) => to))) await vendor.report(recipient, 'delivered')
    const deliveries = await until(
      'every report to be accepted',
      async () => {
        const all = await read()
        return all.every(({ status }) => status === 'delivered' || status === 'unknown') ? all : undefined
      },
      90_000,
    )

    const arrived = vendor.taken.map(({ to }) => to)
    expect(new Set(arrived).size).toBe(arrived.length)
    const unknown = deliveries.filter(({ status }) => status === 'unknown').map(({ recipient }) => recipient)
    expect(unknown.length).toBeLessThanOrEqual(KILL_AT.length * connections * batch)
    expect(arrived.length).toBeGreaterThanOrEqual(preset === 'smsgate' ? MESSAGES : MESSAGES - unknown.length)
    // Messages that the vendor knows by our reference are unknown only if it never received them.
    const known_and_open = preset === 'termii' ? [] : unknown.filter((recipient) => arrived.includes(recipient))
    expect(known_and_open).toEqual([])
    expect(recipients.filter((one) => !arrived.includes(one) && !unknown.includes(one))).toEqual([])
    expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: env.GANGAN_DATA ?? '' })).toMatchObject({ code: 0 })
    note({
      promise: `nothing accepted is lost or sent twice: killed while submitting to an HTTP vendor (${preset})`,
      figure: `${KILL_AT.length} kills, ${count(MESSAGES)} messages: ${count(arrived.length)} at the vendor, each once; ${unknown.length} left open (${connections} connections, ${batch} recipients a request); balance exact`,
      goal: 'none twice, open at most what was in flight',
      met: true,
    })
  }, 300_000)
})
