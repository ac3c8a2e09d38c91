import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditAll } from '../../src/cli/organisations/balance.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A number of the simulator that is never reported on. */
const UNREPORTED = '2348000000005'
const OTPS = 30
const MESSAGES = 4

test('killed again and again while further messages of OTPs are sent, each goes through each carrier once', async () => {
  const database = await freshDatabase()
  const folder = await temporaryFolder()
  const GANGAN_CONFIG = join(folder.path, 'gangan.json')
  const names = Array.from({ length: MESSAGES }, (_, n) => `net${n}`)
  const carriers = names.map((name) => ({ kind: 'simulator', name, report_delay_ms: 20 }))
  const routes = [{ name: 'sms', channel: 'sms', carriers: names }]
  const otp = { limits: { prefix_per_hour: 1_000 }, guard: { slow_from: 1_000, block_from: 1_000 } }
  await writeFile(GANGAN_CONFIG, JSON.stringify({ carriers, routes, otp }))
  const env = { DATABASE_URL: database.url, GANGAN_CONFIG }
  const { db } = database
  const count = async (): Promise<number> => (await db`select from messages`).length
  const stored = async (): Promise<number> => (await db`select from otps`).length
  // Waits for no lock: the service may hold them in another order.
  const passTime = async (): Promise<void> => {
    await db`
      update deliveries set sent_datetime = now() - interval '1 minute'
      where (message_id, recipient) in (
        select message_id, recipient from deliveries where status = 'sent' for update skip locked
      )`
    await db`
      update jobs set run_at = now()
      where id in (select id from jobs where queue = 'otp-fallback' and not leased for update skip locked)`
  }

  let gangan = await startGangan(env)
  const call = caller(gangan.url, gangan.key ?? '')
  await call('PATCH', '/otp/settings', { resend_after_s: 5, resend_times: MESSAGES - 1 })
  for (let n = 0; n < OTPS; n += 1) {
    const { status } = await call('POST', '/otp/request_token', { recipient: UNREPORTED })
    expect(status).toBe(200)
  }
  expect(await stored()).toBe(OTPS)
  for (const kill_at of [OTPS + 5, 2 * OTPS + 10, 3 * OTPS + 15]) {
    await until(`${kill_at} messages`, async () => {
      await passTime()
      return (await count()) >= kill_at
    })
    await gangan.end('SIGKILL')
    // As if their leases had expired.
    await db`update jobs set leased_until = now() - interval '1 second' where leased`
    gangan = await startGangan(env)
  }
  await until('all messages and the end of the jobs', async () => {
    await passTime()
    return (await db`select from jobs where queue = 'otp-fallback'`).length === 0
  })
  // On a slow machine the first ones are overdue by now.
  await until(
    'all to be submitted',
    async () => (await db`select from deliveries where status in ('sent', 'unknown')`).length === OTPS * MESSAGES,
  )
  await gangan.end('SIGTERM')

  const ways = await db<{ carriers: string[] }[]>`
    select array_agg(carrier order by carrier) as carriers
    from otps join deliveries on message_id = any (array[otps.id, fallback_message_id] || resent_message_ids)
    group by otps.id`
  expect(ways.map((way) => way.carriers)).toEqual(Array.from({ length: OTPS }, () => names))
  expect(await count()).toBe(OTPS * MESSAGES)
  expect(await auditAll(db)).toEqual([])
  await folder.remove()
  await database.drop()
}, 120_000)
