import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Row = { status: string; carrier: string | null; pages: number; charge: bigint; refunded: boolean }

const NUMBER = '2348031234567'
/** One page in the GSM alphabet, two if a carrier uses Latin-1. */
const GREEK = `${'a'.repeat(100)}Δ`
const TRY_ANOTHER = 0x45

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

async function open(profiles: { first?: object; second?: object }): Promise<TestService> {
  const carriers = [
    smppCarrier(first.port, { name: 'first', profile: profiles.first }),
    smppCarrier(second.port, { name: 'second', profile: profiles.second }),
  ]
  const routes = [{ name: 'sms', channel: 'sms', carriers: ['first', 'second'] }]
  service = await openService({ settings: { carriers, routes } })
  await until('both binds', () => first.binds.length > 0 && second.binds.length > 0)
  return service
}

async function send(by: TestService, content: string): Promise<{ id: string; pages: number; charge: number }> {
  const { status, body } = await by.call<{ id: string; meta: { estimate: { pages: number; charge: number } } }>(
    'POST',
    '/sms/send',
    { recipients: NUMBER, content },
  )
  expect(status).toBe(200)
  return { id: body.id, ...body.meta.estimate }
}

async function ends(by: TestService, id: string, wanted: string): Promise<Row> {
  return until(`${id} to be ${wanted}`, async () => {
    const [row] = await by.db<Row[]>`
      select status, carrier, pages, charge, refunded from deliveries where message_id = ${id}`
    return row?.status === wanted && row
  })
}

describe('a route with carriers of different encodings', () => {
  test('counts like its first one', async () => {
    const by = await open({ first: { alphabet: 'latin1' } })
    const sent = await send(by, GREEK)
    expect(sent).toMatchObject({ pages: 2, charge: 8 })
    expect(await ends(by, sent.id, 'sent')).toMatchObject({ carrier: 'first', pages: 2 })
    expect(first.submits).toHaveLength(2)
  })

  test('is charged as announced, also if the second sends it in more segments, completely', async () => {
    const by = await open({ second: { alphabet: 'latin1' } })
    first.answer = () => ({ command_status: TRY_ANOTHER })
    const sent = await send(by, GREEK)
    expect(sent).toMatchObject({ pages: 1, charge: 4 })
    expect(await ends(by, sent.id, 'sent')).toMatchObject({ carrier: 'second', pages: 1, charge: 4_0000n })
    const segments = second.submits.map(({ short_message }) => String(short_message.message))
    expect(segments).toHaveLength(2)
    expect(segments.join('')).toBe(GREEK)
    expect(await auditMoney(by.db)).toEqual([])
  })
})

describe('a message with an unknown outcome', () => {
  test('is not considered delivered by one report if it was sent in segments, whatever was charged', async () => {
    const by = await open({ second: { alphabet: 'latin1' } })
    first.answer = () => ({ command_status: TRY_ANOTHER })
    second.answer = () => 'cut'
    const { id } = await send(by, GREEK)
    await ends(by, id, 'unknown')
    expect(second.submits).toHaveLength(1)
    // If it were matched by its number, the report on this first segment would count for all of it.
    expect(await by.db`select 1 from submissions where message_id = ${id}`).toHaveLength(0)
  })

  test('is matched by its number if it was sent as a whole, for any number of pages', async () => {
    const by = await open({ first: { long: 'payload' } })
    first.answer = () => 'cut'
    const { id, pages } = await send(by, 'a'.repeat(400))
    expect(pages).toBe(3)
    await ends(by, id, 'unknown')
    expect(first.submits).toHaveLength(1)
    const known = await until('the stored id', async () => {
      const rows = await by.db`select carrier, recipient, segments from submissions where message_id = ${id}`
      return rows.length > 0 && rows
    })
    expect(known).toEqual([{ carrier: 'first', recipient: NUMBER, segments: 1 }])
  })
})
