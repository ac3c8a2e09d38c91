import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller, type Answer } from '../support/house.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const SENDS = 2_000
const CLIENTS = 40
const KILL_AFTER = [300, 900, 1_500]
const CREDIT = 1_000_000
const FINAL = ['delivered', 'rejected']

type Sent = { id: string; meta: { estimate: { charge: number } } }
type Message = { deliveries: { status: string; refunded: boolean }[] }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let receiver: Receiver
let gangan: Gangan
let key: string

beforeAll(async () => {
  folder = await temporaryFolder()
  receiver = await startReceiver()
  gangan = await startGangan({ GANGAN_DATA: folder.path })
  key = gangan.key ?? ''
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await receiver.close()
  await folder.remove()
})

/**
 * Clients send, each with a key of its own, while the process is killed three times in the middle. A client whose
 * connection breaks does what clients do: it tries again with the same key.
 */
test('nothing answered is lost and nothing is charged twice when the process is killed', async () => {
  const answers = new Map<number, string>()
  let next = 0
  let restarting: Promise<void> | undefined
  const kills = [...KILL_AFTER]

  async function killAndRestart(): Promise<void> {
    await gangan.end('SIGKILL')
    gangan = await startGangan({ GANGAN_DATA: folder.path })
  }

  async function client(): Promise<void> {
    while (next < SENDS) {
      const n = next
      next += 1
      const answer = await sendUntilAnswered(n)
      expect(answer.status).toBe(200)
      answers.set(n, answer.body.id)
      if (answers.size >= (kills[0] ?? Infinity)) {
        kills.shift()
        restarting = killAndRestart()
      }
    }
  }

  /** Every tenth recipient is refused by the network, so that refunds are in the race too. */
  async function sendUntilAnswered(n: number): Promise<Answer<Sent>> {
    const recipients = n % 10 === 0 ? '2348000000003' : `234803${String(n).padStart(7, '0')}`
    const body = { recipients, content: `Message ${n}`, external_ref: `ref-${n}`, callback: receiver.url }
    for (;;) {
      await restarting
      try {
        const answer = await caller(gangan.url, key)<Sent>('POST', '/sms/send', body, { 'idempotency-key': `key-${n}` })
        if (answer.status !== 503 && answer.status !== 409) return answer
      } catch {
        // the process died with our request in hand
      }
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, client))
  expect(kills).toEqual([])
  expect(new Set(answers.values()).size).toBe(SENDS)

  const call = caller(gangan.url, key)
  for (const [n, id] of answers) {
    const status = await until(
      `message ${n} to come to an end`,
      async () => {
        const { body } = await call<Message>('GET', `/sms/${id}`)
        const delivery = body.deliveries[0]
        return FINAL.includes(delivery?.status ?? '') ? delivery?.status : undefined
      },
      60_000,
    )
    expect(status).toBe(n % 10 === 0 ? 'rejected' : 'delivered')
  }

  const { body } = await call<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(CREDIT - 4 * (SENDS - SENDS / 10))
  const listed = await call<{ meta: { pagination: { count_total: number } } }>('GET', '/sms?limit=1')
  expect(listed.body.meta.pagination.count_total).toBe(SENDS)
  const audit = await runGangan(['balance', 'audit'], { GANGAN_DATA: folder.path })
  expect(audit).toMatchObject({ code: 0 })

  const ids_by_message = new Map<string, Set<unknown>>()
  await until('every callback', () => new Set(receiver.received.map(({ json }) => json.data.id)).size >= SENDS, 60_000)
  for (const { headers, json } of receiver.received) {
    const ids = ids_by_message.get(json.data.id) ?? new Set()
    ids_by_message.set(json.data.id, ids.add(headers['webhook-id']))
    expect(headers['webhook-id']).toBe(json.id)
  }
  expect([...ids_by_message.keys()].sort()).toEqual([...answers.values()].sort())
  expect([...ids_by_message.values()].filter((ids) => ids.size !== 1)).toEqual([])
}, 180_000)
