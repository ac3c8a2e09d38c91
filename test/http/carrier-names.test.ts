import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'
import { pause } from '../../src/messaging/pauses/pause.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const SETTINGS = {
  carriers: [
    { kind: 'simulator', name: 'hidden-spare', report_delay_ms: 20 },
    smppCarrier(1, { name: 'hidden-main' }),
    smppCarrier(1, { name: 'hidden-last' }),
  ],
  routes: [
    { name: 'glo', channel: 'sms', prefix: '234805', carriers: ['hidden-main', 'hidden-spare'] },
    { name: 'airtel', channel: 'sms', prefix: '234802', carriers: ['hidden-last'] },
    { name: 'others', channel: 'sms', carrier: 'hidden-spare' },
  ],
  prices: [{ channel: 'sms', prefix: '', price: 4 }],
}
const DELIVERED = '2348031234567'
const HELD = '2348051234567'
/** Streams, which do not end, files, and the figures for the monitoring of the operator. */
const OTHERS = /\/events$|\/stream$|\*|^\/docs|\.(js|json|css|svg|png|html)$|^\/metrics$/
const RANGE = `from=2026-01-01T00:00:00Z&to=2036-01-01T00:00:00Z`

type Timeline = { events: { kind: string; carrier?: string }[] }
type Message = { deliveries: { recipient: string; carrier?: string; route: string; status: string }[] }
type Overview = { carriers?: { name: string }[]; attention: object[] }

let service: TestService
let owner: Person
let operator: Pick<Person, 'call'>
let id: string
let paths: string[]

beforeAll(async () => {
  service = await openService({ settings: SETTINGS })
  owner = await person(service, service.id)
  const someone = await person(service, null)
  operator = {
    call: (method, path) => someone.call(method, path, undefined, { 'x-organisation-id': service.id }),
  }
  const body = { recipients: [DELIVERED, HELD], content: 'Hello' }
  id = (await service.call<{ id: string }>('POST', '/sms/send', body)).body.id
  const why = { mode: 'paused', reason: 'the invoice of hidden-main' } as const
  await pause(service, COMMAND_LINE, { kind: 'carrier', name: 'hidden-main' }, why)
  await until('the one message to be delivered and the carriers to be down', async () => {
    const { deliveries } = (await owner.call<Message>('GET', `/console/api/messages/${id}`)).body
    const { attention } = (await operator.call<Overview>('GET', '/console/api/overview')).body
    return deliveries.some(({ status }) => status === 'delivered') && attention.length === 2
  })
  paths = await readPaths()
})
afterAll(() => service.close())

/** Every GET of the service, about this message where it is about one. */
async function readPaths(): Promise<string[]> {
  const found: string[] = []
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET') && !OTHERS.test(url)) found.push(url)
    })
  })
  await app.close()
  return [...new Set(found)].flatMap((url) => {
    const path = url.replace(/:(\w+)/g, (_, name: string) => (name === 'id' ? id : DELIVERED))
    if (url.includes('analytics')) return `${path}?${RANGE}`
    if (url.endsWith('/search')) return `${path}?text=hidden`
    return (path === url ? [DELIVERED] : [DELIVERED, HELD]).map((recipient) => `${path}?recipient=${recipient}`)
  })
}

/** Paths whose answers name a carrier. */
async function naming(by: Pick<Organisation, 'call'>): Promise<string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const { text } = await by.call('GET', path)
    if (/hidden-|the invoice/.test(text)) found.add(path.split('?')[0]!.replace(id, ':id'))
  }
  return [...found].sort()
}

test('no answer to a customer names a carrier, with a session or with a key', async () => {
  expect(paths.length).toBeGreaterThan(80)
  expect(await naming(owner)).toEqual([])
  expect(await naming(service)).toEqual([])
})

test('an operator reads the names in the same answers', async () => {
  expect(await naming(operator)).toEqual(
    expect.arrayContaining([
      '/console/api/carriers',
      '/console/api/messages/:id',
      '/console/api/overview',
      '/sms/:id/explain',
    ]),
  )
})

describe('what customers read instead', () => {
  test('of a message: the deliveries and the timeline without the carrier', async () => {
    const path = `/console/api/messages/${id}`
    const [own, shown] = [await owner.call<Message>('GET', path), await operator.call<Message>('GET', path)]
    expect(shown.body.deliveries[0]).toMatchObject({ recipient: DELIVERED, carrier: 'hidden-spare' })
    const { carrier: _hidden, ...rest } = shown.body.deliveries[0]!
    expect(own.body.deliveries[0]).toEqual(rest)
    const timeline = `${path}/timeline?recipient=${DELIVERED}`
    const [reduced, whole] = [
      await owner.call<Timeline>('GET', timeline),
      await operator.call<Timeline>('GET', timeline),
    ]
    expect(whole.body.events[1]).toMatchObject({ kind: 'sent', carrier: 'hidden-spare' })
    expect(reduced.body.events[1]).toEqual({ kind: 'sent', created_datetime: expect.any(String) })
    expect(reduced.body.events.map(({ kind }) => kind)).toEqual(whole.body.events.map(({ kind }) => kind))
  })

  test('of carriers that are down: that there is one', async () => {
    const path = '/console/api/overview'
    const [own, shown] = [await owner.call<Overview>('GET', path), await operator.call<Overview>('GET', path)]
    expect(own.body.attention).toEqual([{ kind: 'carrier', state: 'down' }])
    expect(own.body.carriers).toBeUndefined()
    expect(shown.body.attention).toMatchObject([
      { kind: 'carrier', state: 'down', name: 'hidden-main' },
      { kind: 'carrier', state: 'down', name: 'hidden-last' },
    ])
    expect(shown.body.carriers?.map(({ name }) => name)).toEqual(['hidden-spare', 'hidden-main', 'hidden-last'])
  })
})
