import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

let service: TestService
let owner: Organisation
let client: SmppClient

beforeAll(async () => {
  const prices = [{ channel: 'sms', prefix: '234', price: 4 }]
  service = await openService({ settings: { smpp_server: { port: 0 }, prices } })
  owner = await service.organisation({ credit: 5_000 })
  // Every destination counts against the rate; a test must not be throttled by the previous one.
  client = await bind(service.smpp_port, await makeAccount(owner, { rate_per_s: 2_000 }))
})
afterAll(async () => {
  client.close()
  await service.close()
})

let next = 0
const number = () => `23480612${String((next += 1)).padStart(5, '0')}`
const to = (destination_addr: string, dest_addr_ton = 1) => ({ dest_addr_ton, dest_addr_npi: 1, destination_addr })

type Multi = { command_status: number; message_id: string; unsuccess_sme: object[] }

async function submitMulti(dest_address: object[], fields: object = {}): Promise<Multi> {
  const asked = { source_addr: 'Gangan', short_message: 'Hello all', registered_delivery: 1, dest_address, ...fields }
  return (await client.ask('submit_multi', asked)) as unknown as Multi
}

async function balance(): Promise<number> {
  return (await owner.call<{ balance: number }>('GET', '/balance')).body.balance
}

async function recipientsOf(id: string): Promise<string[]> {
  const { status, body } = await owner.call<{ deliveries: { recipient: string }[] }>('GET', `/sms/${id}`)
  expect(status).toBe(200)
  return body.deliveries.map(({ recipient }) => recipient)
}

describe('submit_multi', () => {
  test('is sent and charged once for each number, and refuses invalid destinations individually', async () => {
    const [first, second, opted_out] = [number(), number(), number()]
    await owner.call('POST', '/optouts', { recipients: [opted_out] })
    const before = await balance()
    const { command_status, message_id, unsuccess_sme } = await submitMulti([
      to(first),
      to(second),
      to(`0${second.slice(3)}`, 0),
      to(first),
      to('12'),
      to('12'),
      to(opted_out),
      to('33612345678'),
      { dl_name: 'staff' },
    ])
    expect(command_status).toBe(0)
    expect(unsuccess_sme).toEqual([
      { ...to('12'), error_status_code: 0x0b },
      { ...to(opted_out), error_status_code: 0x401 },
      { ...to('33612345678'), error_status_code: 0x0b },
      { ...to('staff', 0), dest_addr_npi: 0, error_status_code: 0x34 },
    ])
    expect(await recipientsOf(message_id)).toEqual([first, second])
    expect(before - (await balance())).toBe(8)
    await until('a report from each', () => client.reports().filter(({ id }) => id === message_id).length === 2)
    const reports = client.reports().filter(({ id }) => id === message_id)
    expect(reports.map(({ from }) => from).sort()).toEqual([first, second])
    expect(reports.map(({ quoted }) => quoted)).toEqual(['Hello all', 'Hello all'])
  })

  test('has from 1 to 254 destinations', async () => {
    const many = Array.from({ length: 254 }, () => to(number()))
    const { command_status, message_id, unsuccess_sme } = await submitMulti(many, { registered_delivery: 0 })
    expect([command_status, unsuccess_sme]).toEqual([0, []])
    expect(await recipientsOf(message_id)).toHaveLength(254)
    // The debt of the token bucket is refilled first.
    await until('the rate to allow more', async () => (await submitMulti([to('12')])).command_status !== 0x58)
    const before = await balance()
    expect((await submitMulti([])).command_status).toBe(0x33)
    expect((await submitMulti([...many, to(number())])).command_status).toBe(0x33)
    expect(await balance()).toBe(before)
  })

  test('without a valid destination, without balance or with a segment is refused, and changes nothing', async () => {
    const before = await balance()
    expect(await submitMulti([to('12'), { dl_name: 'staff' }])).toMatchObject({
      command_status: 0x45,
      message_id: '',
      unsuccess_sme: [{ error_status_code: 0x0b }, { error_status_code: 0x34 }],
    })
    const udh = Buffer.from([5, 0, 3, 77, 2, 1, 0x41])
    expect((await submitMulti([to(number())], { esm_class: 0x40, short_message: udh })).command_status).toBe(0x43)
    expect((await submitMulti([to(number())], { source_addr: 'Sm@rt' })).command_status).toBe(0x0a)
    const expensive = Array.from({ length: 200 }, () => to(number()))
    const long = { short_message: '', message_payload: { message: Buffer.from('x'.repeat(1_500)) } }
    expect((await submitMulti(expensive, long)).command_status).toBe(0x400)
    expect(await balance()).toBe(before)
  })

  test('is canceled as a whole, with a report for each destination', async () => {
    const before = await balance()
    const numbers = [number(), number()]
    const later = { schedule_delivery_time: '000001000000000R', user_message_reference: 513 }
    const { message_id } = await submitMulti(
      numbers.map((one) => to(one)),
      later,
    )
    expect(await client.ask('query_sm', { message_id })).toMatchObject({ command_status: 0, message_state: 1 })
    expect((await client.ask('cancel_sm', { message_id })).command_status).toBe(0)
    await until('both reports', () => client.reports().filter(({ id }) => id === message_id).length === 2)
    const reports = client.delivered.filter((one) => one.receipted_message_id === message_id)
    expect(reports.map((one) => [one.message_state, one.user_message_reference])).toEqual([
      [4, 513],
      [4, 513],
    ])
    expect(await balance()).toBe(before)
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('is refused on a receiver bind', async () => {
    const receiver = await bind(service.smpp_port, await makeAccount(owner), 'bind_receiver')
    expect((await receiver.ask('submit_multi', { dest_address: [to(number())] })).command_status).toBe(0x04)
    receiver.close()
  })
})
