import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasKannel, startKannel, type Kannel } from '../../bench/kannel.ts'
import { startNpmSmsc, type NpmSmsc, type PeerPdu } from '../support/npm-smsc.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const TO = '2348031234567'

let service: TestService
let smsc: NpmSmsc

beforeAll(async () => {
  smsc = await startNpmSmsc()
  service = await openService({ settings: { carriers: [smppCarrier(smsc.port)], routes: [smppRoute] } })
})
beforeEach(() => {
  smsc.submits.length = 0
  smsc.answer = (_, n) => ({ message_id: `m${n}` })
})
afterAll(async () => {
  await service.close()
  await smsc.close()
})

/** The query goes out as it is written, octet by octet. */
async function sendsms(query: string): Promise<{ status: number; id: string }> {
  const response = await fetch(`${service.url}/cgi-bin/sendsms?username=x&password=${service.key}&to=${TO}&${query}`)
  return { status: response.status, id: response.headers.get('x-message-id') ?? '' }
}

/** What the message centre got, as its own library reads it: of septets and UCS-2 the characters. */
function received({ data_coding, esm_class, short_message: { udh = [], message = '' } }: PeerPdu) {
  const header = Buffer.concat(udh)
  const octets = Buffer.isBuffer(message) ? message : Buffer.from(message, 'utf16le').swap16()
  return { data_coding, esm_class, header: header.toString('hex'), octets: octets.toString('hex') }
}

/** Port 5505 is where handsets listen for tones; 70 00 is an order for a SIM card. */
const PORT = 'udh=%06%05%04%15%82%00%00'
const SINGLE = [
  ['8-bit', 'coding=1&text=%00%FF%80+%2B%0D%0Aa', 0x04, '', '00ff80202b0d0a61'],
  ['a header makes it 8-bit', `${PORT}&text=%30%11%E9`, 0x04, '050415820000', '3011e9'],
  ['a header and 8-bit', `${PORT}&coding=1&text=%00`, 0x04, '050415820000', '00'],
  ['a header and UCS-2', `${PORT}&coding=2&text=%20%A6%00a`, 0x08, '050415820000', '20a60061'],
  ['a header and 7-bit', `${PORT}&coding=0&text=%40+%E2%82%AC%C3%A9`, 0x00, '050415820000', '0040002020ac00e9'],
  ['a header and UCS-2 of a class', `${PORT}&coding=2&mclass=1&text=%00a`, 0x19, '050415820000', '0061'],
  ['8-bit of a class', 'udh=%02%70%00&coding=1&mclass=2&text=%01%02', 0xf6, '7000', '0102'],
  ['a segment that is numbered', 'udh=%05%00%03%2A%02%01&text=%7F', 0x04, '00032a0201', '7f'],
] as const

describe('octets', () => {
  test.each(SINGLE)('%s', async (_, query, data_coding, header, octets) => {
    expect((await sendsms(query)).status).toBe(202)
    await until('the submit', () => smsc.submits.length === 1)
    expect(smsc.submits.map(received)).toEqual([{ data_coding, esm_class: header === '' ? 0 : 0x40, header, octets }])
  })

  test('of more than one short message are split, charged by the page, and whole when they are joined', async () => {
    const octets = Buffer.from(Array.from({ length: 300 }, (_, n) => n % 256))
    const text = octets.toString('hex').replace(/../g, '%$&')
    const before = await balance()
    const { id } = await sendsms(`${PORT}&text=${text}`)
    await until('the submits', () => smsc.submits.length === 3)
    const segments = smsc.submits.map(received).sort((a, b) => (a.header < b.header ? -1 : 1))
    expect(segments.map(({ octets: part }) => part).join('')).toBe(octets.toString('hex'))
    expect(segments.map(({ header }) => header)).toEqual(
      [1, 2, 3].map((n) => expect.stringMatching(new RegExp(`^0504158200000003..030${n}$`))),
    )
    expect(before - (await balance())).toBe(3 * 4)
    const { body } = await service.call<{ content: string }>('GET', `/sms/${id}`)
    expect(body.content).toBe(`04 06050415820000 ${octets.toString('hex')}`)
  })

  test('are the same when they are tried again', async () => {
    smsc.answer = (_, n) => (n === 1 ? { command_status: 0x08 } : { message_id: 'again' })
    await sendsms(`${PORT}&text=%00%01`)
    await until('a second try', () => smsc.submits.length === 2)
    const [first, second] = smsc.submits.map(received)
    expect(first).toMatchObject({ header: '050415820000', octets: '0001' })
    expect(second).toEqual(first)
  })

  async function balance(): Promise<number> {
    return (await service.call<{ balance: number }>('GET', '/balance')).body.balance
  }
})

/** Debian's Kannel, asked the same and bound to the same. Without the package `kannel` this is left out, and said so. */
describe.skipIf(!hasKannel())('Kannel itself', () => {
  let kannel: Kannel
  let other: NpmSmsc
  beforeAll(async () => {
    other = await startNpmSmsc()
    kannel = await startKannel(other.port)
    await until('Kannel to be bound', async () => (await (await fetch(kannel.status_url)).text()).includes('online'))
  })
  afterAll(async () => {
    await kannel.stop()
    await other.close()
  })

  test('sends the same octets', async () => {
    const wanted = []
    for (const [, query, data_coding, header, octets] of SINGLE) {
      const login = 'username=bench&password=bench&from=Gangan'
      const { status } = await fetch(`http://127.0.0.1:${kannel.port}/cgi-bin/sendsms?${login}&to=${TO}&${query}`)
      expect([query, status]).toEqual([query, 202])
      wanted.push({ data_coding, esm_class: header === '' ? 0 : 0x40, header, octets })
      await until('the submit', () => other.submits.length === wanted.length)
    }
    expect(
      other.submits.map(received).map(({ esm_class, ...rest }) => ({ esm_class: esm_class & 0x40, ...rest })),
    ).toEqual(wanted)
  })
})
