import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller, type Organisation } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const PATH = '/console/api/configuration'
const CLIENTS = 4

let database: TestDatabase
let network: NpmSmsc
let gangan: Gangan | undefined

beforeEach(async () => {
  database = await freshDatabase()
  network = await startNpmSmsc()
})
afterEach(async () => {
  await gangan?.end('SIGTERM')
  await network.close()
  await database.drop()
})

const env = () => ({ DATABASE_URL: database.url })
const first = () => smppCarrier(network.port, { name: 'first' })
const home = (carrier: string) => ({ name: 'home', channel: 'sms', prefix: '234', carrier })

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: Record<string, unknown> }>

/** A session of an operator. */
async function operatorOf({ url }: Gangan): Promise<Call> {
  const { token } = await inviteUser(database, COMMAND_LINE, { email: 'ada@example.com', organisation_id: null })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ token, password: 'a drum that talks' })
  const entered = await fetch(`${url}/console/api/welcome`, { method: 'POST', headers, body })
  const { csrf_token } = (await entered.json()) as { csrf_token: string }
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (method, path, given) => {
    const sent = given === undefined ? {} : { body: JSON.stringify(given) }
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, cookie, 'x-csrf-token': csrf_token },
      ...sent,
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
  }
}

type Delivery = { id: string; status: string; code: string | null; carrier: string | null; refunded: boolean }

async function deliveries(): Promise<Delivery[]> {
  return database.db<Delivery[]>`
    select message_id as id, status, code, carrier, refunded from deliveries order by message_id`
}

async function auditBalances(): Promise<void> {
  const { code, stdout, stderr } = await runGangan(['balance', 'audit'], env())
  expect([code, stdout, stderr]).toEqual([0, expect.any(String), ''])
}

async function send(call: Organisation['call'], recipient: string): Promise<string> {
  const { status, body } = await call<{ id: string }>('POST', '/sms/send', { recipients: recipient, content: 'Hello' })
  expect([status, body]).toEqual([200, expect.anything()])
  return body.id
}

test('an empty installation sends over its first real carrier a few seconds after an operator has created it; what was tried before is refunded', async () => {
  gangan = await startGangan(env())
  const { pid } = gangan
  const operator = await operatorOf(gangan)
  const call = caller(gangan.url, gangan.key ?? '')
  expect((await operator('POST', `${PATH}/routes`, { settings: home('simulator') })).status).toBe(200)
  const tried = await send(call, '2348031234567')
  await until(
    'the message to be delivered',
    async () => (await deliveries()).find(({ id }) => id === tried)?.status === 'delivered',
  )
  const later = {
    recipients: '2348031234568',
    content: 'Hello',
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const scheduled = await until('a message that is scheduled on the route', async () => {
    const { body } = await call<{ id: string }>('POST', '/sms/send', later)
    const [row] = await database.db`select from deliveries where message_id = ${body.id} and route = 'home'`
    return row && body.id
  })

  const made = await operator('POST', PATH, { carriers: [first()], routes: [home('first')] })
  expect([made.status, made.body]).toMatchObject([200, { applied: true, ends_sandbox: true, needs_restart: false }])
  await until('the bind', () => network.binds.length > 0)
  await until('the service to answer', async () => (await operator('GET', PATH).catch(() => undefined))?.status === 200)
  expect((await operator('GET', PATH)).body).toMatchObject({ ends_sandbox: false, needs_restart: false })
  await database.db`update jobs set run_at = now() where queue = 'scheduled'`
  const sent = await send(call, '2348031234569')
  await until('the message to arrive', () => network.submits.length > 0)
  const refused = await until('the scheduled message to be refused', async () =>
    (await deliveries()).find(({ id, status }) => id === scheduled && status === 'rejected'),
  )
  expect(refused).toMatchObject({ code: 'sandbox', refunded: true })
  expect(network.submits.map(({ destination_addr }) => destination_addr)).toEqual(['2348031234569'])
  expect((await deliveries()).find(({ id }) => id === sent)).toMatchObject({ carrier: 'first' })
  expect(gangan.pid).toBe(pid)
  await auditBalances()
})

test('several processes under load: none sends to the network what another accepted in the sandbox, and nothing is lost or charged twice', async () => {
  gangan = await startGangan(env(), ['--processes', '2'])
  const { url, key = '' } = gangan
  const operator = await operatorOf(gangan)
  const call = caller(url, key)
  expect((await operator('POST', `${PATH}/routes`, { settings: home('simulator') })).status).toBe(200)
  const accepted: string[] = []
  /** Requests that were refused, or whose connection ended: the recipient of each. */
  const refused: string[] = []
  const failures: string[] = []
  let running = true
  let number = 0
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (running) {
      number += 1
      const recipient = `234803${String(number).padStart(7, '0')}`
      try {
        const { status, body } = await call<{ id: string }>('POST', '/sms/send', {
          recipients: recipient,
          content: 'Hello',
        })
        if (status === 200) accepted.push(body.id)
        else if (status === 503) refused.push(recipient)
        else failures.push(`${status} ${JSON.stringify(body)}`)
      } catch {
        refused.push(recipient)
        await new Promise(setImmediate)
      }
    }
  })
  await until('messages in the sandbox', () => accepted.length > 200)
  const made = await operator('POST', PATH, { carriers: [first()], routes: [home('first')] })
  expect([made.status, made.body]).toMatchObject([200, { ends_sandbox: true }])
  await until('the binds', () => network.binds.length > 0, 30_000)
  const before = accepted.length
  await until('messages over the network', () => network.submits.length > 100 && accepted.length > before + 100)
  running = false
  await Promise.all(clients)
  expect(failures).toEqual([])
  await until('the end of all messages', async () => {
    const all = await deliveries()
    return all.length === accepted.length && all.every(({ status }) => status !== 'queued')
  })
  const all = await deliveries()
  const wrongly = await database.db`select recipient from deliveries where recipient = any (${refused}::text[])`
  expect(wrongly).toEqual([])
  expect(all.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
  const over_network = all.filter(({ carrier }) => carrier === 'first')
  expect(network.submits).toHaveLength(over_network.length)
  const [period] = await database.db<{ first_id: string }[]>`
    select first_id_at(ended)::text as first_id from sandbox_period`
  const misplaced = all.filter(({ id, carrier, status, code, refunded }) => {
    if (id >= (period?.first_id ?? '')) return carrier !== 'first'
    return status === 'rejected' ? code !== 'sandbox' || !refunded : carrier !== 'simulator'
  })
  expect(misplaced).toEqual([])
  await auditBalances()
})
