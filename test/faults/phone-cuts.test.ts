import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { PhoneMessage, PhoneMemory } from '../../src/emulators/phone/memory.ts'
import { newMemory } from '../../src/emulators/phone/memory.ts'
import type { Fate, PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { loseAll } from '../support/intake.ts'
import { phoneCarrier, PHONE_ROUTE, startPhone, type Aired } from '../support/phone.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { note, scale } from './scale.ts'

/**
 * The app's calls, in order, for a phone that registers, fetches two messages, sends them and reports. At each call the
 * connection is lost before the request or after it (so that the response is lost), or the app is killed and restarted.
 */
const CALLS = [
  'POST /device',
  'GET /events',
  'GET /settings',
  'GET /webhooks',
  'GET /message',
  'PATCH /message',
] as const
const FAULTS = ['cut before', 'cut after', 'killed before', 'killed after'] as const

let service: TestService
let phone: PhoneEmulator | undefined
beforeAll(async () => {
  service = await openService(options())
})
afterEach(async () => {
  phone?.kill()
  await service.db`delete from phones`
})
afterAll(async () => {
  await service.close()
  note({
    promise: 'nothing accepted is lost or sent twice: a phone cut off or killed at each of its calls',
    figure: `${survived} of ${CASES.length} cuts and kills: both messages sent once and delivered, balance exact`,
    goal: 'all of them',
    met: survived === CASES.length,
  })
})
let survived = 0

const options = () => ({
  settings: { carriers: [phoneCarrier({ take_within_s: 2, answer_within_s: 8 })], routes: PHONE_ROUTE },
  config: { sandbox: true },
})

/** A phone that is disconnected or killed at the nth call of a kind, and then continues with its stored state. */
function startTroubled(
  at: { url: string },
  aired: Aired[],
  trouble: { call: string; nth: number; fault: (typeof FAULTS)[number] },
  memory: PhoneMemory = newMemory(),
): void {
  let seen = 0
  let struck = false
  const strike = (): never => {
    struck = true
    if (trouble.fault.startsWith('killed')) {
      own.kill()
      phone = startPhone(at, 'one', aired, { memory, sims: 2, send: (message) => sends(message, aired) })
    }
    throw new Error('the connection is lost')
  }
  const own: PhoneEmulator = startPhone(at, 'one', aired, {
    memory,
    sims: 2,
    send: (message) => sends(message, aired),
    request: async (input, init) => {
      await Promise.resolve() // The first call is made before the phone is known by its name.
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const name = `${init?.method ?? 'GET'} ${pathname.replace(/^.*\/v1/, '')}`
      const hit = !struck && name === trouble.call && (seen += 1) === trouble.nth
      if (hit && trouble.fault.endsWith('before')) strike()
      const answer = await fetch(input, init)
      if (hit) {
        if (name !== 'GET /events') await answer.text()
        strike()
      }
      return answer
    },
  })
  phone = own
}

async function* sends(message: PhoneMessage, aired: Aired[]): Fate {
  aired.push({ ...message, phone: 'one' })
  yield 'Processed'
  yield 'Sent'
  yield 'Delivered'
}

const NUMBERS = ['2348031000001', '2348031000002']

async function send(by: TestService): Promise<string> {
  const body = { recipients: NUMBERS.join(), content: 'Hello' }
  return (await by.call<{ id: string }>('POST', '/sms/send', body)).body.id
}

async function arrives(by: TestService, id: string): Promise<void> {
  await until(
    'both to be delivered',
    async () => {
      const rows = await by.db`select 1 from deliveries where message_id = ${id} and status = 'delivered'`
      return rows.length === NUMBERS.length
    },
    40_000,
  )
}

const CASES = CALLS.flatMap((call) =>
  FAULTS.flatMap((fault) => (call === 'PATCH /message' ? [1, 2, 3, 4] : [1]).map((nth) => ({ call, fault, nth }))),
).filter((_, n) => n % scale(4, 1) === 0)

test.each(CASES)('$fault $call ($nth): nothing is sent twice, nothing is lost', async (trouble) => {
  const aired: Aired[] = []
  const id = await send(service)
  startTroubled(service, aired, trouble)
  await arrives(service, id)
  expect(aired.map(({ to }) => to).toSorted()).toEqual(NUMBERS.map((number) => `+${number}`))
  expect(await auditMoney(service.db)).toEqual([])
  survived += 1
})

test('the submitting process dies, at every state of a message: sent once, and reported', async () => {
  const aired: Aired[] = []
  const front = await openService({ ...options(), workers: false })
  let reported = Promise.resolve()
  let release = (): void => {}
  async function* waits(message: PhoneMessage): Fate {
    aired.push({ ...message, phone: 'one' })
    yield 'Processed'
    await reported
    yield 'Sent'
    yield 'Delivered'
  }
  phone = startPhone(front, 'one', aired, { sims: 2, send: waits })
  for (const state of ['offered', 'taken or sent', 'sent, and reported'] as const) {
    aired.length = 0
    reported = state === 'sent, and reported' ? Promise.resolve() : new Promise((resolve) => (release = resolve))
    const first = await openService({ ...options(), beside: front })
    const id = await send(first)
    if (state !== 'offered') {
      await until('a phone to have them', async () => {
        const rows = await front.db`
          select 1 from phone_messages where message_id = ${id} and state in ('taken', 'sent', 'done')`
        return rows.length === NUMBERS.length
      })
    }
    // As if it had died: its leases are not extended, and expire.
    await loseAll(front.db)
    const second = await openService({ ...options(), beside: front })
    release()
    await arrives(second, id)
    expect(aired.map(({ to }) => to).toSorted()).toEqual(NUMBERS.map((number) => `+${number}`))
    await Promise.all([first.close(), second.close()])
  }
  expect(await auditMoney(front.db)).toEqual([])
  phone.kill()
  await front.close()
})
