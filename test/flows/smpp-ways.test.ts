import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Delivery = { status: string; code?: string; description?: string }

async function send(service: TestService, recipients: string, content = 'Hello'): Promise<string> {
  const { status, body } = await service.call<{ id: string }>('POST', '/sms/send', { recipients, content })
  expect(status).toBe(200)
  return body.id
}

async function reaches(service: TestService, id: string, status: string): Promise<Delivery> {
  return until(`${id} to be ${status}`, async () => {
    const { body } = await service.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)
    const [delivery] = body.deliveries
    return delivery?.status === status && delivery
  })
}

describe('a report', () => {
  let smsc: NpmSmsc
  let service: TestService

  beforeAll(async () => {
    smsc = await startNpmSmsc()
    service = await openService({ settings: { carriers: [smppCarrier(smsc.port)], routes: [smppRoute] } })
  })
  afterAll(async () => {
    await service.close()
    await smsc.close()
  })

  const NETWORK = (code: number) => ({ network_error_code: Buffer.from([3, code >> 8, code & 0xff]) })

  test.each([
    ['delivered', { message_state: 2 }, '000', 'delivered'],
    ['delivered', { message_state: 2, ...NETWORK(0) }, '000', 'delivered'],
    ['undelivered', { message_state: 5, ...NETWORK(4) }, '004', 'invalid or inactive number'],
    ['undelivered', { message_state: 5 }, '', 'UNDELIV'],
    ['expired', { message_state: 3, ...NETWORK(27) }, '027', 'absent subscriber'],
    ['rejected', { message_state: 8 }, '', 'REJECTD'],
    ['undelivered', { message_state: 4 }, '', 'DELETED'],
    ['delivered', { short_message: 'id:0 stat:DELIVERED' }, '000', 'delivered'],
    ['delivered', { short_message: 'id:0 stat:2' }, '000', 'delivered'],
    ['undelivered', { short_message: 'id:0 stat:UNDELIVERABLE err:8' }, '008', 'subscriber on DND'],
  ])('%s with only %j is reported with our description', async (status, tlvs, code, description) => {
    const id = await send(service, '2348031234567')
    await reaches(service, id, 'sent')
    const receipted_message_id = `m${smsc.submits.length}`
    expect(await smsc.deliver({ esm_class: 4, source_addr: '2348031234567', receipted_message_id, ...tlvs })).toBe(0)
    const delivery = await reaches(service, id, status)
    expect([delivery.code, delivery.description]).toEqual([code, description])
  })

  test('on messages that were accepted without an id finds each by its number', async () => {
    const named = smsc.answer
    smsc.answer = () => ({ message_id: '' })
    const [one, other] = [await send(service, '2348031000001'), await send(service, '2348031000002')]
    await reaches(service, one, 'sent')
    await reaches(service, other, 'sent')
    smsc.answer = named
    expect(await smsc.report('its-own-2', 'DELIVRD', { from: '2348031000002' })).toBe(0)
    expect(await smsc.report('its-own-1', 'UNDELIV', { from: '2348031000001' })).toBe(0)
    // As if they had waited for their ids as long as the maximum.
    await until('no report left', async () => {
      await service.db`update reports set received_datetime = now() - interval '1 minute'`
      await service.db`update report_jobs set run_at = now() where not leased and run_at > now()`
      return (await service.db`select 1 from reports`).length === 0
    })
    await reaches(service, other, 'delivered')
    await reaches(service, one, 'undelivered')
  })

  test.each([
    ['a € at the end', 0, [], [[0x61, 0x1b], [0x65]], 'a€'],
    ['a brace in the middle', 0, [], [[0x1b], [0x28, 0x62], [0x63]], '{bc'],
    ['a character without an equivalent', 0, [], [[0x61, 0x1b], [0x62]], 'ab'],
    ['an escape that begins a part', 0, [], [[0x61], [0x1b, 0x65]], 'a€'],
    ['nothing after it', 0, [], [[0x61], [0x62, 0x1b]], 'ab'],
    ['a Turkish ğ', 0, [0x24, 1, 1], [[0x1b], [0x67]], 'ğ'],
  ])('an escape split from its character: %s', async (what, data_coding, shift, parts, text) => {
    for (const [n, octets] of parts.entries()) {
      const header = [0, 3, what.length, parts.length, n + 1, ...shift]
      const udh = Buffer.from([header.length, ...header])
      const answer = await smsc.deliver({
        source_addr: '2348031112222',
        destination_addr: '32811',
        esm_class: 0x40,
        data_coding,
        short_message: { udh, message: Buffer.from(octets) },
      })
      expect(answer).toBe(0)
    }
    const { body } = await service.call<{ inbound: { text: string }[] }>('GET', '/inbound?limit=1')
    expect(body.inbound[0]?.text).toBe(text)
  })
})

describe('a message centre without a declared encoding', () => {
  const LONG = 'To whom it may concern: '.repeat(14).trim()
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  async function openTo(long: string): Promise<{ service: TestService; smsc: NpmSmsc }> {
    const smsc = await startNpmSmsc(0, {})
    const carriers = [smppCarrier(smsc.port, { profile: { long } })]
    const service = await openService({ settings: { carriers, routes: [smppRoute] } })
    closing.push(
      () => service.close(),
      () => smsc.close(),
    )
    return { service, smsc }
  }

  test('gets long texts in SAR parameters if the profile says so', async () => {
    const { service, smsc } = await openTo('sar')
    await reaches(service, await send(service, '2348031234567', LONG), 'sent')
    expect(smsc.submits.map((pdu) => [pdu.sar_total_segments, pdu.sar_segment_seqnum])).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ])
  })

  test('gets them in a payload if the profile says so', async () => {
    const { service, smsc } = await openTo('payload')
    await reaches(service, await send(service, '2348031234567', LONG), 'sent')
    expect(smsc.submits.map(({ message_payload }) => String(message_payload?.message))).toEqual([LONG])
  })

  test('and responds too late to one in a payload: the report finds the message', async () => {
    const { service, smsc } = await openTo('payload')
    const late: { answer?: (with_id: { message_id: string }) => void } = {}
    smsc.answer = () => new Promise((resolve) => (late.answer = resolve))
    const id = await send(service, '2348031234567', LONG)
    await reaches(service, id, 'unknown')
    late.answer?.({ message_id: 'late-payload' })
    await until('the id to be stored', async () => {
      const rows = await service.db`select 1 from submissions where carrier_message_id = 'late-payload'`
      return rows.length === 1
    })
    expect(await smsc.report('late-payload', 'DELIVRD')).toBe(0)
    await reaches(service, id, 'delivered')
  })
})
