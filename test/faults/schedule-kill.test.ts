import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller } from '../support/service.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'

const MESSAGES = 200
const CREDIT = 1_000_000
const DUE_IN_MS = 3_000
const APART_MS = 30
/** The last of them are scheduled much later, so that some are canceled on any machine. */
const LATE = 20
const OPEN = ['scheduled', 'queued', 'sent']

type Message = { id: string; deliveries: { status: string; refunded: boolean }[] }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan

beforeAll(async () => {
  folder = await temporaryFolder()
  gangan = await startGangan({ GANGAN_DATA: folder.path })
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await folder.remove()
})

test('a scheduled message is sent or refunded, once, if the process is killed while it becomes due and is canceled', async () => {
  const key = gangan.key ?? ''
  const due = Date.now() + DUE_IN_MS
  const ids = await Promise.all(
    Array.from({ length: MESSAGES }, async (_, n) => {
      const { body } = await caller(gangan.url, key)<Message>('POST', '/sms/send', {
        recipients: `234803${String(n).padStart(7, '0')}`,
        content: 'x',
        send_at: new Date(due + APART_MS * n + (n < MESSAGES - LATE ? 0 : 3_600_000)).toISOString(),
      })
      return body.id
    }),
  )

  let restarting: Promise<void> | undefined
  let answered = 0
  async function killAndRestart(): Promise<void> {
    await gangan.end('SIGKILL')
    gangan = await startGangan({ GANGAN_DATA: folder.path })
  }

  /** A client that retries when its connection is lost; the response may show that its first request was executed. */
  async function takeBack(id: string): Promise<number> {
    for (;;) {
      await restarting
      try {
        const { status } = await caller(gangan.url, key)('DELETE', `/sms/${id}`)
        if (status === 503) continue
        answered += 1
        if (answered === MESSAGES / 4) restarting = killAndRestart()
        return status
      } catch {
        // The process died with our request in flight.
      }
    }
  }

  const codes = await Promise.all(
    ids.map(async (id, n) => {
      await until('its time', () => Date.now() >= due + APART_MS * n - 200)
      return takeBack(id)
    }),
  )
  expect(restarting).toBeDefined()
  await restarting

  let canceled = 0
  for (const [n, id] of ids.entries()) {
    const [delivery] = await until(
      `message ${n} to end`,
      async () => {
        const { body } = await caller(gangan.url, key)<Message>('GET', `/sms/${id}`)
        return body.deliveries.every(({ status }) => !OPEN.includes(status)) && body.deliveries
      },
      60_000,
    )
    // A 409 may mean that the first request was executed and only its response was lost.
    const story = `${codes[n]}: ${delivery?.status} ${delivery?.refunded ? 'refunded' : 'charged'}`
    expect(['204: canceled refunded', '409: canceled refunded', '409: delivered charged']).toContain(story)
    if (delivery?.status === 'canceled') canceled += 1
  }
  expect(canceled).toBeGreaterThanOrEqual(LATE)
  const { body } = await caller(gangan.url, key)<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(CREDIT - 4 * (MESSAGES - canceled))
  const handsets = await caller(gangan.url, key)<{ messages: object[] }>('GET', '/sandbox/messages?limit=1000')
  expect(handsets.body.messages).toHaveLength(MESSAGES - canceled)
  expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: folder.path })).toMatchObject({ code: 0 })
}, 180_000)
