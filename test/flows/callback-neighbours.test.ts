import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver
let release: () => void

beforeEach(async () => {
  receiver = await startReceiver()
  service = await openService({ credit: 10_000 })
})
afterEach(async () => {
  release()
  await service.close()
  await receiver.close()
})

const numbers = (count: number): string =>
  Array.from({ length: count }, (_, n) => `234803${String(n).padStart(7, '0')}`).join()

const sendCallbacks = (by: Organisation, path: string, count: number) =>
  by.call('POST', '/sms/send', {
    recipients: numbers(count),
    content: 'Hello',
    ...(path === '' ? {} : { callback: receiver.url + path }),
  })

const posts = (path: string): number => receiver.received.filter((one) => one.path === path).length

/** From now on posts to the path get no response. */
function hang(path: string): void {
  const held = new Promise<number>((resolve) => {
    release = () => resolve(200)
  })
  receiver.answer = (one) => (one.path === path ? held : 200)
}

describe('organisations with callbacks at one origin', () => {
  /** An endpoint that was fast enough to get the maximum of concurrent posts, and then hangs. */
  async function hangWithAll(tellSome: (count: number) => Promise<unknown>, path: string): Promise<void> {
    await tellSome(200)
    await until('the fast responses', () => posts(path) === 200)
    hang(path)
    await tellSome(99)
    await until('the maximum of concurrent posts', () => posts(path) === 232)
  }

  test('do not delay each other: one hangs, the other receives all callbacks', async () => {
    await hangWithAll((count) => sendCallbacks(service, '/slow', count), '/slow')
    const other = await service.organisation()
    await sendCallbacks(other, '/quick', 200)
    await until('all callbacks of the other', () => posts('/quick') === 200)
    expect(posts('/slow')).toBeLessThan(299)
  })

  test('neither do their webhooks, nor two of one organisation', async () => {
    const other = await service.organisation()
    await service.call('POST', '/webhooks', { url: `${receiver.url}/slow` })
    await other.call('POST', '/webhooks', { url: `${receiver.url}/quick` })
    await hangWithAll((count) => sendCallbacks(service, '', count), '/slow')
    await service.call('POST', '/webhooks', { url: `${receiver.url}/own` })
    await sendCallbacks(other, '', 200)
    await sendCallbacks(service, '', 100)
    await until('all callbacks of the others', () => posts('/quick') === 200 && posts('/own') === 100)
    expect(posts('/slow')).toBeLessThan(299)
  })
})
