import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, loginOf } from '../dialects/twilio-setup.ts'
import { person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const RECIPIENTS = 10_000
/** A read of many rows is split into parts; one that returns a single delivery reads a few rows. */
const PART = 1_001
const NAME = 'Adébáyọ̀ '.repeat(30)

type Delivery = { recipient: string; status: string; text?: string; pages: number; charge: number }
type Message = {
  id: string
  recipients: string[]
  personalisation?: { to: string; substitutions: Record<string, string> }[]
  content: string
  created_datetime: string
  updated_datetime?: string
  send_at?: string
  deliveries: Delivery[]
}

let service: TestService
let by: Organisation
let id: string
const numbers = Array.from({ length: RECIPIENTS }, (_, n) => `23480${String(31_000_000 + ((n * 7_919) % 100_000))}`)
const personalisation = numbers.map((to, n) => ({ to, substitutions: { name: `${NAME}${n}` } }))

beforeAll(async () => {
  service = await openService({ settings: { smpp_server: { port: 0 } } })
  by = await service.organisation({ credit: 10_000_000 })
  const template = await by.call<{ id: string }>('POST', '/templates', { name: 'Greeting', content: 'Hello {{name}}' })
  const body = { recipients: numbers, template_id: template.body.id, personalisation, external_ref: 'long' }
  const sent = await by.call<Message>('POST', '/sms/send', body)
  id = sent.body.id
  await until('all deliveries to end', async () => {
    const [row] = await service.db<{ ended: number }[]>`
      select count(*)::integer as ended from deliveries
      where organisation_id = ${by.id} and message_id = ${id} and status = 'delivered'`
    return row?.ended === RECIPIENTS
  })
})
afterAll(() => service.close())

/** Equality without a diff of ten thousand entries. */
function expectSame(given: unknown, expected: unknown): void {
  expect(isDeepStrictEqual(given, expected)).toBe(true)
}

type Result = { rows: unknown[] }
type Query = { query: (asked: { text: string }, ...given: unknown[]) => unknown }

/**
 * The maximum of rows and bytes that a statement about deliveries or messages returned while `work` ran, in any pool.
 */
async function largestRead(work: () => Promise<unknown>): Promise<{ rows: number; bytes: number }> {
  const largest = { rows: 0, bytes: 0 }
  const note = ({ rows }: Result): void => {
    const bytes = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).length
    largest.rows = Math.max(largest.rows, rows.length)
    largest.bytes = Math.max(largest.bytes, bytes)
  }
  const clients = Client.prototype as unknown as Query
  const own = clients.query
  clients.query = function query(asked, ...given) {
    const callback = given.at(-1)
    if (!/waiting_|from deliveries/.test(asked.text) || typeof callback !== 'function') {
      return Reflect.apply(own, this, [asked, ...given])
    }
    const noted = (fault: unknown, result?: Result): void => {
      if (result) note(result)
      callback(fault, result)
    }
    return Reflect.apply(own, this, [asked, ...given.slice(0, -1), noted])
  }
  try {
    await work()
  } finally {
    clients.query = own
  }
  return largest
}

describe('a message with 10,000 recipients', () => {
  test('GET /sms/{id} returns all of it and reads it in parts', async () => {
    const short = await by.call<Message>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    await until('the short one to be delivered', async () => {
      const { body } = await by.call<Message>('GET', `/sms/${short.body.id}`)
      return body.deliveries[0]?.status === 'delivered'
    })
    const expected = (await by.call<Message>('GET', `/sms/${short.body.id}`)).body
    let answer: Awaited<ReturnType<typeof by.call<Message>>> | undefined
    const read = await largestRead(async () => (answer = await by.call<Message>('GET', `/sms/${id}`)))
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer?.headers.get('content-encoding')).toBe('gzip')
    const { body } = answer!
    expectSame(body.recipients, numbers)
    expectSame(
      body.deliveries.map(({ recipient }) => recipient),
      numbers,
    )
    expect(body.deliveries.every(({ status }) => status === 'delivered')).toBe(true)
    expectSame(
      body.deliveries.map(({ text }) => text),
      numbers.map((_, n) => `Hello ${NAME}${n}`),
    )
    expectSame(body.personalisation, personalisation)
    expect(body.updated_datetime).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    expect(Object.keys(body).sort()).toEqual(
      [...Object.keys(expected), 'external_ref', 'personalisation', 'template_id', 'template_version'].sort(),
    )
    expect(Object.keys(body.deliveries[0]!).sort()).toEqual([...Object.keys(expected.deliveries[0]!), 'text'].sort())
    expect(read.rows).toBeLessThanOrEqual(PART)
    expect(read.bytes).toBeLessThan(2_000_000)
  })

  test('is complete while it is queued, and while half of it is scheduled', async () => {
    const waiting = await openService({ workers: false })
    try {
      const owner = await waiting.organisation({ credit: 10_000_000 })
      const send_at = new Date(Date.now() + 3_600_000).toISOString()
      for (const body of [
        { recipients: numbers, content: 'Hello' },
        { recipients: numbers, content: 'Hello', send_at },
      ]) {
        const sent = await owner.call<Message>('POST', '/sms/send', body)
        const { body: read } = await owner.call<Message>('GET', `/sms/${sent.body.id}`)
        expectSame(read.recipients, numbers)
        expectSame(
          read.deliveries.map(({ recipient }) => recipient),
          numbers,
        )
        expect(new Set(read.deliveries.map(({ status }) => status)).size).toBe(1)
        expect(read.send_at === undefined).toBe(!('send_at' in body))
        expect(read.updated_datetime).toBeUndefined()
      }
    } finally {
      await waiting.close()
    }
  })

  test('a list contains the first recipients and no long personalisation', async () => {
    let listed: Message | undefined
    const read = await largestRead(async () => {
      const { body } = await by.call<{ messages: Message[] }>('GET', '/sms?external_ref=long')
      listed = body.messages[0]
    })
    expect(listed).toMatchObject({ id, recipients: numbers.slice(0, 100) })
    expect(listed).not.toHaveProperty('personalisation')
    expect(read.bytes).toBeLessThan(100_000)
  })

  test('Twilio’s fetch reads one delivery', async () => {
    const { account_sid, auth_token } = await loginOf(service, by)
    const client = clientOf(service, account_sid, auth_token)
    const read = await largestRead(async () => {
      const fetched = await client.messages(`SM${id.replaceAll('-', '')}`).fetch()
      expect(fetched).toMatchObject({ to: `+${numbers[0]}`, status: 'delivered', body: `Hello ${NAME}0` })
    })
    expect(read.rows).toBe(1)
    expect(read.bytes).toBeLessThan(5_000)
  })

  test('SMPP’s query_sm reads one delivery', async () => {
    const login = await makeAccount(by, { system_id: 'long' })
    const client = await bind(service.smpp_port, login)
    const read = await largestRead(async () => {
      const answer = await client.ask('query_sm', { message_id: id })
      expect(answer).toMatchObject({ command_status: 0, message_state: 2 })
    })
    client.close()
    expect(read.rows).toBe(1)
    expect(read.bytes).toBeLessThan(5_000)
  })

  test('exports read it in parts', async () => {
    const ada = await person(service, by.id)
    let csv = ''
    const read = await largestRead(async () => {
      csv = (await ada.call('GET', '/console/api/messages.csv?external_ref=long')).text
    })
    const lines = csv.trimEnd().split('\r\n').slice(1)
    expectSame(
      lines.map((line) => line.split(',')[5]?.replace(/\D/g, '')),
      numbers,
    )
    expect(read.rows).toBeLessThanOrEqual(PART)
    const costs = await by.call('GET', '/balance/messages.csv')
    expect(costs.text).toContain(`${id},`)
  })
})

describe('clients that stop reading', () => {
  const READERS = 12

  test('hold no database connection, and others are served', async () => {
    const readers = await Promise.all(Array.from({ length: READERS }, () => beginReading(`/sms/${id}`)))
    const { pool } = service.db
    await until('no connection to be in use', () => pool.idleCount === pool.totalCount && pool.waitingCount === 0)
    expect((await by.call('GET', '/balance')).status).toBe(200)
    const [first, ...others] = readers
    for (const socket of others) socket.destroy()
    const text = await readToEnd(first!)
    expect((JSON.parse(bodyOf(text)) as Message).deliveries).toHaveLength(RECIPIENTS)
    await until('no connection to be in use', () => pool.idleCount === pool.totalCount && pool.waitingCount === 0)
  })
})

/** Requests a long response and stops reading at its beginning. */
async function beginReading(path: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${by.key}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

/** The body of a chunked response. */
function bodyOf(answer: string): string {
  let rest = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const end = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.slice(0, end), 16)
    if (length === 0) return Buffer.from(body, 'latin1').toString('utf8')
    body += rest.slice(end + 2, end + 2 + length)
    rest = rest.slice(end + 4 + length)
  }
}
