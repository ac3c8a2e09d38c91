import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle } from '../../src/messaging/settle/settle.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { openHouse, type House, type Organisation } from '../support/house.ts'

let house: House

beforeAll(async () => {
  house = await openHouse({ workers: false })
})
afterAll(() => house.close())

/** The statements one change of state takes, from begin to commit. */
async function statements(by: Organisation, callback?: string): Promise<string[]> {
  const body = { recipients: '08031234567', content: 'Hello', ...(callback ? { callback } : {}) }
  const { id } = (await by.call<{ id: string }>('POST', '/sms/send', body)).body
  const asked: string[] = []
  const client = await house.db.pool.connect()
  // Its own property hides the method of its class until it is taken away again.
  Reflect.set(client, 'query', (...given: unknown[]) => {
    const [first] = given
    asked.push(typeof first === 'string' ? first : (first as { text: string }).text)
    return Reflect.apply(Reflect.get(Object.getPrototypeOf(client) as object, 'query') as () => unknown, client, given)
  })
  const db = Object.assign((() => {}) as unknown as House['db'], { pool: { connect: async () => client } })
  const deps = {
    db,
    wakeups: { wake: () => {}, onWake: () => () => {}, close: async () => {} },
    meters: makeMeters(),
    onChanged: async () => {},
    onSettled: () => {},
    noteFacts: async () => {},
  }
  const change = {
    message_id: id,
    recipient: '2348031234567',
    status: 'delivered' as const,
    code: '000',
    description: '',
  }
  expect(await settle(deps, by.id, [change], async () => {})).toHaveLength(1)
  Reflect.deleteProperty(client, 'query')
  return asked
}

test('an organisation without webhooks pays no statement for them, one with a webhook or a callback pays one', async () => {
  const plain = await house.organisation()
  const told = await house.organisation()
  const registered = await house.organisation()
  await registered.call('POST', '/webhooks', { url: 'https://example.com/events' })
  const [without, with_callback, with_webhook] = [
    await statements(plain),
    await statements(told, 'https://example.com/reports'),
    await statements(registered),
  ]
  expect(without.filter((text) => /into callbacks/.test(text))).toEqual([])
  expect(without[0]).toBe('begin')
  expect(with_callback.length).toBe(without.length + 1)
  expect(with_webhook.length).toBe(without.length + 1)
})
