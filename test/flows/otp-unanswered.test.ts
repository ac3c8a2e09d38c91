import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { startRoute } from '../../src/messaging/dispatch/route.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeFailOtps } from '../../src/otp/fallback/fail.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { loseAll } from '../support/intake.ts'
import { balance, letTimePass, request, verify, type Otp } from '../support/otp.ts'
import { makeTestCarrier, type TestCarrier } from '../support/route.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSettler } from '../support/settling.ts'
import { until } from '../support/until.ts'

/** An OTP that a carrier may have sent is never marked as undeliverable: its recipient can verify it. */

const UNANSWERED: SubmitOutcome = { kind: 'unknown', description: 'the line was cut' }
const BUSY: SubmitOutcome = { kind: 'temporary', code: '14', description: 'queue full', retry_after_s: 0 }
const REFUSED: SubmitOutcome = { kind: 'rejected', code: '00a', description: 'sender restricted' }
const ELSEWHERE: SubmitOutcome = { ...REFUSED, elsewhere: true }

let service: TestService
let stop: () => Promise<void> = async () => {}

beforeEach(async () => {
  service = await openService({ workers: false, credit: 100 })
})
afterEach(async () => {
  await stop()
  await service.close()
})

async function start(carriers: readonly TestCarrier[]): Promise<void> {
  const wakeups = await makeWakeups(service.db)
  const { deps } = makeSettler(service.db, { wakeups, onChanged: makeFailOtps(makeMeters()) })
  const seal = makeSeal(pepperKeys(service.config.pepper ?? '').seal_key)
  const log = { info() {}, warn() {}, error() {} }
  const route = startRoute({ ...deps, log, seal }, { name: 'sms', carriers })
  stop = async () => {
    await route.stop()
    await wakeups.close()
    stop = async () => {}
  }
}

/** Responds to each attempt with the next of these. */
function carrierThat(name: string, ...answers: SubmitOutcome[]): TestCarrier {
  const carrier = makeTestCarrier({ name })
  carrier.answer = () => answers.shift() ?? { kind: 'held', retry_after_s: 3_600 }
  return carrier
}

async function ended(id: string) {
  return until('the end', async () => {
    type Message = { deliveries: { status: string; refunded: boolean }[] }
    const [delivery] = (await service.call<Message>('GET', `/sms/${id}`)).body.deliveries
    return delivery?.status !== 'queued' && delivery
  })
}

test.each([
  ['refused', [carrierThat('one', UNANSWERED, REFUSED)]],
  ['refused, and was not taken before', [carrierThat('one', BUSY, UNANSWERED, REFUSED)]],
  ['put off, and then refused', [carrierThat('one', UNANSWERED, BUSY, REFUSED)]],
  ['refused by one carrier after the other', [carrierThat('one', UNANSWERED, ELSEWHERE), carrierThat('two', REFUSED)]],
  [
    'refused where it was moved to without an answer',
    [carrierThat('one', ELSEWHERE), carrierThat('two', UNANSWERED, REFUSED)],
  ],
])('an OTP without a response that was then %s', async (_, carriers) => {
  const { id } = (await request(service)).body
  await start(carriers)
  expect(await ended(id)).toMatchObject({ status: 'unknown', refunded: false })
  expect(await balance(service)).toBe(96)
  expect((await verify(service, id)).status).toBe(200)
  expect(await auditMoney(service.db)).toEqual([])
})

test('an OTP without a response that comes too late for another attempt', async () => {
  const { id } = (await request(service)).body
  await start([carrierThat('one', UNANSWERED)])
  await until('it to be held', async () => {
    const held = await service.db`select 1 from jobs where not leased and run_at > now() + interval '1 minute'`
    return held.length === 1
  })
  await letTimePass(service, id, 60)
  await service.db`update jobs set run_at = now()`
  expect(await ended(id)).toMatchObject({ status: 'unknown', refunded: false })
  expect(await balance(service)).toBe(96)
})

test('an OTP whose worker crashed, and that expires before a retry', async () => {
  const { id } = (await request(service, { expires_in: 1 })).body
  await loseAll(service.db)
  await letTimePass(service, id, 2)
  const carrier = carrierThat('one')
  await start([carrier])
  expect(await ended(id)).toMatchObject({ status: 'unknown', refunded: false })
  expect(carrier.taken).toHaveLength(0)
  expect(await balance(service)).toBe(96)
  expect((await service.call<Otp>('GET', `/otp/${id}`)).body.status_desc).toBe('EXPIRED')
})

test('an OTP that was rejected, and that no carrier can have, is refunded', async () => {
  const { id } = (await request(service)).body
  await start([carrierThat('one', BUSY, REFUSED)])
  expect(await ended(id)).toMatchObject({ status: 'rejected', refunded: true })
  expect(await balance(service)).toBe(100)
  expect((await service.call<Otp>('GET', `/otp/${id}`)).body.status_desc).toBe('FAILED')
})
