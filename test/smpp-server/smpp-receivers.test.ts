import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makePdu } from '../../src/carriers/codec/pdu.ts'
import { pepperKeys, readPepper } from '../../src/otp/pepper.ts'
import { hashPassword } from '../../src/smpp-accounts/password.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount, tryBind, type Login, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const SMPP_SERVER = { port: 0, bind_timeout_ms: 5_000, long_text_wait_s: 1 }

let service: TestService
let port: number
/** A connection that sends nothing. */
let speechless: Socket
const open: SmppClient[] = []

beforeAll(async () => {
  service = await openService({ settings: { smpp_server: SMPP_SERVER } })
  port = service.smpp_port
  speechless = connect(port, '127.0.0.1').resume()
})
afterAll(async () => {
  for (const client of open) client.close()
  await service.close()
})

async function bound(login: Login, command?: Parameters<typeof bind>[2], at = port): Promise<SmppClient> {
  const client = await bind(at, login, command)
  open.push(client)
  return client
}

let next = 0
const number = () => `23480512${String((next += 1)).padStart(5, '0')}`
const hello = () => ({ destination_addr: number(), short_message: 'Hello' })

async function waiting(owner: Organisation, system_id: string): Promise<number | undefined> {
  const { body } = await owner.call<{ accounts: { system_id: string; waiting: number }[] }>('GET', '/smpp/accounts')
  return body.accounts.find((one) => one.system_id === system_id)?.waiting
}

describe('a bind', () => {
  test('is accepted with its password, from its networks, up to its limit', async () => {
    const login = await makeAccount(service, { max_binds: 1, allow_networks: ['127.0.0.1/32'] })
    const far = await makeAccount(service, { allow_networks: ['10.0.0.0/8'] })
    const first = await bound(login)
    const tries = await Promise.all([
      tryBind(port, { ...login, password: 'wrong' }),
      tryBind(port, { system_id: 'unknown', password: login.password }),
      tryBind(port, far),
      tryBind(port, login),
    ])
    expect(tries.map(({ status }) => status)).toEqual([0x0e, 0x0e, 0x0d, 0x05])
    first.close()
    const again = await until('the bind to be free again', async () => {
      const client = await tryBind(port, login)
      return client.status === 0 && client
    })
    again.close()
  })

  test('has a password of eight characters; a longer one from before still works', async () => {
    const make = (password: string) => service.call('POST', '/smpp/accounts', { password })
    const longer = await make('123456789')
    expect([longer.status, longer.body.errors]).toMatchObject([400, [{ field: 'password', type: 'string_too_long' }]])
    expect((await make('12345678')).status).toBe(200)
    const { system_id } = await makeAccount(service)
    const password = '1234567890123456'
    const { smpp_key } = pepperKeys(await readPepper(service, service.config))
    await service.db`update smpp_accounts set password_hash = ${hashPassword(smpp_key, system_id, password)}
      where system_id = ${system_id}`
    await bound({ system_id, password })
  })

  test('determines what is allowed: nothing before it, no submits on a receiver, no second bind', async () => {
    const login = await makeAccount(service)
    const receiver = await bound(login, 'bind_receiver')
    expect((await receiver.submit(hello())).command_status).toBe(0x04)
    expect((await receiver.ask('enquire_link')).command_status).toBe(0)
    expect((await receiver.ask('unbind')).command_status).toBe(0)
    await until('the end of the connection', () => receiver.is_closed)
    const socket = connect(port, '127.0.0.1')
    const submit = encodePdu(makePdu('submit_sm', { sequence_number: 7, destination_addr: '2348031234567' }))
    const unknown = Buffer.from('00000010000000aa0000000000000008', 'hex')
    socket.write(Buffer.concat([submit, unknown]))
    const answers = await readOctets(socket, 33)
    socket.destroy()
    expect(answers.subarray(0, 17).toString('hex')).toBe('0000001180000004000000040000000700')
    expect(answers.subarray(17).toString('hex')).toBe('00000010800000000000000300000008')
  })

  test('is closed when its account is removed', async () => {
    const login = await makeAccount(service)
    const client = await bound(login)
    expect((await client.submit(hello())).command_status).toBe(0)
    expect((await service.call('DELETE', `/smpp/accounts/${login.system_id}`)).status).toBe(204)
    await until('the end of the connection', () => client.is_closed, 3_000)
    expect((await tryBind(port, login)).status).toBe(0x0e)
  })

  test('that floods is throttled, without effect on others', async () => {
    const flooding = await bound(await makeAccount(service, { rate_per_s: 20, window_size: 5 }))
    const quiet = await bound(await makeAccount(await service.organisation()))
    const flood = Promise.all(Array.from({ length: 300 }, () => flooding.submit(hello())))
    const calm = await Promise.all(Array.from({ length: 20 }, () => quiet.submit(hello())))
    expect(calm.map(({ command_status }) => command_status)).toEqual(calm.map(() => 0))
    const statuses = (await flood).map(({ command_status }) => command_status)
    const taken = statuses.filter((status) => status === 0).length
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(100)
    expect(statuses.filter((status) => status === 0x58)).toHaveLength(300 - taken)
  })
})

describe('another organisation', () => {
  test('cannot query or cancel a message, and receives none of its reports', async () => {
    const mine = await bound(await makeAccount(service))
    const stranger = await service.organisation()
    const theirs = await bound(await makeAccount(stranger))
    const later = { schedule_delivery_time: '000001000000000R' }
    const [sent, kept] = await Promise.all([mine.submit(hello()), mine.submit({ ...hello(), ...later })])
    for (const { message_id } of [sent, kept]) {
      expect((await theirs.ask('query_sm', { message_id })).command_status).toBe(0x0c)
      expect((await theirs.ask('cancel_sm', { message_id })).command_status).toBe(0x0c)
    }
    await until('the report', () => mine.reports().some(({ id }) => id === sent.message_id))
    expect(theirs.delivered).toEqual([])
    const { body } = await stranger.call<{ accounts: object[] }>('GET', '/smpp/accounts')
    expect(body.accounts).toHaveLength(1)
    const taken = await service.call('POST', '/smpp/accounts', { system_id: 'mine' })
    expect(taken.status).toBe(200)
    expect((await stranger.call('DELETE', '/smpp/accounts/mine')).status).toBe(404)
    expect((await stranger.call('DELETE', '/smpp/accounts/mine%00')).status).toBe(404)
    expect((await stranger.call('POST', '/smpp/accounts', { system_id: 'mine' })).status).toBe(400)
  })
})

describe('reports', () => {
  test('are kept while no receiver is bound, and delivered to the next one', async () => {
    const login = await makeAccount(service)
    const transmitter = await bound(login, 'bind_transmitter')
    const sent = await Promise.all(Array.from({ length: 20 }, () => transmitter.submit(hello())))
    await until('the reports to wait', async () => (await waiting(service, login.system_id)) === 20)
    expect(transmitter.delivered).toEqual([])
    const receiver = await bound(login, 'bind_receiver')
    await until('the reports', () => receiver.reports().length === 20)
    expect(
      receiver
        .reports()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(sent.map(({ message_id }) => message_id).sort())
    await until('nothing to wait any more', async () => (await waiting(service, login.system_id)) === 0)
  })

  test('that are unacknowledged or refused are redelivered, unless refused permanently', async () => {
    const login = await makeAccount(service)
    const stubborn = await bound(login)
    stubborn.ack = 0x64
    const { message_id } = await stubborn.submit(hello())
    await until('the report', () => stubborn.reports().length === 1)
    stubborn.ack = undefined
    await until('the report again', () => stubborn.reports().length === 2)
    stubborn.session.destroy()
    const final = await bound(login)
    final.ack = 0x65
    await until('the report once more', () => final.reports().length > 0)
    expect(final.reports()[0]?.id).toBe(message_id)
    await until('nothing to wait any more', async () => (await waiting(service, login.system_id)) === 0)
  })

  test('are sent for a long text that was never completed', async () => {
    const client = await bound(await makeAccount(service))
    const part = { esm_class: 0x40, short_message: Buffer.from([5, 0, 3, 9, 2, 1, 0x41]) }
    const { message_id } = await client.submit({ ...hello(), ...part })
    expect(message_id).toMatch(/-1$/)
    const report = await until('the report', () => client.reports().find(({ id }) => id === message_id))
    expect(report).toMatchObject({ stat: 'EXPIRED', dlvrd: '000' })
  })

  test('are delivered once by two processes, and binds are counted over both', async () => {
    const beside = await openService({ beside: service, settings: { smpp_server: SMPP_SERVER } })
    try {
      const login = await makeAccount(service, { max_binds: 2 })
      const here = await bound(login)
      const there = await bound(login, 'bind_transceiver', beside.smpp_port)
      expect((await tryBind(beside.smpp_port, login)).status).toBe(0x05)
      const all = await Promise.all(
        [here, there].flatMap((one) => Array.from({ length: 25 }, () => one.submit(hello()))),
      )
      const reported = () => [...here.reports(), ...there.reports()].map(({ id }) => id)
      await until('all reports', () => new Set(reported()).size === 50)
      await until('nothing to wait any more', async () => (await waiting(service, login.system_id)) === 0)
      expect(reported().sort()).toEqual(all.map(({ message_id }) => message_id).sort())
    } finally {
      await beside.close()
    }
    const unbound = open.filter(({ is_closed }) => is_closed)
    expect(unbound.length).toBeGreaterThan(0)
  })
})

test('a connection that does not bind is closed', async () => {
  await until('the end of the connection', () => speechless.destroyed || speechless.readableEnded)
  expect(speechless.readableEnded).toBe(true)
})

describe('inbound texts', () => {
  test('are delivered to accounts that receive texts, long ones in segments', async () => {
    const owner = await service.organisation()
    const client = await bound(await makeAccount(owner))
    const silent = await makeAccount(owner, { receives_texts: false })
    for (const text of ['Ẹ káàbọ̀', 'x'.repeat(200)]) {
      const replied = await owner.call('POST', '/sandbox/reply', { from: '+2348031234567', to: 'Gangan', text })
      expect(replied.status).toBe(200)
    }
    await until('three deliveries', () => client.delivered.length === 3)
    expect(client.delivered.map(({ source_addr, esm_class }) => [source_addr, esm_class]).sort()).toEqual([
      ['2348031234567', 0],
      ['2348031234567', 0x40],
      ['2348031234567', 0x40],
    ])
    const texts = client.delivered.map(({ short_message }) => short_message.message)
    expect(texts).toContain('Ẹ káàbọ̀')
    expect(texts.join('')).toHaveLength(200 + 'Ẹ káàbọ̀'.length)
    expect(await waiting(owner, silent.system_id)).toBe(0)
  })
})

async function readOctets(socket: Socket, wanted: number): Promise<Buffer> {
  let octets = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (octets = Buffer.concat([octets, chunk])))
  await until(`${wanted} octets`, () => octets.length >= wanted)
  return octets
}
