import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Delivery = { recipient: string; status: string; code?: string; description?: string; refunded: boolean }

let smsc: NpmSmsc
let service: TestService

beforeAll(async () => {
  smsc = await startNpmSmsc()
  const profile = { errors: { '0x40b': { kind: 'temporary', description: 'no credit with the carrier' } } }
  service = await openService({
    credit: 10_000,
    settings: { carriers: [smppCarrier(smsc.port, { profile })], routes: [smppRoute] },
  })
})
beforeEach(() => {
  smsc.submits = []
  smsc.answer = (_, n) => ({ message_id: `m-${n}` })
})
afterAll(async () => {
  await service.close()
  await smsc.close()
})

async function send(recipient: string, content = 'Hello', by: Organisation = service): Promise<string> {
  const body = { recipients: recipient, content }
  const answer = await by.call<{ id: string }>('POST', '/sms/send', body)
  expect(answer.status).toBe(200)
  return answer.body.id
}

async function deliveryOf(id: string): Promise<Delivery | undefined> {
  return (await service.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)).body.deliveries[0]
}

async function reaches(id: string, status: string): Promise<Delivery> {
  return until(`${id} to be ${status}`, async () => {
    const delivery = await deliveryOf(id)
    return delivery?.status === status && delivery
  })
}

/** No report or submission is pending any more. */
async function settled(): Promise<void> {
  await until(
    'the queues to be empty',
    async () => (await service.db`select 1 from jobs union all select 1 from intake limit 1`).length === 0,
  )
}

const udhOf = ({ short_message }: NpmSmsc['submits'][number]) => [...(short_message.udh?.[0] ?? [])]
const partOf = (pdu: NpmSmsc['submits'][number]) => udhOf(pdu)[4]
const textOf = ({ short_message }: NpmSmsc['submits'][number]) => String(short_message.message)

describe('a message', () => {
  test('is submitted, and its report is matched', async () => {
    smsc.answer = () => ({ message_id: 'AbC-1' })
    const id = await send('2348031234567')
    await reaches(id, 'sent')
    expect(smsc.submits).toHaveLength(1)
    expect(smsc.submits[0]).toMatchObject({
      source_addr: 'Gangan',
      source_addr_ton: 5,
      destination_addr: '2348031234567',
      dest_addr_ton: 1,
      registered_delivery: 1,
      priority_flag: 0,
      short_message: { message: 'Hello' },
    })
    expect(await smsc.report('AbC-1', 'DELIVRD')).toBe(0)
    expect(await reaches(id, 'delivered')).toMatchObject({ code: '000', description: 'delivered' })
  })

  test('to a live carrier means live mode', () => {
    expect(service.config.sandbox).toBe(false)
  })

  test('of an OTP is urgent, and expires with it', async () => {
    await service.call('POST', '/otp/request_token', { recipient: '2348031230001', expires_in: 10 })
    await until('the submit', () => smsc.submits.length === 1)
    expect(smsc.submits[0]?.priority_flag).toBe(1)
    // npm `smpp` parses a relative time as the resulting date.
    const left_s = (Number(new Date(String(smsc.submits[0]?.validity_period))) - Date.now()) / 1_000
    expect(left_s).toBeGreaterThan(590 - 30)
    expect(left_s).toBeLessThanOrEqual(602)
  })

  test.each([
    ['UNDELIV', '008', 'undelivered', 'subscriber on DND'],
    ['EXPIRED', '027', 'expired', 'absent subscriber'],
    ['REJECTD', '0', 'rejected', 'REJECTD'],
    ['DELETED', '1', 'undelivered', 'DELETED'],
    ['UNKNOWN', '2', 'unknown', 'UNKNOWN'],
  ])('reported as %s %s ends %s', async (stat, err, status, description) => {
    smsc.answer = () => ({ message_id: `of-${stat}` })
    const id = await send('2348031234567')
    await reaches(id, 'sent')
    await smsc.report(`of-${stat}`, 'ENROUTE')
    await smsc.report(`of-${stat}`, stat, { err })
    expect(await reaches(id, status)).toMatchObject({ description, refunded: status === 'rejected' })
  })

  test.each([
    [0x0a, 'RINVSRCADR', 'the sender ID is not registered with the carrier'],
    [0x45, 'RSUBMITFAIL', 'the carrier could not accept it'],
    [0x0b, 'RINVDSTADR', 'the carrier does not know this number'],
    [0x401, '0x00000401', 'refused by the carrier'],
  ])('rejected with 0x%s is refunded', async (command_status, code, description) => {
    smsc.answer = () => ({ command_status })
    const id = await send('2348031234567')
    expect(await reaches(id, 'rejected')).toMatchObject({ code, description, refunded: true })
    expect(smsc.submits).toHaveLength(1)
  })

  test.each([[0x08], [0x64], [0x40b]])('rejected temporarily with 0x%s is sent again', async (command_status) => {
    smsc.answer = (_, n) => (n === 1 ? { command_status } : { message_id: `again-${command_status}` })
    const id = await send('2348031234567')
    await reaches(id, 'sent')
    expect(smsc.submits).toHaveLength(2)
  })

  test('with a validity the carrier does not support is sent without', async () => {
    smsc.answer = (_, n) => (n === 1 ? { command_status: 0x62 } : { message_id: 'without' })
    await service.call('POST', '/otp/request_token', { recipient: '2348031230002', expires_in: 10 })
    await until('both submits', () => smsc.submits.length === 2)
    expect(smsc.submits[1]?.validity_period).toBeFalsy()
  })

  test('that is throttled is sent again without counting as an attempt', async () => {
    smsc.answer = (_, n) => (n <= 2 ? { command_status: 0x58 } : { message_id: 'throttled' })
    const id = await send('2348031234567')
    await reaches(id, 'sent')
    expect(smsc.submits).toHaveLength(3)
    const [row] = await service.db`select count(*)::integer as count from jobs where attempts > 1`
    expect(row?.count).toBe(0)
  })
})

describe('a report', () => {
  test.each([
    ['in another case', 'DEADBEEF00', 'deadbeef00'],
    ['without zeros', '0000004711', '4711'],
    ['in decimal for hexadecimal', '8C6A9F1B2D3E4F50', '10118074451913232208'],
    ['in hexadecimal for decimal', '9380935605053030457', '822FC73B00000039'],
  ])('finds its message though it names it %s', async (_, answered, reported) => {
    smsc.answer = () => ({ message_id: answered })
    const id = await send('2348035550001')
    await reaches(id, 'sent')
    await smsc.report(reported, 'DELIVRD', { from: '+2348035550001' })
    expect(await reaches(id, 'delivered')).toMatchObject({ code: '000' })
  })

  test('is matched to the number it names if its digits could mean two messages', async () => {
    smsc.answer = (pdu) => ({ message_id: pdu.destination_addr === '2348035550002' ? '500' : '1f4' })
    const [one, other] = [await send('2348035550002'), await send('2348035550003')]
    await reaches(one, 'sent')
    await reaches(other, 'sent')
    await smsc.report('500', 'DELIVRD', { from: '08035550003' })
    await reaches(other, 'delivered')
    expect((await deliveryOf(one))?.status).toBe('sent')
  })

  test('may arrive before the response, twice, and after the end', async () => {
    smsc.answer = async () => {
      await smsc.report('early', 'DELIVRD')
      return { message_id: 'early' }
    }
    const id = await send('2348031234567')
    await reaches(id, 'delivered')
    await smsc.report('early', 'DELIVRD')
    await smsc.report('early', 'EXPIRED')
    await settled()
    expect((await deliveryOf(id))?.status).toBe('delivered')
  })

  test('on an unknown message is stored, and acknowledged', async () => {
    expect(await smsc.report('nobody-knows', 'DELIVRD')).toBe(0)
    const rows = await service.db`select 1 from reports where carrier_message_id = 'nobody-knows'`
    expect(rows.length).toBe(1)
    await forgetReports()
  })

  test('is not acknowledged while it cannot be stored', async () => {
    await service.db`alter table reports rename to hidden`
    const hidden = await smsc.report('of-nobody-yet', 'DELIVRD')
    await service.db`alter table hidden rename to reports`
    expect(hidden).toBe(0x64)
    expect(await smsc.report('of-nobody-yet', 'DELIVRD')).toBe(0)
    await service.db`alter table submissions rename to hidden`
    const unmatched = await smsc.report('m-1', 'DELIVRD')
    await service.db`alter table hidden rename to submissions`
    expect(unmatched).toBe(0x64)
    await forgetReports()
  })

  async function forgetReports(): Promise<void> {
    await service.db`delete from reports`
    await service.db`delete from report_jobs`
  }
})

describe('the id format of a carrier', () => {
  test('is learned from reports that name their number', async () => {
    const by = await openService({ settings: { carriers: [smppCarrier(smsc.port)], routes: [smppRoute] } })
    let next = 0x1a0000
    smsc.answer = () => ({ message_id: (next += 1).toString(16) })
    for (let n = 0; n < 5; n += 1) {
      const before = smsc.submits.length
      const id = await send(`23480355511${n}0`, 'x', by)
      await until('it to be sent', () => smsc.submits.length > before)
      await smsc.report(String(next), 'DELIVRD', { from: `23480355511${n}0` })
      await until('it to be delivered', async () => {
        const { body } = await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)
        return body.deliveries[0]?.status === 'delivered'
      })
    }
    const learned = await until('it to be learned', async () => {
      const [row] = await by.db<{ mode: string }[]>`select mode from carrier_id_modes where carrier = 'mtn'`
      return row
    })
    expect(learned.mode).toBe('resp_hex_dlr_dec')
    await by.close()
  })
})

describe('a long message', () => {
  const LONG = `${'a'.repeat(152)}€${'b'.repeat(200)}`

  test('is sent in segments and delivered when all of them are', async () => {
    smsc.answer = (pdu) => ({ message_id: `part-${partOf(pdu)}` })
    const id = await send('2348031234567', LONG)
    await reaches(id, 'sent')
    expect(smsc.submits.map(udhOf).map((udh) => udh.slice(3))).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ])
    expect(new Set(smsc.submits.map((pdu) => udhOf(pdu)[2])).size).toBe(1)
    expect(smsc.submits.map(textOf).join('')).toBe(LONG)
    await smsc.report('part-3', 'DELIVRD')
    await smsc.report('part-1', 'DELIVRD')
    await settled()
    expect((await deliveryOf(id))?.status).toBe('sent')
    await smsc.report('part-2', 'DELIVRD')
    await reaches(id, 'delivered')
  })

  test('is delivered once when the reports on its segments arrive concurrently', async () => {
    smsc.answer = (_, n) => ({ message_id: `storm-${n}` })
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => send(`23480366600${10 + n}`, LONG)))
    await until('all segments', () => smsc.submits.length === 60)
    await Promise.all(Array.from({ length: 60 }, (_, n) => smsc.report(`storm-${n + 1}`, 'DELIVRD')))
    for (const id of ids) expect(await reaches(id, 'delivered')).toMatchObject({ refunded: false })
  })

  test('ends immediately when a segment fails, and stays charged', async () => {
    smsc.answer = (pdu) => ({ message_id: `lost-${partOf(pdu)}` })
    const id = await send('2348031234567', LONG)
    await reaches(id, 'sent')
    await smsc.report('lost-2', 'UNDELIV', { err: '004' })
    expect(await reaches(id, 'undelivered')).toMatchObject({ code: '004', refunded: false })
  })

  test('is rejected as a whole if its first segment is, and the others are not sent', async () => {
    smsc.answer = () => ({ command_status: 0x45 })
    const id = await send('2348031234567', LONG)
    expect(await reaches(id, 'rejected')).toMatchObject({ refunded: true })
    expect(smsc.submits).toHaveLength(1)
  })

  test('is undelivered if a later segment is rejected', async () => {
    smsc.answer = (pdu, n) => (partOf(pdu) === 2 ? { command_status: 0x45 } : { message_id: `torn-${n}` })
    const id = await send('2348031234567', LONG)
    expect(await reaches(id, 'undelivered')).toMatchObject({ code: 'RSUBMITFAIL', refunded: false })
    expect(smsc.submits).toHaveLength(3)
  })

  test('waits for a later segment that is rejected temporarily', async () => {
    smsc.answer = (pdu, n) => (partOf(pdu) === 2 && n < 4 ? { command_status: 0x64 } : { message_id: `late-${n}` })
    const id = await send('2348031234567', LONG)
    await reaches(id, 'sent')
    expect(smsc.submits.filter((pdu) => partOf(pdu) === 1)).toHaveLength(1)
  })

  test('in UCS-2 arrives unchanged', async () => {
    const text = '₦'.repeat(80)
    const id = await send('2348031234567', text)
    await reaches(id, 'sent')
    expect(smsc.submits.map(textOf).join('')).toBe(text)
    expect(smsc.submits.every(({ data_coding }) => data_coding === 8)).toBe(true)
  })
})

describe('a carrier that does not answer', () => {
  test('leaves a message unknown, and it is never sent twice', async () => {
    smsc.answer = () => 'silence'
    const id = await send('2348031234567')
    await reaches(id, 'unknown')
    await settled()
    expect(smsc.submits).toHaveLength(1)
  })

  test('and closes the connection leaves it unknown, too', async () => {
    smsc.answer = () => 'cut'
    const id = await send('2348031234567')
    await reaches(id, 'unknown')
    smsc.answer = () => ({ message_id: 'after the cut' })
    const next = await send('2348031234568')
    await reaches(next, 'sent')
    expect(smsc.submits.map(({ destination_addr }) => destination_addr)).toEqual(['2348031234567', '2348031234568'])
  })

  test('in time but later: the report finds the message', async () => {
    const late: { answer?: (with_id: { message_id: string }) => void } = {}
    smsc.answer = () => new Promise((resolve) => (late.answer = resolve))
    const id = await send('2348031234567')
    await reaches(id, 'unknown')
    late.answer?.({ message_id: 'late-but-known' })
    await until('the id to be stored', async () => {
      const rows = await service.db`select 1 from submissions where carrier_message_id = 'late-but-known'`
      return rows.length === 1
    })
    expect(await smsc.report('late-but-known', 'DELIVRD')).toBe(0)
    await reaches(id, 'delivered')
  })

  test('but reports on the message settles it, though it names an unknown id', async () => {
    smsc.answer = () => 'cut'
    const id = await send('2348037770001')
    await reaches(id, 'unknown')
    smsc.answer = () => ({ message_id: 'known' })
    await smsc.report('never-heard', 'DELIVRD', { from: '08037770001' })
    // As if it had waited for its id as long as the maximum.
    await service.db`update reports set received_datetime = now() - interval '1 minute'`
    await service.db`update report_jobs set run_at = now() where not leased`
    await reaches(id, 'delivered')
    await settled()
    const left =
      await service.db`select 1 from submissions where carrier_message_id like 'to:%' and recipient = '2348037770001'`
    expect(left.length).toBe(0)
  })

  test('gets an OTP again', async () => {
    smsc.answer = (_, n) => (n === 1 ? 'cut' : { message_id: 'otp-again' })
    await service.call('POST', '/otp/request_token', { recipient: '2348031230003' })
    await until('both submits', () => smsc.submits.length === 2)
    expect(textOf(smsc.submits[1]!)).toBe(textOf(smsc.submits[0]!))
  })

  test('costs no message an attempt while it is down', async () => {
    smsc.answer = () => ({ message_id: 'up again' })
    const { port } = smsc
    await smsc.close()
    const id = await send('2348031234567')
    await until('the bind to be down for a while', async () => {
      const [row] = await service.db`select state from carrier_binds where carrier = 'mtn'`
      return row?.state === 'waiting'
    })
    // It was never claimed from the intake, or is requeued by the process that noticed the lost connection.
    const { tries } = await until('the message to wait unclaimed', async () => {
      const [waits] = await service.db`
        select claims as tries, submitted > 0 as leased from intake where ${id} between first_id and last_id
        union all
        select attempts, leased from jobs where subject_id = ${id}`
      return waits?.leased === false && { tries: Number(waits.tries) }
    })
    expect(tries).toBeLessThanOrEqual(1)
    smsc = await startNpmSmsc(port)
    await reaches(id, 'sent')
  })
})

describe('an inbound text', () => {
  test('arrives complete, and STOP opts out', async () => {
    const part = (n: number, text: string) => ({
      source_addr: '2348038880001',
      destination_addr: '32811',
      esm_class: 0x40,
      short_message: { udh: Buffer.from([5, 0, 3, 77, 2, n]), message: text },
    })
    expect(await smsc.deliver(part(2, 'in two parts'))).toBe(0)
    expect(await smsc.deliver(part(1, 'A text '))).toBe(0)
    expect(await smsc.deliver({ source_addr: '2348038880001', destination_addr: '32811', short_message: 'Stop' })).toBe(
      0,
    )
    const { body } = await service.call<{ inbound: { from: string; text: string }[] }>('GET', '/inbound')
    expect(body.inbound.map(({ text }) => text)).toEqual(['Stop', 'A text in two parts'])
    const id = await send('2348038880001')
    expect(await reaches(id, 'rejected')).toMatchObject({ code: 'opted_out' })
    expect(smsc.submits).toEqual([])
  })
})

test('the ledger balances at the end', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})
