import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'

type Inbound = { inbound: { from: string; to: string; text: string }[] }

let smsc: NpmSmsc
let service: TestService

beforeAll(async () => {
  smsc = await startNpmSmsc()
  service = await openService({
    credit: 10_000,
    settings: { carriers: [smppCarrier(smsc.port)], routes: [smppRoute] },
  })
})
afterAll(async () => {
  await service.close()
  await smsc.close()
})

/** Types of number, as SMPP calls them. */
const [UNKNOWN, INTERNATIONAL, NATIONAL, SHORT_CODE, NAME] = [0, 1, 2, 3, 5]

async function write(source_addr: string, source_addr_ton: number, text: string, more: object = {}): Promise<void> {
  const pdu = { source_addr, source_addr_ton, destination_addr: '32811', short_message: text, ...more }
  expect(await smsc.deliver(pdu)).toBe(0)
}

const textsFrom = async (from: string) =>
  (await service.call<Inbound>('GET', `/inbound?from=${encodeURIComponent(from)}`)).body.inbound

async function chargeFor(recipients: string): Promise<number> {
  const { body } = await service.call<{ meta: { estimate: { charge: number } } }>('POST', '/sms/send', {
    recipients,
    content: 'Hello',
  })
  return body.meta.estimate.charge
}

describe('STOP from a phone', () => {
  test.each([
    ['08039944442', NATIONAL, '2348039944442'],
    ['8039944444', NATIONAL, '2348039944444'],
    ['8039944445', UNKNOWN, '2348039944445'],
    ['08039944446', UNKNOWN, '2348039944446'],
    ['+2348039944447', INTERNATIONAL, '2348039944447'],
    ['002348039944448', INTERNATIONAL, '2348039944448'],
    ['23408039944449', INTERNATIONAL, '2348039944449'],
    // Types of number are often wrong: no country code begins with a zero, and a short code is one whatever the type
    // says.
    ['08039944450', INTERNATIONAL, '2348039944450'],
    ['2348039944451', NATIONAL, '2348039944451'],
    ['14155552671', UNKNOWN, '14155552671'],
    ['14155552672', NATIONAL, '14155552672'],
    // A range that no numbering plan has yet: the carrier says that it is national.
    ['7990001234', NATIONAL, '2347990001234'],
  ])('%s with type %i is normalised, and opts out', async (from, ton, number) => {
    await write(from, ton, 'STOP')
    expect(await textsFrom(number)).toMatchObject([{ from: number, text: 'STOP', to: '32811' }])
    expect(await chargeFor(number)).toBe(0)
    const { body } = await service.call<{ optouts: object[] }>('GET', `/optouts?recipient=${number}`)
    expect(body.optouts).toMatchObject([{ recipient: number, source: 'text' }])
    await write(number, INTERNATIONAL, 'START')
    expect(await chargeFor(number)).toBeGreaterThan(0)
  })

  test('is found by every spelling of its number', async () => {
    await write('08039944460', NATIONAL, 'STOP')
    for (const spelling of ['08039944460', '8039944460', '+2348039944460', '23408039944460', '0803 994 4460']) {
      expect(await textsFrom(spelling)).toHaveLength(1)
      const found = await service.call<{ optouts: object[] }>(
        'GET',
        `/optouts?recipient=${encodeURIComponent(spelling)}`,
      )
      expect(found.body.optouts).toHaveLength(1)
    }
    const beginning = await service.call<{ optouts: object[] }>('GET', '/optouts?recipient=0803994446')
    expect(beginning.body.optouts).toHaveLength(1)
  })
})

describe('a sender that is not a number', () => {
  test.each([
    ['32811', SHORT_CODE, '32811'],
    ['32812', UNKNOWN, '32812'],
    ['32813', NATIONAL, '32813'],
    ['0803994', SHORT_CODE, '0803994'],
    ['MTN Info', NAME, 'MTN Info'],
  ])('%s with type %i stays unchanged', async (from, ton, shown) => {
    await write(from, ton, `from ${from}`)
    const { body } = await service.call<Inbound>('GET', '/inbound?limit=1')
    expect(body.inbound).toMatchObject([{ from: shown, text: `from ${from}` }])
  })
})

test('the destination of a text is normalised, too', async () => {
  await write('2348039944470', INTERNATIONAL, 'Hi', { destination_addr: '08012345678', dest_addr_ton: NATIONAL })
  expect(await textsFrom('2348039944470')).toMatchObject([{ to: '2348012345678' }])
})

test('a carrier in another country has numbers of that country', async () => {
  const abroad = await startNpmSmsc()
  const carriers = [smppCarrier(abroad.port, { country: 'US' })]
  const there = await openService({ credit: 1_000, settings: { carriers, routes: [smppRoute] } })
  // A number of Egypt, except for its type.
  for (const [source_addr, source_addr_ton] of [
    ['2015550123', NATIONAL],
    ['4155552671', UNKNOWN],
    ['2348039944471', UNKNOWN],
  ] as const) {
    await abroad.deliver({ source_addr, source_addr_ton, destination_addr: '32811', short_message: 'Hi' })
  }
  const { body } = await there.call<Inbound>('GET', '/inbound')
  expect(body.inbound.map(({ from }) => from)).toEqual(['2348039944471', '14155552671', '12015550123'])
  await there.close()
  await abroad.close()
})
