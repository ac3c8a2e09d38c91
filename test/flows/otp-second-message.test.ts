import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditAll } from '../../src/cli/organisations/balance.ts'
import { transaction } from '../../src/db/transaction.ts'
import { balance, faults, request, RIGHT, verify, type Otp } from '../support/otp.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { somebodyWaits } from '../support/waiting.ts'

const RECIPIENT = '2348031234567'
const REJECTED = '2348000000003'
/** No delivery report arrives during these tests. */
const report_delay_ms = 60_000

let service: TestService

beforeAll(async () => {
  service = await openService({
    settings: {
      carriers: ['net', 'spare', 'third'].map((name) => ({ kind: 'simulator', name, report_delay_ms })),
      routes: [
        { name: 'line', channel: 'sms', carriers: ['net', 'spare', 'third'] },
        { name: 'chat', channel: 'whatsapp', carrier: 'net' },
      ],
    },
    config: { sandbox: true },
  })
})
afterAll(async () => {
  await service.close()
})

async function customer(credit = 100, settings: object = { resend_after_s: 60 }): Promise<Organisation> {
  const by = await service.organisation({ credit })
  expect((await by.call('PATCH', '/otp/settings', settings)).status).toBe(200)
  return by
}

/** Requests a generated token. */
async function ask(by: Organisation, body: object = {}): Promise<string> {
  const { status, body: otp } = await by.call<Otp>('POST', '/otp/request_token', { recipient: RECIPIENT, ...body })
  expect(status).toBe(200)
  return otp.id
}

type Sent = { id: string; carrier: string; status: string }
const sentOf = (by: Organisation) => service.db<Sent[]>`
  select message_id as id, carrier, status from deliveries
  where organisation_id = ${by.id} and carrier is not null order by created_datetime, message_id`

const submitted = (by: Organisation, count: number) =>
  until(`${count} submissions`, async () => {
    const rows = await sentOf(by)
    return rows.length === count && rows.every(({ status }) => status !== 'queued') && rows
  })

const jobsOf = async (by: Organisation) =>
  (await service.db`select 1 from jobs where queue = 'otp-fallback' and organisation_id = ${by.id}`).length

/** As if the seconds had passed. */
async function passTime(by: Organisation): Promise<void> {
  await service.db`
    update deliveries set sent_datetime = sent_datetime - interval '1 minute'
    where organisation_id = ${by.id} and status = 'sent'`
  await service.db`update jobs set run_at = now() where queue = 'otp-fallback' and organisation_id = ${by.id} and not leased`
}

async function resend(by: Organisation): Promise<void> {
  await until('the end of the job', async () => {
    await passTime(by)
    return (await jobsOf(by)) === 0
  })
}

/** The tokens on the phone, oldest first. */
async function tokens(by: Organisation, count: number, channel = 'sms', recipient = RECIPIENT): Promise<string[]> {
  return until(`${count} messages on the phone`, async () => {
    const { body } = await by.call<{ messages: { text: string; channel: string; created_datetime: string }[] }>(
      'GET',
      `/sandbox/messages?recipient=${recipient}`,
    )
    const found = body.messages
      .filter((one) => channel === '' || one.channel === channel)
      .toSorted((a, b) => a.created_datetime.localeCompare(b.created_datetime))
      .map(({ text }) => /^\d+/.exec(text)?.[0] ?? '')
    return found.length === count && found
  })
}

type Row = { status: number; attempts: number; verified_message_id: string | null; fallback_message_id: string | null }
async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await service.db<Row[]>`
    select status, attempts, verified_message_id, fallback_message_id from otps where id = ${id}`
  return row
}

describe('an OTP without a report', () => {
  test.each(['first', 'second'])(
    'is sent once more through the next carrier; the %s token names its message',
    async (which) => {
      const by = await customer()
      const id = await ask(by)
      await submitted(by, 1)
      await resend(by)
      const sent = await submitted(by, 2)
      expect(sent.map(({ carrier }) => carrier)).toEqual(['net', 'spare'])
      expect(await balance(by)).toBe(100 - 2 * 4)
      const [first = '', second = ''] = await tokens(by, 2)
      expect(first).toHaveLength(second.length)
      expect(first).not.toBe(second)
      expect((await verify(by, id, which === 'first' ? first : second)).status).toBe(200)
      const row = await rowOf(id)
      expect(row?.verified_message_id).toBe(which === 'first' ? id : row?.fallback_message_id)
      expect(faults((await verify(by, id, first)).body)).toEqual(['token used'])
      expect((await by.call<{ is_otp: boolean }>('GET', `/sms/${row?.fallback_message_id}/explain`)).body.is_otp).toBe(
        true,
      )
      expect(await jobsOf(by)).toBe(0)
    },
  )

  test('is sent through the next carrier immediately when the first message was rejected', async () => {
    const by = await customer()
    const id = await ask(by, { recipient: REJECTED })
    await until('FAILED', async () => (await rowOf(id))?.status === 3)
    expect((await service.db`select 1 from messages where organisation_id = ${by.id}`).length).toBe(2)
    expect(await balance(by)).toBe(100)
  })

  test('has one message if it was delivered, or if the caller chose the token', async () => {
    const by = await customer()
    const id = await ask(by)
    await submitted(by, 1)
    await service.db`update deliveries set status = 'delivered' where message_id = ${id}`
    await resend(by)
    await request(by, { recipient: RECIPIENT, token: RIGHT })
    await submitted(by, 2)
    expect(await jobsOf(by)).toBe(0)
    expect(await balance(by)).toBe(100 - 2 * 4)
  })

  test('has one message if the balance does not cover another one', async () => {
    const by = await customer(4)
    const id = await ask(by)
    await submitted(by, 1)
    await resend(by)
    expect(await balance(by)).toBe(0)
    expect(await sentOf(by)).toHaveLength(1)
    expect((await verify(by, id, (await tokens(by, 1))[0])).status).toBe(200)
  })

  test('gets another token on the second channel, too', async () => {
    const by = await customer(100, { fallback_channel: 'whatsapp', fallback_after_s: 60, resend_after_s: 60 })
    const id = await ask(by)
    await submitted(by, 1)
    await resend(by)
    const [first] = await tokens(by, 1)
    const [second] = await tokens(by, 1, 'whatsapp')
    expect(first).not.toBe(second)
    expect((await verify(by, id, second)).status).toBe(200)
    const row = await rowOf(id)
    expect(row?.verified_message_id).toBe(row?.fallback_message_id)
    expect((await sentOf(by)).map(({ carrier }) => carrier)).toEqual(['net', 'net'])
  })

  test('waits while the first message is not submitted', async () => {
    const by = await customer()
    const id = await ask(by)
    await submitted(by, 1)
    await service.db`update deliveries set status = 'queued' where message_id = ${id}`
    await passTime(by)
    await until('the job to be postponed', async () => {
      const rows = await service.db`
        select 1 from jobs where queue = 'otp-fallback' and organisation_id = ${by.id} and attempts > 0
          and run_at > now() and not leased`
      return rows.length === 1
    })
    expect(await balance(by)).toBe(100 - 4)
    await service.db`update deliveries set status = 'sent' where message_id = ${id}`
    await resend(by)
    expect(await balance(by)).toBe(100 - 2 * 4)
  })
})

test('five wrong tokens end in FAILED, also while two are valid', async () => {
  const by = await customer()
  const id = await ask(by)
  await submitted(by, 1)
  await resend(by)
  const known = await tokens(by, 2)
  const wrong = ['0000', '1111', '2222'].find((token) => !known.includes(token))
  for (let attempts = 1; attempts <= 5; attempts += 1) {
    expect(faults((await verify(by, id, wrong)).body)).toEqual(['token invalid'])
    expect((await rowOf(id))?.attempts).toBe(attempts)
  }
  expect(faults((await verify(by, id, known[1])).body)).toEqual(['token max_attempts'])
})

describe('an OTP that ends while its second message is about to be sent', () => {
  const ends = {
    verified: `status = 4`,
    canceled: `status = 5`,
    expired: `expires_datetime = now() - interval '1 s', created_datetime = created_datetime - interval '1 hour'`,
  }

  test.each(Object.entries(ends))('%s: nothing is sent or charged', async (_, change) => {
    const by = await customer()
    const id = await ask(by)
    await submitted(by, 1)
    await transaction(service.db, async (tx) => {
      await tx.unsafe(`update otps set ${change} where id = '${id}'`)
      await passTime(by)
      await until('the second message to wait for the OTP', () => somebodyWaits(service.db))
    })
    await resend(by)
    expect(await sentOf(by)).toHaveLength(1)
    expect(await balance(by)).toBe(100 - 4)
    expect((await rowOf(id))?.fallback_message_id).toEqual(expect.any(String))
  })

  test('many that are verified at that moment: each second message was sent before, or never', async () => {
    const by = await customer(1_000)
    const recipients = Array.from({ length: 20 }, (_, n) => `23480312346${10 + n}`)
    const ids = await Promise.all(recipients.map((recipient) => ask(by, { recipient })))
    await submitted(by, 20)
    const typed = await Promise.all(
      recipients.map(async (recipient) => (await tokens(by, 1, 'sms', recipient))[0] ?? ''),
    )
    const [answers] = await Promise.all([Promise.all(ids.map((id, n) => verify(by, id, typed[n]))), passTime(by)])
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    await resend(by)
    type Second = { is_sent: boolean; is_valid: boolean }
    const seconds = await service.db<Second[]>`
      select messages.id is not null as is_sent, fallback_token_hash is not null as is_valid
      from otps left join messages on messages.organisation_id = otps.organisation_id and messages.id = fallback_message_id
      where otps.organisation_id = ${by.id}`
    const sent = seconds.filter(({ is_sent }) => is_sent)
    expect(sent).toEqual(seconds.filter(({ is_valid }) => is_valid))
    expect(await balance(by)).toBe(1_000 - 4 * (20 + sent.length))
  })
})

test('the ledger balances at the end', async () => {
  expect(await auditAll(service.db)).toEqual([])
})
