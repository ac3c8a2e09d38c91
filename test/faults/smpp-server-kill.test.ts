import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../bench/kannel.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { tryBind, type Login, type SmppClient } from '../support/smpp-client.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const SUBMITS = scale(300, 10_000)
const KILL_AT = scale([100], [1_500, 4_000, 7_000])
const WINDOW = 50

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan
let env: Record<string, string>
let port: number

beforeAll(async () => {
  folder = await temporaryFolder()
  port = await freePort()
  const path = join(folder.path, 'gangan.json')
  const limits = { rate_per_s: 10_000, rate_per_s_per_organisation: 100_000 }
  const carriers = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 50 }]
  await writeFile(path, JSON.stringify({ carriers, smpp_server: { port, limits } }))
  env = { GANGAN_DATA: join(folder.path, 'data'), GANGAN_CONFIG: path }
  gangan = await startGangan(env)
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await folder.remove()
})

/** SMPP has no idempotency: an unanswered submit may have been accepted, and is not repeated here. */
test('a process killed in the middle of submits keeps every answered one, charges none twice, and reports all', async () => {
  const key = gangan.key ?? ''
  const made = await runGangan(['smpp', 'add', 'shop', '--rate', '10000', '--window', String(WINDOW)], env)
  const [system_id = '', password = ''] = made.stdout.split('\n')
  const login = { system_id, password }
  const answered = new Map<string, string>()
  const reported = new Map<string, number>()
  let client = await connected(login)
  let submitted = 0

  async function submitOn(): Promise<void> {
    while (submitted < SUBMITS) {
      const mine = client
      const to = `234803${String((submitted += 1)).padStart(7, '0')}`
      const submit = mine.submit({ destination_addr: to, short_message: `Hello ${to}` })
      const answer = await Promise.race([submit, until('the end', () => mine.is_closed, 120_000).then(() => undefined)])
      if (answer?.command_status === 0) answered.set(answer.message_id, to)
      else if (answer) submitted -= 1
      else await until('another connection', () => client !== mine, 120_000)
    }
  }

  const submitting = Promise.all(Array.from({ length: WINDOW / 2 }, submitOn))
  for (const at of KILL_AT) {
    await until(`${at} responses`, () => answered.size >= at, 120_000)
    const killed = client
    await gangan.end('SIGKILL')
    for (const { id } of killed.reports()) reported.set(id ?? '', (reported.get(id ?? '') ?? 0) + 1)
    gangan = await startGangan(env)
    client = await connected(login)
  }
  await submitting
  await until(
    'a report on every answered one',
    () => {
      for (const { id } of client.reports()) reported.set(id ?? '', 1)
      return [...answered.keys()].every((id) => reported.has(id))
    },
    180_000,
  )

  const call = caller(gangan.url, key)
  type Listed = { messages: { id: string; recipients: string[] }[]; pagination: { query_id?: string } }
  const found = new Map<string, number>()
  for (let page = 1, more = true; more; page += 1) {
    const { body } = await call<Listed>('GET', `/sms?limit=100&page=${page}`)
    for (const { recipients } of body.messages)
      found.set(recipients[0] ?? '', (found.get(recipients[0] ?? '') ?? 0) + 1)
    more = body.messages.length > 0
  }
  expect([...answered.values()].filter((to) => found.get(to) !== 1)).toEqual([])
  expect([...found.values()].filter((times) => times > 1)).toEqual([])
  expect(await runGangan(['balance', 'audit'], { GANGAN_DATA: env.GANGAN_DATA ?? '' })).toMatchObject({ code: 0 })
  note({
    promise: 'nothing submitted is lost: killed during submits over SMPP',
    figure: `${KILL_AT.length} kills, ${count(SUBMITS)} submits, ${count(answered.size)} of them answered: each of these stored once, charged once, and reported`,
    goal: '10,000 submits',
    met: SUBMITS >= 10_000,
  })
}, 600_000)

/** The bind slots of a killed process are free when their lease has expired. */
async function connected(login: Login): Promise<SmppClient> {
  return until(
    'a bind',
    async () => {
      const client = await tryBind(port, login)
      return client.status === 0 && client
    },
    60_000,
  )
}
