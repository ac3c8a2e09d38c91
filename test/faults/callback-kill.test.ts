import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { caller } from '../support/service.ts'
import { startGangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

let receiver: Receiver
const undo: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await receiver.close()
})

test('a process killed with leased callbacks: each is posted, and none stays pending', async () => {
  const total = scale(60, 1_000)
  const database = await freshDatabase()
  undo.push(() => database.drop())
  const env = { DATABASE_URL: database.url }
  let gangan = await startGangan(env)
  undo.push(() => gangan.end('SIGTERM'))
  const send = (recipients: string[]) =>
    caller(gangan.url, gangan.key ?? '')('POST', '/sms/send', { recipients, content: 'Hello', callback: receiver.url })
  // The endpoint responds to the first callbacks, which raises its limit; the next ones get no response.
  await send(['2348039999999'])
  await until('the first callback', () => receiver.received.length > 0)
  receiver.answer = () => new Promise(() => {})
  const recipients = Array.from({ length: total }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  await send(recipients)
  const inBursts = async () =>
    database.db`select 1 from callbacks join jobs on jobs.id = burst_id where callbacks.status = 'pending'`
  await until('posts in flight, and others that wait behind them', async () => {
    return receiver.received.length > 5 && (await inBursts()).length > 5
  })
  const leased = (await inBursts()).length
  await gangan.end('SIGKILL')
  receiver.answer = () => 200
  const before = receiver.received.length
  gangan = await startGangan(env)
  const heard = () => new Set(receiver.received.slice(before).map(({ json }) => json.data.recipient))
  await until('every callback', () => heard().size >= total, 60_000)
  await until('the end of all', async () => {
    const open = await database.db`
      select 1 from callbacks where status <> 'delivered'
      union all select 1 from jobs where queue in ('callbacks', 'callback bursts')`
    return open.length === 0
  })
  expect([...heard()].sort()).toEqual(recipients)
  note({
    promise: 'callbacks: killed with leased callbacks',
    figure: `${count(total)} callbacks, ${count(leased)} of them leased without a job of their own: all posted by the next process, none pending`,
  })
}, 180_000)
