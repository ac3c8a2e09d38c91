import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

/** Carriers of different encodings, each with the numbers of one prefix. */
const WAYS = {
  usual: { prefix: '234803', alphabet: 'gsm7', long: 'udh8' },
  wide: { prefix: '234805', alphabet: 'gsm7', long: 'udh16' },
  latin1: { prefix: '234807', alphabet: 'latin1', long: 'udh8' },
  payload: { prefix: '234809', alphabet: 'latin1', long: 'payload' },
} as const
type Way = keyof typeof WAYS
const NAMES = Object.keys(WAYS) as Way[]

type Estimate = { charge: number; encoding: string; message_length: number; pages: number }
type Text = Estimate & { recipients: number; foreign_characters: { character: string }[]; gsm?: { pages: number } }
type Answer = {
  id: string
  meta: { estimate: Estimate }
  texts: Text[]
  texts_total: number
  gsm: { charge: number }
  smart_encoding: { charge: number }
  errors: { field: string; type: string; message: string }[]
}
type Delivery = { recipient: string; status: string; pages: number; charge: number }

let service: TestService
const smscs = new Map<Way, Smsc>()

beforeAll(async () => {
  for (const name of NAMES) smscs.set(name, await startSmsc({ alphabet: WAYS[name].alphabet }))
  const carriers = NAMES.map((name) => {
    const { alphabet, long } = WAYS[name]
    return smppCarrier(smscs.get(name)!.port, { name, profile: { alphabet, long } })
  })
  const routes = NAMES.map((name) => ({ name, channel: 'sms', prefix: WAYS[name].prefix, carrier: name }))
  service = await openService({ credit: 1_000_000, settings: { carriers, routes } })
  await until('the binds', () => [...smscs.values()].every(({ bound }) => bound === 1))
})
afterAll(async () => {
  await service.close()
  for (const smsc of smscs.values()) await smsc.stop()
})

let next_number = 1_000_000
const numberOf = (way: Way): string => WAYS[way].prefix + String((next_number += 1))
const estimate = (body: object, by: Organisation = service) => by.call<Answer>('POST', '/sms/estimate', body)
const send = (body: object, by: Organisation = service) => by.call<Answer>('POST', '/sms/send', body)
const balance = async () => (await service.call<{ balance: number }>('GET', '/balance')).body.balance

/** The segments in which a phone received this text. */
async function segments(way: Way, to: string, text: string): Promise<number> {
  const { shown } = smscs.get(way)!.handsets
  const got = await until(`the text at ${to}`, () => shown.find((one) => one.to === to))
  expect(got.text).toBe(text)
  return got.segments
}

async function deliveriesOf(id: string): Promise<Delivery[]> {
  return (await service.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)).body.deliveries
}

const a = (count: number) => 'a'.repeat(count)

describe('the charged pages are those sent', () => {
  test.each<[Way, string, string, string, number]>([
    ['usual', 'two full segments', a(306), 'GSM', 2],
    ['wide', 'two full segments of the usual header', a(306), 'GSM', 3],
    ['wide', 'a full message without a header', a(160), 'GSM', 1],
    ['wide', '1,500 characters', a(1_500), 'GSM', 10],
    ['wide', 'ten full segments', a(1_520), 'GSM', 10],
    ['wide', 'two full segments of UCS-2 with the usual header', '₦'.repeat(134), 'UCS-2', 3],
    ['latin1', 'a Greek character', `${a(100)}Δ`, 'UCS-2', 2],
    ['latin1', 'a Greek character in a short text', 'ΔE', 'UCS-2', 1],
    ['latin1', 'the euro', `${a(70)}€`, 'UCS-2', 2],
    ['latin1', 'accents and brackets', `é[${a(157)}`, 'GSM', 1],
    ['latin1', 'a bracket too many', `é[${a(158)}`, 'GSM', 2],
    ['usual', 'a Greek character where GSM is GSM', `${a(100)}Δ`, 'GSM', 1],
  ])('%s: %s', async (way, _, content, encoding, pages) => {
    const recipients = numberOf(way)
    const estimated = await estimate({ recipients, content })
    const sent = await send({ recipients, content })
    expect(sent.status).toBe(200)
    expect(sent.body.meta.estimate).toMatchObject({ encoding, pages, charge: 4 * pages })
    expect(estimated.body.meta.estimate).toMatchObject({ encoding, pages, charge: 4 * pages })
    expect(estimated.body.texts).toMatchObject([{ encoding, pages, charge: 4 * pages }])
    expect(await segments(way, recipients, content)).toBe(pages)
    expect(await deliveriesOf(sent.body.id)).toMatchObject([{ pages, charge: 4 * pages }])
  })

  test('messages split by the carrier are counted as sent over the air', async () => {
    for (const [content, pages] of [
      [a(306), 2],
      [a(307), 3],
      [`${a(133)}Δ`, 2],
      [`${a(134)}Δ`, 3],
    ] as const) {
      const recipients = numberOf('payload')
      const sent = await send({ recipients, content })
      expect(sent.body.meta.estimate).toMatchObject({ pages, charge: 4 * pages })
      expect(await segments('payload', recipients, content)).toBe(1)
    }
  })

  test('also of a one-time password', async () => {
    const by = await service.organisation({ credit: 1_000 })
    const text = `\u0394 {{token}} ${a(64)}`
    expect((await by.call('PATCH', '/otp/settings', { template: text })).status).toBe(200)
    for (const [way, pages] of [
      ['usual', 1],
      ['latin1', 2],
    ] as const) {
      // prettier-ignore
      const recipient = numberOf(way)
      const { status, body } = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient, token: '4711' })
      expect(status).toBe(200)
      expect(await segments(way, recipient, text.replace('{{token}}', '4711'))).toBe(pages)
      const { deliveries } = (await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${body.id}`)).body
      expect(deliveries).toMatchObject([{ pages, charge: 4 * pages }])
    }
  })
})

describe('a text of more than ten pages on its route is rejected', () => {
  test.each<[Way, string, number]>([
    ['wide', a(1_530), 11],
    ['wide', a(1_521), 11],
    ['wide', '₦'.repeat(661), 11],
    ['latin1', `${a(670)}Δ`, 11],
    ['usual', a(1_531), 11],
  ])('%s (%#)', async (way, content, pages) => {
    const before = await balance()
    const { submits } = smscs.get(way)!.counts
    const recipients = numberOf(way)
    const message = `The text is ${pages} pages long; at most 10 are sent.`
    for (const answer of [await estimate({ recipients, content }), await send({ recipients, content })]) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([{ field: 'content', message, type: 'string_too_long' }])
    }
    expect(await balance()).toBe(before)
    expect(smscs.get(way)!.counts.submits).toBe(submits)
  })

  test('for all recipients, once, if it is too long for one of them', async () => {
    const recipients = NAMES.map(numberOf)
    const { status, body } = await send({ recipients, content: a(1_530) })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'content', type: 'string_too_long' }])
  })
})

describe('one message to numbers of several carriers', () => {
  const content = `${a(150)}Δ`
  const PAGES: Record<Way, number> = { usual: 1, wide: 1, latin1: 3, payload: 3 }

  test('has the pages of each, and the estimate shows them', async () => {
    const people = NAMES.map((way) => ({ way, recipient: numberOf(way) }))
    const recipients = people.map(({ recipient }) => recipient)
    const estimated = (await estimate({ recipients, content })).body
    const { body } = await send({ recipients, content })
    expect(estimated.meta.estimate).toEqual(body.meta.estimate)
    expect(body.meta.estimate).toMatchObject({ charge: 4 * 8, pages: 3, encoding: 'UCS-2', message_length: 151 })
    // One text, shown in its longest form, with the charge of all.
    expect(estimated.texts).toMatchObject([
      { recipients: 4, pages: 3, encoding: 'UCS-2', charge: 4 * 8, foreign_characters: [{ character: 'Δ' }] },
    ])
    expect(estimated).toMatchObject({ texts_total: 1, gsm: { charge: 4 * 4 }, smart_encoding: { charge: 4 * 8 } })
    const deliveries = await deliveriesOf(body.id)
    for (const { way, recipient } of people) {
      const own = deliveries.find((one) => one.recipient === recipient)
      expect(own).toMatchObject({ pages: PAGES[way], charge: 4 * PAGES[way] })
      expect(await segments(way, recipient, content)).toBe(way === 'payload' ? 1 : PAGES[way])
    }
  })

  test('from a template, too', async () => {
    const { body: template } = await service.call<{ id: string }>('POST', '/templates', {
      name: 'x',
      content: `{{greek|}}${a(305)}`,
    })
    const [usual, wide, plain, greek] = [numberOf('usual'), numberOf('wide'), numberOf('latin1'), numberOf('latin1')]
    const personalisation = [{ to: greek, substitutions: { greek: 'Δ' } }]
    const asked = { recipients: [usual, wide, plain, greek], template_id: template.id, personalisation }
    const estimated = (await estimate(asked)).body
    const { body } = await send(asked)
    expect(estimated.meta.estimate).toEqual(body.meta.estimate)
    const deliveries = await deliveriesOf(body.id)
    const pagesOf = (recipient: string) => deliveries.find((one) => one.recipient === recipient)?.pages
    expect([usual, wide, plain, greek].map(pagesOf)).toEqual([2, 3, 2, 5])
    expect(body.meta.estimate).toMatchObject({ pages: 5, charge: 4 * 12 })
    expect(await segments('wide', wide, a(305))).toBe(3)
    expect(await segments('latin1', greek, `Δ${a(305)}`)).toBe(5)
  })

  test('in a long list, too', async () => {
    const recipients = Array.from({ length: 120 }, (_, n) => numberOf(n % 2 === 0 ? 'usual' : 'latin1'))
    const { body } = await send({ recipients, content })
    expect(body.meta.estimate).toMatchObject({ charge: 4 * (60 * 1 + 60 * 3), pages: 3 })
    const deliveries = await until('all of them submitted', async () => {
      const all = await deliveriesOf(body.id)
      return all.length === 120 && all.every(({ status }) => status !== 'queued') && all
    })
    for (const [n, { pages, charge }] of deliveries.entries()) {
      expect({ pages, charge }).toEqual(n % 2 === 0 ? { pages: 1, charge: 4 } : { pages: 3, charge: 12 })
    }
    expect(await segments('latin1', recipients[1] ?? '', content)).toBe(3)
  })
})

test('replacement characters are used only if they bring the text into the alphabet of the carrier', async () => {
  for (const [way, content, sent] of [
    ['usual', '\u201c€5\u201d', '"€5"'],
    ['latin1', '\u201c€5\u201d', '\u201c€5\u201d'],
    ['latin1', '\u201c£5\u201d', '"£5"'],
  ] as const) {
    const recipients = numberOf(way)
    const { body } = await send({ recipients, content, smart_encoding: true })
    expect(body).toMatchObject({ content: sent, meta: { estimate: { pages: 1 } } })
    expect(await segments(way, recipients, sent)).toBe(1)
  }
})

test('a test key counts like the simulator, which gets its messages', async () => {
  const by = await service.organisation({ mode: 'test', of: service })
  const { body } = await send({ recipients: numberOf('wide'), content: a(306) }, by)
  expect(body.meta.estimate).toMatchObject({ pages: 2, charge: 8 })
})

test('the ledger balances', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})
