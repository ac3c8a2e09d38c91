import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { encodePdu } from '../../src/carriers/codec/encode-pdu.ts'
import { makePdu } from '../../src/carriers/codec/pdu.ts'
import { transaction } from '../../src/db/transaction.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount, tryBind, type Login, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

async function withService(smpp_server: object, work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await openService({ settings: { smpp_server: { port: 0, ...smpp_server } } })
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

async function statusesOf(port: number, logins: readonly Login[]): Promise<number[]> {
  const statuses: number[] = []
  for (const login of logins) statuses.push((await tryBind(port, login)).status)
  return statuses
}

function silentSocket(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).resume()
  socket.on('error', () => {})
  return socket
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('the binds of an organisation are limited over all of its accounts and all processes', async () => {
  const limits = { binds_per_organisation: 5 }
  await withService({ limits }, async (service) => {
    const beside = await openService({ beside: service, settings: { smpp_server: { port: 0, limits } } })
    try {
      const logins = [await makeAccount(service, { max_binds: 20 }), await makeAccount(service, { max_binds: 20 })]
      const [first, second] = [times(3, logins[0]!), times(3, logins[1]!)]
      expect(await statusesOf(service.smpp_port, first)).toEqual([0, 0, 0])
      expect(await statusesOf(beside.smpp_port, second)).toEqual([0, 0, 0x05])
      expect(await statusesOf(beside.smpp_port, [await makeAccount(await service.organisation())])).toEqual([0])
    } finally {
      await beside.close()
    }
  })
})

test('bind slots are reserved for other organisations, and released after use', async () => {
  await withService({ limits: { binds: 20, binds_reserved: 2 } }, async (service) => {
    const greedy = await makeAccount(service, { max_binds: 100 })
    const clients: SmppClient[] = []
    for (let n = 0; n < 18; n += 1) clients.push(await bind(service.smpp_port, greedy))
    expect((await tryBind(service.smpp_port, greedy)).status).toBe(0x0d)
    const other = await makeAccount(await service.organisation())
    expect(await statusesOf(service.smpp_port, times(3, other))).toEqual([0, 0, 0x0d])
    for (const client of clients) client.close()
    await until('slots to be free', async () => (await tryBind(service.smpp_port, other)).status === 0)
  })
})

test('concurrent binds do not exceed the limit', async () => {
  await withService({ limits: { binds: 5 } }, async (service) => {
    const logins = [await makeAccount(service, { max_binds: 20 }), await makeAccount(await service.organisation())]
    const tries = await Promise.all(Array.from({ length: 12 }, (_, n) => tryBind(service.smpp_port, logins[n % 2]!)))
    expect(tries.filter(({ status }) => status === 0)).toHaveLength(5)
  })
})

test('silent connections from many addresses lock out neither unknown clients nor customers', async () => {
  await withService({}, async (service) => {
    const login = await makeAccount(service)
    const silent = Array.from({ length: 100 }, (_, n) =>
      silentSocket(service.smpp_port, `127.0.0.${2 + Math.floor(n / 20)}`),
    )
    // A connection that the server has closed already is pending again.
    await until('all to be connected', () => silent.every(({ pending, destroyed }) => !pending || destroyed))
    const stranger = await tryBind(service.smpp_port, login)
    expect(stranger.status).toBe(0)
    stranger.close()
    for (const socket of silent) socket.destroy()
  })
})

test('a silent connection is closed earlier than one that has sent a PDU, and a flood before the bind closes it', async () => {
  await withService({ first_byte_timeout_ms: 200, bind_timeout_ms: 60_000 }, async (service) => {
    const [silent, slow, flooding] = times(3, 0).map(() => silentSocket(service.smpp_port, '127.0.0.1'))
    slow!.write(Buffer.from([0]))
    await until('the end of the silent one', () => silent!.destroyed)
    expect(slow!.destroyed).toBe(false)
    slow!.destroy()
    const alive = encodePdu(makePdu('enquire_link', { sequence_number: 1 }))
    flooding!.write(Buffer.concat(times(21, alive)))
    await until('the end of the flood', () => flooding!.destroyed)
  })
})

test('wrong passwords are counted before they are checked, and lock out neither other accounts nor other addresses', async () => {
  await withService({ limits: { unbound_per_address: 50 } }, async (service) => {
    const [guessed, other] = [await makeAccount(service), await makeAccount(service)]
    const wrong = { ...guessed, password: 'guessing' }
    const tries = await Promise.all(Array.from({ length: 20 }, () => tryBind(service.smpp_port, wrong)))
    const statuses = tries.map(({ status }) => status).sort((a, b) => a - b)
    expect(statuses).toEqual([...times(10, 0x0d), ...times(10, 0x0e)])
    expect((await tryBind(service.smpp_port, guessed)).status).toBe(0x0d)
    expect((await tryBind(service.smpp_port, guessed, 'bind_transceiver', false, '127.0.0.2')).status).toBe(0)
    expect((await tryBind(service.smpp_port, other)).status).toBe(0)
    // Over many accounts: the limit of the address does not apply to accounts that have bound from there.
    const names = Array.from({ length: 60 }, (_, n) => ({ system_id: `guess${n}`, password: 'guessing' }))
    const more = await Promise.all(names.slice(0, 45).map((login) => tryBind(service.smpp_port, login)))
    expect(more.filter(({ status }) => status === 0x0d).length).toBeGreaterThan(0)
    const stranger = await makeAccount(service)
    expect(await statusesOf(service.smpp_port, [stranger, other])).toEqual([0x0d, 0])
  })
})

test('the rate of an organisation is limited over all of its accounts', async () => {
  await withService({ limits: { rate_per_s_per_organisation: 1 } }, async (service) => {
    const clients = [
      await bind(service.smpp_port, await makeAccount(service)),
      await bind(service.smpp_port, await makeAccount(service)),
    ]
    const other = await bind(service.smpp_port, await makeAccount(await service.organisation()))
    const submit = (client: SmppClient) => client.submit({ destination_addr: '2348031234567', short_message: 'Hello' })
    const answers = await Promise.all(clients.flatMap((client) => times(10, 0).map(() => submit(client))))
    expect(new Set(answers.map(({ command_status }) => command_status))).toEqual(new Set([0, 0x58]))
    expect((await submit(other)).command_status).toBe(0)
  })
})

test('eight hundred segments of one text in flight delay neither binds nor another organisation', async () => {
  await withService({}, async (service) => {
    const login = await makeAccount(service, { window_size: 200, rate_per_s: 2_000 })
    const clients: SmppClient[] = []
    for (let n = 0; n < 4; n += 1) clients.push(await bind(service.smpp_port, login))
    const submit = (client: SmppClient | undefined, n: number) =>
      client!.submit({
        destination_addr: '2348031234567',
        esm_class: 0x40,
        short_message: Buffer.from([5, 0, 3, 9, 255, 1 + (n % 254), 0x41]),
      })
    expect((await submit(clients[0], 0)).command_status).toBe(0)
    const flood = await transaction(service.db, async (tx) => {
      await tx`select from smpp_long_texts for update`
      const answers = Promise.all(Array.from({ length: 800 }, (_, n) => submit(clients[n % 4], n)))
      await until('a segment to wait in the database', async () => {
        const waiting = await service.db`select from pg_stat_activity where wait_event_type = 'Lock'`
        return waiting.count > 0
      })
      const leases = async () => {
        const [row] = await service.db<{ until: string }[]>`select max(leased_until) as until from smpp_binds`
        return row?.until ?? ''
      }
      const before = await leases()
      const other = await service.organisation()
      const theirs = await bind(service.smpp_port, await makeAccount(other))
      const text = { destination_addr: '2348031234567', short_message: 'Hello' }
      expect((await theirs.submit(text)).command_status).toBe(0)
      const part = { esm_class: 0x40, short_message: Buffer.from([5, 0, 3, 9, 2, 1, 0x41]) }
      expect((await theirs.submit({ ...text, ...part })).command_status).toBe(0)
      expect((await other.call('POST', '/otp/verify', { query_id: 'x', code: '1' })).status).toBeLessThan(500)
      await until('the leases of all binds to be extended', async () => (await leases()) > before)
      expect((await clients[0]!.ask('enquire_link')).command_status).toBe(0)
      return { answers }
    })
    const statuses = (await flood.answers).map(({ command_status }) => command_status)
    expect(statuses.every((status) => status === 0 || status === 0x58)).toBe(true)
    expect(statuses.filter((status) => status === 0).length).toBeGreaterThan(0)
  })
})
