import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Erasure } from '../../src/people/schema.ts'
import { spellingsOf } from '../../src/people/spellings.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { dump } from '../support/person-data.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const NUMBER = '2348031234567'
const OTHER = '2348057654321'
const MESSAGES = 400
const WORD = 'zebrafish'

let database: TestDatabase
let gangan: Gangan
const env = () => ({ DATABASE_URL: database.url, GANGAN_PEPPER: 'a pepper for tests that is long enough to be one' })

beforeAll(async () => {
  database = await freshDatabase()
  gangan = await startGangan(env())
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await database.drop()
})

const foundSoFar = async (): Promise<number> => {
  const [row] = await database.db<{ rows: number }[]>`
    select coalesce(sum(rows::integer), 0)::integer as rows from erasures cross join jsonb_each_text(found) as f (name, rows)`
  return row?.rows ?? 0
}

test('an erasure resumes after each kill, and its receipt counts nothing twice', async () => {
  const key = gangan.key ?? ''
  const call = () => caller(gangan.url, key)
  for (let n = 0; n < MESSAGES; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        call()('POST', '/sms/send', { recipients: [NUMBER, OTHER], content: `Hello ${WORD}` }),
      ),
    )
  }
  await until('all to arrive', async () => {
    const open = await database.db`select 1 from intake union all select 1 from deliveries where status <> 'delivered'`
    return open.length === 0
  })
  const asked = await call()<Erasure>('POST', '/people/erasures', { phone: NUMBER })
  expect(asked.status).toBe(200)

  let kills = 0
  for (const rows of [100, 250]) {
    await until('some of it to be done', async () => (await foundSoFar()) >= rows, 60_000) // a lease of the dead process ends first
    const { length } = await database.db`select 1 from erasures where status = 'running'`
    if (length === 0) break
    await gangan.end('SIGKILL')
    kills += 1
    gangan = await startGangan(env())
  }
  expect(kills).toBeGreaterThan(0)
  const receipt = await until(
    'the erasure to end',
    async () => {
      const { body } = await call()<Erasure>('GET', `/people/erasures/${asked.body.id}`)
      return body.status === 'done' && body
    },
    60_000,
  )

  expect(receipt.found.find(({ table }) => table === 'deliveries')?.rows).toBe(MESSAGES)
  const spelled = spellingsOf(NUMBER)
  expect((await dump(database.db)).filter(({ row }) => spelled.isIn(row))).toEqual([])
  const others = await database.db`select 1 from deliveries where recipient = ${OTHER}`
  expect(others.length).toBe(MESSAGES)
  const audit = await runGangan(['balance', 'audit'], env())
  expect([audit.code, audit.stderr]).toEqual([0, ''])
})
