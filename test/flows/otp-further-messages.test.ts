import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditAll } from '../../src/cli/organisations/balance.ts'
import { transaction } from '../../src/db/transaction.ts'
import { balance, faults, verify, type Otp } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'
import { countWaiting } from '../support/waiting.ts'

const RECIPIENT = '2348031234567'
const UNDELIVERED = '2348000000001'
const GHANA = '233241234567'
const PRICE = 4
const CARRIERS = ['net', 'spare', 'third', 'fourth']
const RESEND_AFTER_S = 60

const settings = {
  // No delivery report arrives during these tests, except of numbers that fail.
  carriers: CARRIERS.map((name) => ({ kind: 'simulator', name, report_delay_ms: 60_000 })),
  routes: [
    { name: 'line', channel: 'sms', carriers: CARRIERS },
    { name: 'short', channel: 'sms', prefix: '233', carriers: ['net', 'spare'] },
  ],
}
let service: TestService

beforeAll(async () => {
  service = await openService({ settings, config: { sandbox: true } })
})
afterAll(async () => {
  await service.close()
})

async function customer(resend_times = 3, credit = 1_000): Promise<Organisation> {
  const by = await service.organisation({ credit })
  const wish = { resend_after_s: RESEND_AFTER_S, resend_times }
  const { status } = await by.call('PATCH', '/otp/settings', wish)
  expect(status).toBe(200)
  return by
}

/** Requests a generated token. */
async function ask(by: Organisation, recipient = RECIPIENT): Promise<string> {
  const { status, body } = await by.call<Otp>('POST', '/otp/request_token', { recipient })
  expect(status).toBe(200)
  return body.id
}

type Sent = { id: string; carrier: string; status: string; charge: bigint }
const sentOf = (by: Organisation) => service.db<Sent[]>`
  select message_id as id, carrier, status, charge from deliveries
  where organisation_id = ${by.id} and carrier is not null and status <> 'queued' order by sent_datetime, message_id`

const submitted = (by: Organisation, count: number) =>
  until(`${count} submissions`, async () => {
    const rows = await sentOf(by)
    return rows.length === count && rows
  })

const jobsOf = (by: Organisation) => service.db<{ attempts: number; is_due: boolean }[]>`
  select attempts, run_at <= now() as is_due from jobs where queue = 'otp-fallback' and organisation_id = ${by.id}`

/** As if the last messages had been submitted so long ago, and their jobs were due. */
async function passTime(by: Organisation, seconds = RESEND_AFTER_S): Promise<void> {
  // Waits for no lock: the service may hold them in another order.
  await service.db`
    update deliveries set sent_datetime = now() - ${seconds} * interval '1 second'
    where (message_id, recipient) in (
      select message_id, recipient from deliveries
      where organisation_id = ${by.id} and status = 'sent' for update skip locked
    )`
  await service.db`
    update jobs set run_at = now()
    where id in (
      select id from jobs
      where queue = 'otp-fallback' and organisation_id = ${by.id} and not leased for update skip locked
    )`
}

/** The messages of an OTP up to so many, each as soon as the one before it is late; then there is no further one. */
async function resendAll(by: Organisation, count: number, from = 1): Promise<Sent[]> {
  await submitted(by, from)
  for (let sent = from; sent < count; sent += 1) {
    await until(`message ${sent + 1}`, async () => {
      await passTime(by)
      return (await sentOf(by)).length > sent
    })
  }
  await until('the end of the job', async () => {
    await passTime(by)
    return (await jobsOf(by)).length === 0
  })
  return submitted(by, count)
}

/** The token of each message on the phone, oldest first. */
async function tokens(by: Organisation, count: number): Promise<string[]> {
  return until(`${count} messages on the phone`, async () => {
    const { body } = await by.call<{ messages: { text: string; created_datetime: string }[] }>(
      'GET',
      `/sandbox/messages?recipient=${RECIPIENT}`,
    )
    const found = body.messages.toSorted((a, b) => a.created_datetime.localeCompare(b.created_datetime))
    return found.length === count && found.map(({ text }) => /^\d+/.exec(text)?.[0] ?? '')
  })
}

async function otpOf(id: string): Promise<{ status: number; verified_message_id: string | null } | undefined> {
  const [row] = await service.db<{ status: number; verified_message_id: string | null }[]>`
    select status, verified_message_id from otps where id = ${id}`
  return row
}

describe('an OTP with several further messages', () => {
  test.each([0, 1, 2, 3])(
    'goes through each carrier once, charged each time; token %d names its message',
    async (nth) => {
      const by = await customer()
      const id = await ask(by)
      const sent = await resendAll(by, 4)
      expect(sent.map(({ carrier }) => carrier)).toEqual(CARRIERS)
      expect(sent[0]?.id).toBe(id)
      expect(new Set(sent.map((one) => one.id)).size).toBe(4)
      expect(await balance(by)).toBe(1_000 - 4 * PRICE)
      const all = await tokens(by, 4)
      expect(new Set(all).size).toBe(4)
      for (const one of sent) {
        expect((await by.call<{ is_otp: boolean }>('GET', `/sms/${one.id}/explain`)).body.is_otp).toBe(true)
      }
      expect((await verify(by, id, all[nth])).status).toBe(200)
      expect((await otpOf(id))?.verified_message_id).toBe(sent[nth]?.id)
      expect(faults((await verify(by, id, all[0])).body)).toEqual(['token used'])
    },
  )

  test('has no more of them than wanted, and one by default', async () => {
    const twice = await customer(2)
    await ask(twice)
    expect((await resendAll(twice, 3)).map(({ carrier }) => carrier)).toEqual(['net', 'spare', 'third'])
    const once = await service.organisation({ credit: 100 })
    await once.call('PATCH', '/otp/settings', { resend_after_s: RESEND_AFTER_S })
    await ask(once)
    expect((await resendAll(once, 2)).map(({ carrier }) => carrier)).toEqual(['net', 'spare'])
  })

  test('ends when each carrier of the route has had it', async () => {
    const by = await customer()
    await ask(by, GHANA)
    expect((await resendAll(by, 2)).map(({ carrier }) => carrier)).toEqual(['net', 'spare'])
    expect(await balance(by)).toBe(
      1_000 - (await sentOf(by)).reduce((sum, { charge }) => sum + Number(charge) / 10_000, 0),
    )
  })

  test('ends when the balance is exhausted, and its tokens stay valid', async () => {
    const by = await customer(3, 2 * PRICE)
    const id = await ask(by)
    await resendAll(by, 2)
    expect(await balance(by)).toBe(0)
    expect((await verify(by, id, (await tokens(by, 2))[1])).status).toBe(200)
  })

  test('goes through the next carrier immediately when a message fails, and fails with the last one', async () => {
    const by = await customer()
    const id = await ask(by, UNDELIVERED)
    await until('four failures', async () => {
      await service.db`
        update jobs set run_at = now() where queue like 'simulator:%' and not leased`
      return (await otpOf(id))?.status === 3
    })
    expect((await sentOf(by)).map(({ carrier, status }) => `${carrier} ${status}`)).toEqual(
      CARRIERS.map((carrier) => `${carrier} undelivered`),
    )
    expect(await jobsOf(by)).toEqual([])
  })

  test('that ends in between has no further message', async () => {
    const by = await customer()
    const id = await ask(by)
    await submitted(by, 1)
    await until('the second message', async () => {
      await passTime(by)
      return (await sentOf(by)).length === 2
    })
    expect((await verify(by, id, (await tokens(by, 2))[0])).status).toBe(200)
    await until('the end of the job', async () => {
      await passTime(by)
      return (await jobsOf(by)).length === 0
    })
    expect(await sentOf(by)).toHaveLength(2)
    expect(await service.db`select from otps where id = ${id} and sealed_token is not null`).toHaveLength(0)
  })

  test('is not repeated when one of its messages was delivered, the first or a later one', async () => {
    for (const nth of [0, 1]) {
      const by = await customer()
      await ask(by)
      await submitted(by, 1)
      const sent = await until('the second message', async () => {
        await passTime(by)
        const rows = await sentOf(by)
        return rows.length === 2 && rows
      })
      await service.db`update deliveries set status = 'delivered' where message_id = ${sent[nth]?.id ?? ''}`
      await until('the end of the job', async () => {
        await passTime(by)
        return (await jobsOf(by)).length === 0
      })
      expect(await sentOf(by)).toHaveLength(2)
    }
  })
})

test('the delay counts from the submission of the message, not from the request', async () => {
  const by = await customer()
  const id = await ask(by)
  await submitted(by, 1)
  await passTime(by, 20)
  const [waits] = await until('the job to be postponed', async () => {
    const rows = await service.db<{ delay_ms: number }[]>`
      select (extract(epoch from run_at - sent_datetime) * 1000)::float8 as delay_ms
      from jobs join deliveries on deliveries.organisation_id = jobs.organisation_id and message_id = subject_id
      where queue = 'otp-fallback' and jobs.organisation_id = ${by.id} and attempts > 0 and not leased and run_at > now()`
    return rows.length === 1 && rows
  })
  expect(waits?.delay_ms).toBeGreaterThanOrEqual(1_000 * RESEND_AFTER_S)
  expect(waits?.delay_ms).toBeLessThan(1_000 * RESEND_AFTER_S + 2)
  expect(await sentOf(by)).toHaveLength(1)
  expect((await otpOf(id))?.status).toBe(1)
})

describe('a worker that ends while it sends a message', () => {
  test('before the job is released: the next worker repeats nothing and goes on', async () => {
    const by = await customer()
    await ask(by)
    await submitted(by, 1)
    let failures = 0
    await between(
      service.db,
      async (asked, send) => {
        if (failures === 3 || !asked.text.startsWith('select from otps')) return send(asked)
        failures += 1
        throw new Error('the worker ends')
      },
      async () => {
        await passTime(by)
        // Once with its batch, once alone, and once again when its delay has passed.
        await until('the failures', async () => {
          await service.db`
            update jobs set run_at = now() where queue = 'otp-fallback' and organisation_id = ${by.id} and not leased`
          return failures === 3
        })
      },
    )
    expect(await balance(by)).toBe(1_000 - 2 * PRICE)
    expect((await resendAll(by, 4, 2)).map(({ carrier }) => carrier)).toEqual(CARRIERS)
    expect(await balance(by)).toBe(1_000 - 4 * PRICE)
  })

  test('two workers with the same job send one message', async () => {
    const beside = await openService({ settings, config: { sandbox: true }, beside: service })
    const by = await customer()
    const id = await ask(by)
    await submitted(by, 1)
    await transaction(service.db, async (tx) => {
      await tx`select from otps where organisation_id = ${by.id} and id = ${id} for update`
      await passTime(by)
      await until('both workers to wait for the OTP', async () => {
        await service.db`
          update jobs set leased_until = now() - interval '1 second'
          where queue = 'otp-fallback' and organisation_id = ${by.id} and leased`
        return (await countWaiting(service.db)) === 2
      })
    })
    await submitted(by, 2)
    await beside.close()
    expect((await resendAll(by, 4, 2)).map(({ carrier }) => carrier)).toEqual(CARRIERS)
    expect(await balance(by)).toBe(1_000 - 4 * PRICE)
  })
})

test('many that are verified while messages are sent: each message is charged and valid, or was never sent', async () => {
  const by = await customer(3, 10_000)
  const recipients = Array.from({ length: 20 }, (_, n) => `23480312346${10 + n}`)
  const ids = await Promise.all(recipients.map((recipient) => ask(by, recipient)))
  await submitted(by, 20)
  const tokenOf = async (recipient: string): Promise<string> => {
    const { body } = await by.call<{ messages: { text: string }[] }>('GET', `/sandbox/messages?recipient=${recipient}`)
    return /^\d+/.exec(body.messages.at(-1)?.text ?? '')?.[0] ?? ''
  }
  for (let round = 0; round < 4; round += 1) {
    const own = ids.slice(5 * round, 5 * round + 5)
    const typed = await Promise.all(recipients.slice(5 * round, 5 * round + 5).map(tokenOf))
    const [answers] = await Promise.all([Promise.all(own.map((id, n) => verify(by, id, typed[n]))), passTime(by)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  }
  await until('the end of the jobs', async () => {
    await passTime(by)
    return (await jobsOf(by)).length === 0
  })
  const [stored] = await service.db<{ messages: number; valid: number }[]>`
    select (select count(*)::integer from messages where organisation_id = ${by.id}) as messages,
      sum(1 + cardinality(resent_message_ids) + (fallback_token_hash is not null)::integer)::integer as valid
    from otps where organisation_id = ${by.id}`
  expect(stored?.messages).toBe(stored?.valid)
  expect(await service.db`select from otps where organisation_id = ${by.id} and sealed_token is not null`).toEqual([])
  expect(await balance(by)).toBe(10_000 - PRICE * (stored?.messages ?? 0))
})

test('five wrong tokens end in FAILED, also while four are valid', async () => {
  const by = await customer()
  const id = await ask(by)
  await resendAll(by, 4)
  const known = await tokens(by, 4)
  const wrong = ['0000', '1111', '2222', '3333', '4444'].find((token) => !known.includes(token))
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(faults((await verify(by, id, wrong)).body)).toEqual(['token invalid'])
  }
  expect((await otpOf(id))?.status).toBe(3)
  expect(faults((await verify(by, id, known[2])).body)).toEqual(['token max_attempts'])
})

test('the ledger balances at the end', async () => {
  expect(await auditAll(service.db)).toEqual([])
})
