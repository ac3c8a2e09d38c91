import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { everyDelivery } from '../support/every.ts'

/** `SMPP_CHAOS=20000` runs the long variant. */
const MESSAGES = Number(process.env.SMPP_CHAOS ?? 2_000)
const PER_REQUEST = 500
const LONG_EVERY = 10
const PRICE = 4
const LIMIT_MS = 120_000 + 30 * MESSAGES

let smsc: Smsc
let service: TestService
let beside: TestService
let receiver: Receiver

beforeAll(async () => {
  smsc = await startSmsc({
    latency_ms: [0, 40],
    throughput: 250,
    errors: { RSYSERR: 0.01, RX_T_APPN: 0.01, RSUBMITFAIL: 0.01 },
    cut_before_share: 0.001,
    cut_after_share: 0.001,
    silent_share: 0.001,
    reports: {
      delay_ms: [0, 300],
      none_share: 0.002,
      twice_share: 0.05,
      early_share: 0.05,
      other_bind_share: 0.2,
      answer_id: 'upper_case',
      report_id: 'decimal',
      stats: { DELIVRD: 90, UNDELIV: 5, EXPIRED: 5 },
    },
  })
  receiver = await startReceiver()
  const carriers = [smppCarrier(smsc.port, { binds: 3, window: 30, report_due_h: 0.003 })]
  const settings = { carriers, routes: [smppRoute] }
  service = await openService({ credit: 20 * PRICE * MESSAGES, settings, config: { sandbox: true } })
  beside = await openService({ beside: service, settings, config: { sandbox: true } })
})
afterAll(async () => {
  await beside.close()
  await service.close()
  await receiver.close()
  await smsc.stop()
})

type Row = { recipient: string; status: string; refunded: boolean; charge: bigint }

const numberOf = (n: number): string => `234803${String(n).padStart(7, '0')}`

/**
 * A message centre that throttles, rejects, closes the connection before and after accepting a message, does not
 * respond, responds late, reports early, twice, on another bind or not at all, and writes its ids differently in
 * reports; two processes that share its binds.
 */
test(
  `of ${MESSAGES} messages none is lost, sent twice or charged twice`,
  async () => {
    const sizes = Array.from({ length: MESSAGES / PER_REQUEST }, (_, n) => n * PER_REQUEST)
    for (const [n, from] of sizes.entries()) {
      const recipients = Array.from({ length: PER_REQUEST }, (_, i) => numberOf(from + i)).join(',')
      const content = n % LONG_EVERY === 1 ? 'A long story. '.repeat(25) : 'Hello'
      const body = { recipients, content, callback: receiver.url }
      expect((await service.call('POST', '/sms/send', body)).status).toBe(200)
    }
    await until(
      'every message to end',
      async () => {
        const open = await service.db`
          select 1 from ${everyDelivery(service.db)} delivery where status in ('queued', 'sent') limit 1`
        return open.length === 0
      },
      LIMIT_MS,
    )

    const rows = await service.db<Row[]>`select recipient, status, refunded, charge from deliveries`
    expect(rows).toHaveLength(MESSAGES)
    const arrived = new Map<string, number>()
    for (const { to } of smsc.handsets.shown) arrived.set(to, (arrived.get(to) ?? 0) + 1)
    const twice = [...arrived].filter(([, times]) => times > 1).map(([to]) => to)
    expect(twice).toEqual([])

    const count = (status: string): Row[] => rows.filter((row) => row.status === status)
    const nowhere = rows.filter(({ recipient }) => !arrived.has(recipient)).map(({ status }) => status)
    expect(new Set(nowhere)).not.toContain('delivered')
    expect(count('rejected').every(({ recipient, refunded }) => refunded && !arrived.has(recipient))).toBe(true)
    expect(count('failed').every(({ recipient, refunded }) => refunded && !arrived.has(recipient))).toBe(true)
    expect(rows.filter(({ refunded }) => refunded).map(({ status }) => status)).toHaveLength(
      count('rejected').length + count('failed').length,
    )
    const statuses = [...new Set(rows.map(({ status }) => status))].map((status) => [status, count(status).length])
    if (process.env.SMPP_CHAOS) {
      process.stdout.write(
        `${JSON.stringify({ ...smsc.counts, deliveries: Object.fromEntries(statuses) as object })}\n`,
      )
    }
    // Only messages that the message centre left unanswered or never reported are unknown.
    expect(count('delivered').length).toBeGreaterThan(0.7 * MESSAGES)
    expect(count('unknown').length).toBeLessThan(0.15 * MESSAGES)

    expect(await auditMoney(service.db)).toEqual([])
    const paid = rows.filter(({ refunded }) => !refunded).reduce((sum, { charge }) => sum + charge, 0n)
    const { body } = await service.call<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(20 * PRICE * MESSAGES - Number(paid) / 10_000)

    const known_ends = rows.filter(({ status }) => status !== 'unknown').length
    await until('every callback', () => receiver.received.length >= known_ends, LIMIT_MS)
    const known = new Set(receiver.received.map(({ json }) => json.data.recipient))
    expect(known.size).toBeGreaterThanOrEqual(known_ends)
    const [learned] = await service.db`select mode from carrier_id_modes`
    expect(learned?.mode).toBe('resp_hex_dlr_dec')
  },
  2 * LIMIT_MS,
)
