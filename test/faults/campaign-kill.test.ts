import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignOf, type Campaign } from '../support/campaign.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller, type Answer } from '../support/service.ts'
import { until } from '../support/until.ts'
import { scale } from './scale.ts'

const PEOPLE = scale(800, 20_000)
const CREDIT = 1_000_000
const PRICE = 4
/** So that much of it is still in the intake when it is canceled. */
const RATE_PER_S = scale(200, 1_000)
const REST_MS = scale(90_000, 180_000)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan
let key: string
let env: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: join(folder.path, 'gangan.json') }
  const routes = [{ name: 'all', channel: 'sms', prefix: '', carrier: 'simulator', rate_per_s: RATE_PER_S }]
  const carriers = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }]
  await writeFile(env.GANGAN_CONFIG ?? '', JSON.stringify({ carriers, routes }))
  gangan = await startGangan(env)
  key = gangan.key ?? ''
})
afterAll(async () => {
  await gangan?.end('SIGTERM')
  await folder.remove()
})

/** A client that retries when its connection is lost. */
async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  return until(`a response to ${method} ${path}`, async () => {
    try {
      const answer = await caller(gangan.url, key)<T>(method, path, body)
      return answer.status !== 503 && answer
    } catch {
      return undefined
    }
  })
}

async function killAndRestart(): Promise<void> {
  await gangan.end('SIGKILL')
  gangan = await startGangan(env)
}

test('killed while it is estimated, sent and canceled, a campaign reaches each recipient once and the ledger is exact', async () => {
  const by = { call }
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    to: `0803${String(n).padStart(7, '0')}`,
    substitutions: { name: `Ada ${n}` },
  }))
  const id = await campaignOf(by, { content: 'Dear {{name}}, hello' }, [...people, ...people.slice(0, 500)])
  await call('POST', `/campaigns/${id}/estimate`)
  await killAndRestart()
  const found = await until(
    'the estimate, started by another process',
    async () => {
      const { body } = await call<Campaign>('GET', `/campaigns/${id}`)
      return body.status === 'estimated' && body.estimate
    },
    REST_MS,
  )
  const seen = { people: PEOPLE, charge: PRICE * PEOPLE }
  expect(found).toMatchObject({ ...seen, left_out: { twice: 500 } })
  expect((await call('POST', `/campaigns/${id}/start`, seen)).status).toBe(200)
  await acceptedFrom(id, 1)
  await killAndRestart()
  await acceptedFrom(id, 300)
  expect((await call<Campaign>('POST', `/campaigns/${id}/pause`)).body.status).toBe('paused')
  expect((await call<Campaign>('POST', `/campaigns/${id}/resume`)).body.status).toBe('running')
  expect((await call<Campaign>('POST', `/campaigns/${id}/cancel`)).body.status).toBe('canceled')
  await killAndRestart()

  const over = await until(
    'all deliveries to end',
    async () => {
      const { body } = await call<Campaign>('GET', `/campaigns/${id}`)
      const { accepted, taken_back } = body.progress
      const { canceled = 0, delivered = 0 } = body.outcomes ?? {}
      return canceled === taken_back && canceled + delivered === accepted && body
    },
    REST_MS,
  )
  const { accepted, taken_back, charge, given_back } = over.progress
  expect([charge, given_back]).toEqual([PRICE * accepted, PRICE * taken_back])
  expect(accepted).toBeGreaterThan(0)
  const { body } = await call<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(CREDIT - PRICE * (accepted - taken_back))
  const lines = await handsets()
  expect(new Set(lines).size).toBe(accepted - taken_back)
  expect(await runGangan(['balance', 'audit'], env)).toMatchObject({ code: 0 })
}, 400_000)

async function acceptedFrom(id: string, count: number): Promise<void> {
  await until(
    `${count} to be accepted`,
    async () => (await call<Campaign>('GET', `/campaigns/${id}`)).body.progress.accepted >= count,
    REST_MS,
  )
}

/** The recipients, as the virtual phones show them. */
async function handsets(): Promise<string[]> {
  const numbers: string[] = []
  for (let query_id = '0'; ;) {
    type Page = { messages: { recipient: string }[]; meta: { pagination: { next_page: string; query_id: string } } }
    const { body } = await call<Page>('GET', `/sandbox/messages?limit=1000&query_id=${query_id}`)
    numbers.push(...body.messages.map(({ recipient }) => recipient))
    const { pagination } = body.meta
    if (pagination.next_page !== 'True') return numbers
    query_id = pagination.query_id
  }
}
