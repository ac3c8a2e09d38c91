import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type Answer, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Row = { status: string; refunded: boolean; carrier: string | null; tried: string[] | null; code: string | null }

let first: NpmSmsc
let second: NpmSmsc
let service: TestService | undefined

beforeEach(async () => {
  first = await startNpmSmsc()
  second = await startNpmSmsc()
})
afterEach(async () => {
  await service?.close()
  await first.close()
  await second.close()
})

async function open(route: object = {}): Promise<TestService> {
  const carriers = [smppCarrier(first.port, { name: 'first' }), smppCarrier(second.port, { name: 'second' })]
  const routes = [{ name: 'sms', channel: 'sms', carriers: ['first', 'second'], ...route }]
  service = await openService({ settings: { carriers, routes } })
  await until('both binds', () => first.binds.length > 0 && second.binds.length > 0)
  return service
}

async function send(by: TestService, path = '/sms/send', body: object = {}): Promise<string> {
  const answer = await by.call<{ id: string }>('POST', path, {
    recipients: '2348031234567',
    recipient: '2348031234567',
    content: 'Hello',
    ...body,
  })
  expect(answer.status).toBe(200)
  return answer.body.id
}

async function ends(by: TestService, id: string, ...statuses: string[]): Promise<Row> {
  return until(`${id} to be ${statuses.join()}`, async () => {
    const [row] = await by.db<Row[]>`
      select status, refunded, carrier, tried, code from deliveries where message_id = ${id}`
    return row && statuses.includes(row.status) && row
  })
}

const refuses =
  (command_status: number): (() => Answer) =>
  () => ({ command_status })

describe('a route with two carriers', () => {
  test('uses the first while it accepts messages', async () => {
    const by = await open()
    expect(await ends(by, await send(by), 'sent')).toMatchObject({ carrier: 'first', tried: null })
    expect(second.submits).toEqual([])
  })

  test.each([[0x45], [0x65], [0x66]])('tries the second if the first rejects with 0x%s', async (status) => {
    const by = await open()
    first.answer = refuses(status)
    expect(await ends(by, await send(by), 'sent')).toMatchObject({ carrier: 'second', tried: ['first'] })
    expect(first.submits).toHaveLength(1)
    expect(second.submits).toHaveLength(1)
  })

  test('does not if the error is in the message', async () => {
    const by = await open()
    first.answer = refuses(0x0b)
    expect(await ends(by, await send(by), 'rejected')).toMatchObject({ refunded: true })
    expect(second.submits).toEqual([])
  })

  test('tries the second if the first is busy too often', async () => {
    const by = await open()
    first.answer = refuses(0x08)
    expect(await ends(by, await send(by), 'sent')).toMatchObject({ carrier: 'second', tried: ['first'] })
    expect(first.submits).toHaveLength(3)
  })

  test('refunds once if both reject', async () => {
    const by = await open()
    first.answer = refuses(0x45)
    second.answer = refuses(0x66)
    expect(await ends(by, await send(by), 'rejected')).toMatchObject({ refunded: true, code: 'RX_R_APPN' })
    expect(await auditMoney(by.db)).toEqual([])
    expect((await by.call('GET', '/balance')).body.balance).toBe(1_000)
  })

  test('never tries the second if it is unknown whether the first accepted it', async () => {
    const by = await open({ on_unknown: 'hold' })
    first.answer = () => 'cut'
    await ends(by, await send(by), 'unknown')
    await send(by, '/otp/request_token')
    await until('the OTP at the first', () => first.submits.length === 2)
    await until(
      'the end of it',
      async () =>
        (await by.db`select 1 from jobs where queue like 'route:%' union all select 1 from intake`).length === 0,
    )
    expect(first.submits).toHaveLength(2)
    expect(second.submits).toEqual([])
  })

  test('gives up and refunds messages with an unknown outcome, if so configured', async () => {
    const by = await open({ on_unknown: 'fail' })
    first.answer = () => 'silence'
    expect(await ends(by, await send(by), 'failed')).toMatchObject({ refunded: true })
    expect(second.submits).toEqual([])
  })

  test('uses the second while the first is down, and the first again when it is back', async () => {
    const by = await open({ failover_after_s: 1 })
    const { port } = first
    await first.close()
    expect(await ends(by, await send(by), 'sent')).toMatchObject({ carrier: 'second', tried: null })
    first = await startNpmSmsc(port)
    await until('the first to be bound again', async () => {
      const [row] = await by.db`select state from carrier_binds where carrier = 'first'`
      return row?.state === 'bound'
    })
    expect(await ends(by, await send(by), 'sent')).toMatchObject({ carrier: 'first' })
  })
})
