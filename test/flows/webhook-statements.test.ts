import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBeside } from '../../src/db/connect.ts'
import { settle } from '../../src/messaging/settle/settle.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { emptyIntake } from '../support/intake.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { noteStatements } from '../support/statements.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** The statements of one change of status, from begin to commit. */
async function statements(by: Organisation, callback?: string): Promise<string[]> {
  const body = { recipients: '08031234567', content: 'Hello', ...(callback ? { callback } : {}) }
  const { id } = (await by.call<{ id: string }>('POST', '/sms/send', body)).body
  await emptyIntake(service.db, by.id)
  const db = connectBeside(service.db, { connections: 1 })
  const asked = noteStatements(db)
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
  await db.end()
  return asked
}

test('an organisation without webhooks has no statement for them, one with a webhook or a callback has one', async () => {
  const plain = await service.organisation()
  const receiver = await service.organisation()
  const registered = await service.organisation()
  await registered.call('POST', '/webhooks', { url: 'https://example.com/events' })
  const [without, with_callback, with_webhook] = [
    await statements(plain),
    await statements(receiver, 'https://example.com/reports'),
    await statements(registered),
  ]
  expect(without.filter((text) => /store_events/.test(text))).toEqual([])
  expect(without[0]).toBe('begin')
  expect(with_callback.length).toBe(without.length + 1)
  expect(with_webhook.length).toBe(without.length + 1)
})
