import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

type Thread = { conversation: { received: number; unread: number }; messages: { text: string; direction: string }[] }

test('killed at any moment, it loses calls of the last second from the log, and no message or response', async () => {
  const database = await freshDatabase()
  const env = { DATABASE_URL: database.url }
  const killed = await startGangan(env)
  const key = killed.key ?? ''
  const call = caller(killed.url, key)
  const answered: string[] = []
  const write = async (text: string) => {
    const { status } = await call('POST', '/sandbox/reply', { from: '2348031234567', to: 'Gangan', text })
    expect(status).toBe(200)
    answered.push(`in ${text}`)
    const answer = await call('POST', '/conversations/2348031234567/messages', { content: `re: ${text}` })
    expect(answer.status).toBe(200)
    answered.push(`out re: ${text}`)
  }
  await call('GET', '/balance', undefined, { 'x-request-id': 'before' })
  await until('the first call in the log', async () => (await call('GET', '/requests/before')).status === 200)
  for (let n = 0; n < 5; n += 1) await write(`text ${n}`)
  await killed.end('SIGKILL')

  const next = await startGangan(env)
  const again = caller(next.url, key)
  const { body } = await again<Thread>('GET', '/conversations/2348031234567?limit=1000')
  expect(body.conversation).toMatchObject({ received: 5, unread: 5 })
  expect(body.messages.map(({ direction, text }) => `${direction} ${text}`).toReversed()).toEqual(answered)
  expect((await again('GET', '/requests/before')).status).toBe(200)
  await again('GET', '/balance', undefined, { 'x-request-id': 'after' })
  // On SIGTERM it writes the buffered entries.
  await next.end('SIGTERM')
  expect(await database.db`select 1 from request_bursts where request_ids @> array['after']`).toHaveLength(1)
  await database.drop()
}, 120_000)
