import { afterEach, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startApplication } from './twilio-setup.ts'

const TEXTS = 40
const undo: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('a process killed while texts are answered: each answer is sent and charged once', async () => {
  const database = await freshDatabase()
  undo.push(() => database.drop())
  const application = await startApplication()
  undo.push(() => application.close())
  const key = 'a-key-that-outlives-the-process'
  const env = { DATABASE_URL: database.url, GANGAN_API_KEY: key, GANGAN_CREDIT: '1000' }
  let gangan = await startGangan(env)
  undo.push(() => gangan.end('SIGTERM'))
  application.answer = ({ params }) => ({ text: `<Response><Message>Got ${params.Body}</Message></Response>` })

  const call = caller(gangan.url, key)
  const wish = { url: `${application.url}/sms`, format: 'twilio', events: ['text.received'] }
  expect((await call('POST', '/webhooks', wish)).status).toBe(200)
  const people = Array.from({ length: TEXTS }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const written = Promise.allSettled(
    people.map((from, n) => call('POST', '/sandbox/reply', { from, to: 'Shop', text: String(n) })),
  )
  await until('some answers', () => application.posted.length >= TEXTS / 8)
  await gangan.end('SIGKILL')
  // Who was not answered does not know whether the text was kept.
  const kept = (await written).filter((one) => one.status === 'fulfilled').length
  gangan = await startGangan(env)

  await until(
    'every text is posted',
    async () => {
      const open = await database.db`select 1 from callbacks where status = 'pending'`
      return open.length === 0
    },
    60_000,
  )
  const texts = await database.db<{ from: string; text: string }[]>`select "from", text from inbound_messages`
  expect(texts.length).toBeGreaterThanOrEqual(kept)
  const shown = () =>
    database.db<{ recipient: string; text: string }[]>`select recipient, text from sandbox_messages order by recipient`
  await until('every answer', async () => (await shown()).length >= texts.length)
  const expected = texts.map(({ from, text }) => ({ recipient: from, text: `Got ${text}` }))
  expect(await shown()).toEqual(expected.sort((a, b) => (a.recipient < b.recipient ? -1 : 1)))
  const { body } = await caller(gangan.url, key)<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(1_000 - 4 * texts.length)
}, 180_000)
