import { describe, expect, onTestFinished, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { until } from '../support/until.ts'

const FROM = '2348031234567'
const NUMBER = '447700900000'

type Text = { from: string; to: string; text: string }

async function open(preset: string) {
  const vendor = await startVendor(preset)
  const service = await openService({
    settings: { carriers: [vendor.settings('vendor')], routes: [routeTo('vendor')] },
    config: { sandbox: true },
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  onTestFinished(async () => {
    await service.close()
    await vendor.close()
  })
  return { vendor, service }
}

const textsOf = async (service: TestService): Promise<Text[]> =>
  service.db<Text[]>`select "from", "to", text from inbound_messages order by id`

describe('a long text that a vendor delivers in segments', () => {
  test('is joined, in any order and with duplicates', async () => {
    const { vendor, service } = await open('vonage')
    const parts = ['Once upon ', 'a time there ', 'was a drum ', '🥁 ', 'in Ìbàdàn.']
    const total = parts.length
    const hand = (n: number) =>
      vendor.sendSegment(`part-${n}`, FROM, NUMBER, parts[n] ?? '', { reference: 108, total, segment: n + 1 })
    expect(await Promise.all([4, 2, 0, 2, 3].map(hand))).toEqual([true, true, true, true, true])
    expect(await textsOf(service)).toEqual([])
    expect(await hand(1)).toBe(true)
    expect(await textsOf(service)).toMatchObject([{ from: FROM, to: NUMBER, text: parts.join('') }])
    // The vendor did not read our response, and posts all of it again.
    for (const n of [0, 1, 2, 3, 4]) expect(await hand(n)).toBe(true)
    expect(await textsOf(service)).toHaveLength(1)
    expect(await service.db`select 1 from inbound_segments`).toHaveLength(0)
  })

  test('is joined once when all segments arrive concurrently', async () => {
    const { vendor, service } = await open('vonage')
    const total = 12
    const text = (n: number) => `${'x'.repeat(100)}${String(n).padStart(3, '0')} `
    const all = Array.from({ length: total }, (_, n) => n)
    const accepted = await Promise.all(
      [...all, ...all].map((n) =>
        vendor.sendSegment(`p${n}`, FROM, NUMBER, text(n), { reference: 7, total, segment: n + 1 }),
      ),
    )
    expect(accepted.every(Boolean)).toBe(true)
    expect(await textsOf(service)).toMatchObject([{ text: all.map(text).join('') }])
  })

  test('is kept apart from others with its reference, and STOP in segments opts out', async () => {
    const { vendor, service } = await open('vonage')
    const hand = (id: string, from: string, text: string, segment: number, total = 2) =>
      vendor.sendSegment(id, from, NUMBER, text, { reference: 1, total, segment })
    await hand('a1', FROM, 'ST', 1)
    await hand('b1', '2348051234567', 'Hel', 1)
    await hand('c1', FROM, 'another', 1, 3)
    await hand('b2', '2348051234567', 'lo', 2)
    await hand('a2', FROM, 'OP', 2)
    expect(await textsOf(service)).toMatchObject([{ text: 'Hello' }, { text: 'STOP' }])
    expect(await service.db`select recipient, source from optouts`).toMatchObject([{ recipient: FROM, source: 'text' }])
  })

  test('is passed on without the segments that never arrive', { timeout: 120_000 }, async () => {
    const { vendor, service } = await open('vonage')
    await vendor.sendSegment('p1', FROM, NUMBER, 'The beginning ', { reference: 9, total: 3, segment: 1 })
    await vendor.sendSegment('p3', FROM, NUMBER, 'the end', { reference: 9, total: 3, segment: 3 })
    expect(await textsOf(service)).toEqual([])
    await service.db`update inbound_segments set received_datetime = now() - interval '3 hours'`
    await until('the sweep', async () => (await textsOf(service)).length > 0, 60_000)
    expect(await textsOf(service)).toMatchObject([{ text: 'The beginning the end' }])
  })

  test('is not joined if the segment numbers are invalid, or a segment is too long', async () => {
    const { vendor, service } = await open('vonage')
    const odd = [
      { reference: 1, total: 0, segment: 1 },
      { reference: 1, total: 1, segment: 1 },
      { reference: 1, total: 256, segment: 1 },
      { reference: 1, total: 2, segment: 3 },
      { reference: 1, total: 2, segment: 0 },
      { reference: 65_536, total: 2, segment: 1 },
      { reference: 1.5, total: 2, segment: 1 },
    ]
    for (const [n, segment] of odd.entries()) {
      expect(await vendor.sendSegment(`odd-${n}`, FROM, NUMBER, `Hello ${n}`, segment)).toBe(true)
    }
    const long = 'x'.repeat(161)
    expect(await vendor.sendSegment('long', FROM, NUMBER, long, { reference: 1, total: 2, segment: 1 })).toBe(true)
    const texts = await textsOf(service)
    expect(texts.map(({ text }) => text)).toEqual([...odd.map((_, n) => `Hello ${n}`), long])
    expect(await service.db`select 1 from inbound_segments`).toHaveLength(0)
  })
})

describe('an opt-out that a vendor reports', () => {
  const optoutsOf = async (organisation: Organisation) =>
    (await organisation.call<{ optouts: { recipient: string; source: string }[] }>('GET', '/optouts')).body.optouts

  test('counts for the organisations of the sender, once, and its next messages are rejected', async () => {
    const { vendor, service } = await open('africastalking')
    const [bank, shop, both] = await Promise.all([
      service.organisation({ sender: 'Bank' }),
      service.organisation({ sender: 'Shop' }),
      service.organisation({ sender: 'BANK' }),
    ])
    for (let n = 0; n < 2; n += 1) expect(await vendor.optOut(FROM, 'Bank')).toBe(true)
    expect(await optoutsOf(bank)).toMatchObject([{ recipient: FROM, source: 'carrier' }])
    expect(await optoutsOf(both)).toMatchObject([{ recipient: FROM, source: 'carrier' }])
    expect(await optoutsOf(shop)).toEqual([])
    expect(await textsOf(service)).toEqual([])
    const sent = await bank.call<{ id: string }>('POST', '/sms/send', { recipients: FROM, content: 'Hello' })
    const [delivery] = await until('it to end', async () => {
      const { body } = await bank.call<{ deliveries: { status: string; code: string; charge: number }[] }>(
        'GET',
        `/sms/${sent.body.id}`,
      )
      return body.deliveries[0]?.status === 'rejected' && body.deliveries
    })
    expect(delivery).toMatchObject({ code: 'opted_out', charge: 0 })
    expect(vendor.taken).toHaveLength(0)
  })

  test('for an unknown sender is acknowledged and logged', async () => {
    const { vendor, service } = await open('africastalking')
    const other = await service.organisation()
    expect(await vendor.optOut(FROM, 'Unknown')).toBe(true)
    expect(await optoutsOf(service)).toEqual([])
    expect(await optoutsOf(other)).toEqual([])
    const lines = service.log_lines.map(({ sentence }) => sentence)
    expect(lines).toContain('people opted out of senders that belong to no organisation')
  })

  test('counts for the only organisation, for any sender', async () => {
    const { vendor, service } = await open('africastalking')
    expect(await vendor.optOut(FROM, 'Unknown')).toBe(true)
    expect(await optoutsOf(service)).toMatchObject([{ recipient: FROM }])
  })

  test('without the secret is rejected, and one without a number changes nothing', async () => {
    const { service } = await open('africastalking')
    const post = async (query: string, form: Record<string, string>) => {
      const url = `${service.url}/carriers/http/vendor/texts${query}`
      return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status
    }
    const form = { senderId: 'Gangan', phoneNumber: `+${FROM}` }
    expect(await post('', form)).toBe(401)
    expect(await post('?secret=wrong', form)).toBe(401)
    const right = '?secret=a-word-for-the-emulator'
    expect(await post(right, { ...form, phoneNumber: 'public' })).toBe(200)
    expect(await post(right, { senderId: 'Gangan' })).toBe(200)
    expect(await optoutsOf(service)).toEqual([])
    expect(await post(right, form)).toBe(200)
    expect(await optoutsOf(service)).toHaveLength(1)
  })
})
