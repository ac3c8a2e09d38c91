import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { PhoneMessage } from '../../src/emulators/phone/memory.ts'
import type { Fate } from '../../src/emulators/phone/phone.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { phoneCarrier, PHONE_ROUTE, startPhone, type Aired } from '../support/phone.ts'
import { startGangan } from '../support/process.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const MESSAGES = scale(15, 60)
const KILLS = scale(1, 4)

test('the service is killed repeatedly while phones send: nothing is sent twice, nothing is lost', async () => {
  const database = await freshDatabase()
  const folder = await temporaryFolder()
  const GANGAN_CONFIG = join(folder.path, 'gangan.json')
  const carriers = [phoneCarrier({ take_within_s: 5, answer_within_s: 30, in_flight_per_sim: 4 })]
  await writeFile(GANGAN_CONFIG, JSON.stringify({ carriers, routes: PHONE_ROUTE }))
  const env = { DATABASE_URL: database.url, GANGAN_CONFIG, GANGAN_PEPPER: PEPPER }
  const aired: Aired[] = []
  async function* sends(message: PhoneMessage): Fate {
    await delay(20)
    aired.push({ ...message, phone: 'one' })
    yield 'Processed'
    await delay(50)
    yield 'Sent'
    await delay(50)
    yield 'Delivered'
  }

  let running = await startGangan(env)
  const PORT = new URL(running.url).port
  const phones = ['one', 'two'].map((name) => startPhone(running, name, aired, { sims: 2, send: sends }))
  const call = caller(running.url, running.key ?? '')
  for (let n = 0; n < MESSAGES; n += 1) {
    const body = { recipients: String(2_348_031_000_000 + n), content: 'Hello', sender_id: 'Gangan' }
    expect((await call('POST', '/sms/send', body)).status).toBe(200)
  }
  const delivered = async (): Promise<number> =>
    (await database.db`select 1 from deliveries where status = 'delivered'`).length
  for (let kill = 0; kill < KILLS; kill += 1) {
    const wanted = Math.min(MESSAGES - 1, aired.length + 5)
    await until('some more to be sent', () => aired.length >= wanted, 40_000)
    await running.end('SIGKILL')
    running = await startGangan({ ...env, PORT })
  }
  await until('all to be delivered', async () => (await delivered()) === MESSAGES, 90_000)
  expect(aired).toHaveLength(MESSAGES)
  expect(new Set(aired.map(({ to }) => to)).size).toBe(MESSAGES)
  expect(await auditMoney(database.db)).toEqual([])
  note({
    promise: 'nothing accepted is lost or sent twice: killed while phones send',
    figure: `${KILLS} kills, ${count(MESSAGES)} messages over two phones with two SIM cards each: each sent once and delivered; balance exact`,
    goal: 'each once',
    met: true,
  })
  for (const phone of phones) phone.kill()
  await running.end('SIGTERM')
  await folder.remove()
  await database.drop()
}, 240_000)
