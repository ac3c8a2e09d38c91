import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBeside } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { LIVE_EVENTS } from '../../src/http/console/messages/schema.ts'
import { makeLive } from '../../src/observe/live.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { openSession } from '../../src/users/login/session.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'
import { loginAs, person, type Person } from '../support/person.ts'
import { misfits } from '../support/shape.ts'
import { until } from '../support/until.ts'

let service: TestService
let ada: Person

beforeAll(async () => {
  service = await openService()
  ada = await person(service, service.id)
})
afterAll(() => service.close())

type Event = { event: string; data: Record<string, unknown> }
type Stream = { status: number; events: Event[]; ended: () => boolean; close(): void; of(event: string): Event[] }

/** Listens like a page, and collects the events. */
async function listen(who: { cookie: string }, query = '', url = service.url): Promise<Stream> {
  const stopping = new AbortController()
  const response = await fetch(`${url}/console/api/events?${query}`, {
    headers: { cookie: who.cookie },
    signal: stopping.signal,
  })
  const events: Event[] = []
  let ended = false
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1]
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (event && data) events.push({ event, data: JSON.parse(data) as Event['data'] })
      }
    }
  }
  void read()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    events,
    ended: () => ended,
    close: () => stopping.abort(),
    of: (event) => events.filter((one) => one.event === event),
  }
}

/** Sessions of a new user, without the time to hash a password. */
async function visitors(organisation_id: string, count: number): Promise<{ cookie: string }[]> {
  const email = `${newId()}@example.com`
  const { user } = await inviteUser(service, COMMAND_LINE, { email, organisation_id })
  const client = {
    address: '127.0.0.1',
    site: { origin: service.url, rp_id: '127.0.0.1' },
    user_agent: null,
    device_token: null,
  }
  const settings = { session_settings: service.config.settings.console }
  const opened = Array.from({ length: count }, () =>
    transaction(service.db, (tx) => openSession(tx, settings, user.id, client)),
  )
  return (await Promise.all(opened)).map(({ token }) => ({ cookie: `gangan_session=${token}` }))
}

const send = (recipients: string, content: string) =>
  service.call<{ id: string }>('POST', '/sms/send', { recipients, content })

describe('live events', () => {
  test('report messages on phones and the status of deliveries', async () => {
    const stream = await listen(ada, `organisation_id=${service.id}`)
    expect(stream.status).toBe(200)
    await until('hello', () => stream.of('hello').length === 1)
    const { body } = await send('08031230001', 'Hello you')
    const phone = await until('the phone', () => stream.of('phone')[0])
    expect(misfits(LIVE_EVENTS.phone, phone.data)).toEqual([])
    expect(phone.data).toMatchObject({
      recipient: '2348031230001',
      text: 'Hello you',
      sender_id: 'Gangan',
      channel: 'sms',
    })
    const history = await service.call<{ messages: object[] }>('GET', '/sandbox/messages?recipient=08031230001')
    expect(history.body.messages).toMatchObject([{ id: phone.data.id }])
    const change = await until('the delivery', () => stream.of('deliveries')[0])
    expect(misfits(LIVE_EVENTS.deliveries, change.data)).toEqual([])
    expect(change.data).toEqual({ messages: [{ id: body.id, status: 'delivered', count: 1 }], truncated: false })
    stream.close()
  })

  test('are batched: two hundred deliveries cause only a few events', async () => {
    const stream = await listen(ada)
    await until('hello', () => stream.of('hello').length === 1)
    const recipients = Array.from({ length: 200 }, (_, n) => `0803124${String(n).padStart(4, '0')}`).join(',')
    const { body } = await send(recipients, 'all')
    await until('all deliveries', () => {
      const changes = stream.of('deliveries').flatMap(({ data }) => data.messages as { id: string; count: number }[])
      return changes.filter(({ id }) => id === body.id).reduce((sum, { count }) => sum + count, 0) === 200
    })
    expect(stream.of('deliveries').length).toBeLessThan(20)
    expect(stream.of('phone').length).toBeGreaterThan(0)
    stream.close()
  })

  test('are received from a worker in another process', async () => {
    const other_process = await openService({ beside: service, workers: false })
    const stream = await listen(ada, '', other_process.url)
    await until('hello', () => stream.of('hello').length === 1)
    // The worker learns by a notification that a page listens; until then it sends no events.
    await until('the phone', async () => {
      await send('08031230002', 'over there')
      return stream.of('phone').length > 0
    })
    expect(stream.of('phone')[0]?.data).toMatchObject({ text: 'over there' })
    stream.close()
    await other_process.close()
  })

  test("are those of the user's organisation only", async () => {
    const other = await service.organisation()
    expect((await listen(ada, `organisation_id=${other.id}`)).status).toBe(404)
    expect((await fetch(`${service.url}/console/api/events`)).status).toBe(401)
    const stranger = await person(service, other.id)
    const stream = await listen(stranger)
    const own = await listen(ada)
    await until('both hellos', () => stream.of('hello').length + own.of('hello').length === 2)
    await send('08031230003', 'not for strangers')
    const texts = (of: Stream) => of.of('phone').map(({ data }) => data.text)
    await until('the phone', () => texts(own).includes('not for strangers'))
    await other.call('POST', '/sms/send', { recipients: '08031230004', content: 'for the stranger' })
    await until('the other phone', () => stream.of('phone').length > 0)
    expect(texts(stream)).toEqual(['for the stranger'])
    // Events of the previous test may still arrive here, but none of the other organisation.
    expect(texts(own)).not.toContain('for the stranger')
    stream.close()
    own.close()
  })

  test('require the same rights as the data: a role that reads messages does not get texts on phones', async () => {
    const zoe = await person(service, service.id, service.id, 'finance')
    const [stream, own] = [await listen(zoe), await listen(ada)]
    await until('both hellos', () => stream.of('hello').length + own.of('hello').length === 2)
    const arrive = async (by: Stream): Promise<void> => {
      const { body } = await send('08031230006', 'Your code is 482913')
      await until('the delivery', () => by.of('deliveries').some(({ data }) => JSON.stringify(data).includes(body.id)))
    }
    await arrive(stream)
    await until('the phone', () => own.of('phone').length > 0)
    expect(stream.of('phone')).toEqual([])
    // A changed role also applies to an open page.
    const become = (role: string) => ada.call('PATCH', `/console/api/users/${zoe.id}`, { role })
    expect((await become('marketer')).status).toBe(200)
    await until('texts in an event', async () => {
      await arrive(stream)
      return stream.of('phone').length > 0
    })
    stream.close()
    own.close()
  })

  test('are limited to six pages of a session, and a closed page frees its slot', async () => {
    const session = await loginAs(service, ada)
    const streams: Stream[] = []
    for (let n = 0; n < 6; n += 1) streams.push(await listen(session))
    expect((await listen(session)).status).toBe(429)
    expect((await listen(ada)).status).toBe(200)
    for (const stream of streams) stream.close()
    await until('a free slot', async () => {
      const again = await listen(session)
      again.close()
      return again.status === 200
    })
  })

  test('are limited per organisation, which leaves slots for others', async () => {
    const crowd = await service.organisation()
    const streams: Stream[] = []
    for (let n = 0; n < 5; n += 1) {
      const someone = await visitors(crowd.id, 5)
      for (const one of someone.flatMap((session) => [session, session, session, session])) {
        streams.push(await listen(one))
      }
    }
    expect(streams.map(({ status }) => status)).toEqual(Array<number>(100).fill(200))
    const [late] = await visitors(crowd.id, 1)
    const refused = await fetch(`${service.url}/console/api/events`, { headers: { cookie: late?.cookie ?? '' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toMatchObject({ status: 429 })
    const others = [await listen(ada), await listen(await person(service, null), `organisation_id=${crowd.id}`)]
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    for (const stream of [...streams, ...others]) stream.close()
  })

  test('end with the process, which does not wait for them', async () => {
    const other_process = await openService({ beside: service, workers: false })
    const stream = await listen(ada, '', other_process.url)
    await until('hello', () => stream.of('hello').length === 1)
    const started = Date.now()
    await other_process.close()
    expect(Date.now() - started).toBeLessThan(10_000)
    await until('the end', () => stream.ended())
  })

  test('are not buffered for a page that does not read them: its stream is closed', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(`GET /console/api/events HTTP/1.1\r\nhost: gangan\r\ncookie: ${ada.cookie}\r\n\r\n`)
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => (received += text))
    await until('hello', () => received.includes('event: hello'))
    socket.pause()
    const message = { id: 'x', recipient: 'x', channel: 'sms', text: 'x'.repeat(6_000), created_datetime: 'x' }
    const payload = JSON.stringify({ organisation_id: service.id, events: [{ kind: 'phone', message }] })
    // Equal notifications in one transaction are sent once, so each has a different number of blanks.
    for (let n = 0; n < 4; n += 1) {
      await service.db`select pg_notify('gangan_live', ${payload} || repeat(' ', n)) from generate_series(0, 900) n`
    }
    // A client that does not read detects a closed connection only by writing.
    socket.on('error', () => {})
    const gone = () => {
      socket.write('\r\n')
      return socket.destroyed
    }
    await expect.poll(gone, { timeout: 15_000 }).toBe(true)
  })

  test('resume after the database was unreachable when the first page connected', async () => {
    const db = connectBeside(service.db, { connections: 1 })
    await db`select 1` // The pool is connected, and the listening connection will not be.
    const { host, port, connectionString } = db.pool.options
    Object.assign(db.pool.options, { host: '127.0.0.1', port: 1, connectionString: undefined })
    const live = makeLive({
      db,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      bus: { wake: () => {}, onWake: () => () => {} },
    })
    await expect(live.watch(service.id, () => {})).rejects.toThrow('ECONNREFUSED')
    Object.assign(db.pool.options, { host, port, connectionString })
    const heard: object[] = []
    await live.watch(service.id, (event) => heard.push(event))
    live.notifyDeliveries(service.id, [{ message_id: 'm', status: 'delivered' }])
    await until('the event', () => heard.length > 0)
    await live.stop()
    await db.end()
  })

  test('end with the session', async () => {
    const session = await loginAs(service, ada)
    const stream = await listen(session)
    await until('hello', () => stream.of('hello').length === 1)
    const started = Date.now()
    await session.call('POST', '/console/api/logout')
    await until('the end', () => stream.ended())
    expect(stream.events.at(-1)?.event).toBe('bye')
    expect(Date.now() - started).toBeLessThan(12_000) // Immediately, not only at the next heartbeat.
  })

  test('are not sent while no page listens', async () => {
    const quiet = await openService()
    const notified: string[] = []
    const { listen: hear } = await import('../../src/db/listen.ts')
    const subscription = await hear(quiet.db, 'gangan_live', (payload) => notified.push(payload))
    const { body } = await quiet.call<{ id: string }>('POST', '/sms/send', { recipients: '08031230005', content: 'x' })
    await until('the delivery', async () => {
      const message = await quiet.call<{ deliveries: { status: string }[] }>('GET', `/sms/${body.id}`)
      return message.body.deliveries[0]?.status === 'delivered'
    })
    const { notify } = await import('../../src/db/listen.ts')
    await notify(quiet.db, 'gangan_live', ['the end'])
    await until('the end', () => notified.includes('the end'))
    expect(notified).toEqual(['the end'])
    await subscription.close()
    await quiet.close()
  })
})
