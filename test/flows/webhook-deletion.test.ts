import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertEventFor, insertEvents } from '../../src/callbacks/enqueue-store.ts'
import { CALLBACK_QUEUE, writeEvent } from '../../src/callbacks/enqueue.ts'
import { connectBeside } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Webhook = { id: string }
type Callback = { status: string; attempts: number }

let service: TestService
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  service = await openService()
})
afterEach(async () => {
  await service.close()
  await receiver.close()
})

const register = async (): Promise<string> =>
  (await service.call<Webhook>('POST', '/webhooks', { url: `${receiver.url}/events` })).body.id

const sendCallbacks = (count: number) =>
  service.call('POST', '/sms/send', {
    recipients: Array.from({ length: count }, (_, n) => `234803${String(n).padStart(7, '0')}`),
    content: 'Hello',
  })

const callbacksOf = (webhook_id: string) =>
  service.db<Callback[]>`select status, attempts from callbacks where webhook_id = ${webhook_id} order by id`
const jobsOf = (webhook_id: string) =>
  service.db<{ leased: boolean }[]>`select leased from jobs where lane = ${webhook_id}`
const remove = async (webhook_id: string) =>
  expect((await service.call('DELETE', `/webhooks/${webhook_id}`)).status).toBe(204)

/** Responses are delayed until they are given. */
function hold(): (status: number) => void {
  let give: (status: number) => void = () => {}
  const held = new Promise<number>((resolve) => {
    give = resolve
  })
  receiver.answer = () => held
  return give
}

describe('with the webhook', () => {
  test('cancels callbacks that wait for a retry, immediately', async () => {
    receiver.answer = () => 500
    const id = await register()
    const other = await register()
    await sendCallbacks(20)
    const allTried = async (of: string) => (await callbacksOf(of)).filter(({ attempts }) => attempts >= 1).length === 20
    await until('a first attempt of all', async () => (await allTried(id)) && allTried(other))
    await until('all requeued', async () => (await jobsOf(id)).every(({ leased }) => !leased))
    await remove(id)
    expect(new Set((await callbacksOf(id)).map(({ status }) => status))).toEqual(new Set(['stopped']))
    expect(await jobsOf(id)).toEqual([])
    expect(new Set((await callbacksOf(other)).map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(await jobsOf(other)).toHaveLength(20)
  })

  test('cancels leased callbacks: posts in flight are not retried, those that wait for a slot are never sent', async () => {
    const give = hold()
    const id = await register()
    await sendCallbacks(60)
    await until('all to be leased', async () => (await jobsOf(id)).filter(({ leased }) => leased).length === 60)
    await receiver.wait(8)
    await remove(id)
    give(500)
    await until('the end of all', async () => (await jobsOf(id)).length === 0)
    const callbacks = await callbacksOf(id)
    expect(callbacks.filter(({ status }) => status === 'stopped')).toHaveLength(60)
    expect(callbacks.filter(({ attempts }) => attempts === 1)).toHaveLength(8)
    expect(receiver.received).toHaveLength(8)
  })

  test('cancels callbacks leased by another process', async () => {
    const give = hold()
    const id = await register()
    const beside = await openService({ beside: service, workers: false })
    await sendCallbacks(60)
    await until('all to be leased', async () => (await jobsOf(id)).filter(({ leased }) => leased).length === 60)
    await receiver.wait(8)
    const elsewhere = await fetch(`${beside.url}/webhooks/${id}`, {
      method: 'DELETE',
      headers: { authorization: service.key },
    })
    expect(elsewhere.status).toBe(204)
    give(500)
    await until('the end of all', async () => (await jobsOf(id)).length === 0)
    expect(new Set((await callbacksOf(id)).map(({ status }) => status))).toEqual(new Set(['stopped']))
    await beside.close()
  })

  test('does not affect posts in flight: one that is acknowledged is delivered', async () => {
    const give = hold()
    const id = await register()
    await sendCallbacks(1)
    await receiver.wait(1)
    await remove(id)
    give(200)
    await until('the end', async () => (await jobsOf(id)).length === 0)
    expect(await callbacksOf(id)).toEqual([{ status: 'delivered', attempts: 1 }])
  })

  test('disabled, callbacks that wait for a slot are not sent either', async () => {
    const give = hold()
    const id = await register()
    await sendCallbacks(60)
    await until('all to be leased', async () => (await jobsOf(id)).filter(({ leased }) => leased).length === 60)
    await receiver.wait(8)
    await service.call('PATCH', `/webhooks/${id}`, { enabled: false })
    await service.call('GET', `/webhooks/${id}`)
    give(200)
    await until('the end of all', async () => (await jobsOf(id)).length === 0)
    expect(
      (await callbacksOf(id)).filter(({ status, attempts }) => status === 'stopped' && attempts === 0),
    ).not.toEqual([])
  })
})

describe('an event that is stored while the webhook is deleted', () => {
  test.each(['text.delivered', 'webhook.test'])('%s is canceled, and posted nowhere', async (type) => {
    const id = await register()
    const elsewhere = connectBeside(service.db, {})
    const subject_id = newId()
    const event = { ...writeEvent(type, '2026-11-14T23:42:46.539766+00:00', {}), subject_id }
    await transaction(elsewhere, async (tx) => {
      if (type === 'webhook.test') await insertEventFor(tx, CALLBACK_QUEUE, service.id, id, event)
      else await insertEvents(tx, service.id, [{ ...event, url: null, lane: null }])
      await remove(id)
    })
    await elsewhere.end({ timeout: 1 })
    await until('the end', async () => (await jobsOf(id)).length === 0)
    expect(await callbacksOf(id)).toEqual([{ status: 'stopped', attempts: 0 }])
    expect(receiver.received).toEqual([])
  })
})
