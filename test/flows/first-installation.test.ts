import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit.ts'
import { knownSchema, migrate } from '../../src/db/migrate.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { TestDatabase } from '../support/database.ts'
import { contentOf, emptyDatabase } from '../support/empty-database.ts'
import { bringUp } from '../support/first-installation.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What was there before clusters was never distributed. */
const on_cluster = inject('cluster') !== undefined
const ORGANISATION = '01900000-0000-7000-8000-000000000001'
const MESSAGE = '01a00000-0000-7000-8000-000000000001'
const LATER = '01a00000-0000-7000-8000-000000000002'

let database: TestDatabase
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.drop())

test.skipIf(on_cluster)(
  'data of the first schema come through every migration, one by one or all at once',
  async () => {
    const { db } = database
    await bringUp(db, await knownSchema())
    await migrate(db)
    expect([...(await auditMoney(db)), ...(await auditPurchases(db))]).toEqual([])
    const beside = await emptyDatabase()
    await bringUp(beside.db, 1)
    await migrate(beside.db)
    const contents = await Promise.all([contentOf(database), contentOf(beside)])
    await beside.drop()
    const [step_by_step, at_once] = contents.map(({ ledger_lines, balances, messages, deliveries, callbacks }) => {
      return [ledger_lines, balances, messages?.split(' ')[0], deliveries?.split(' ')[0], callbacks?.split(' ')[0]]
    })
    expect(step_by_step).toEqual(at_once)
    expect(at_once?.slice(2)).toEqual(['2', '5', '1'])
  },
)

test.skipIf(on_cluster)('the service goes on with them: what waited is sent, the money stays exact', async () => {
  await bringUp(database.db, await knownSchema())
  await migrate(database.db)
  const service = await openService({ beside: { database } })
  const by = await service.organisation({ of: { ...service, id: ORGANISATION } })
  type Message = { content: string; deliveries: { recipient: string; status: string; refunded: boolean }[] }
  const { body } = await by.call<Message>('GET', `/sms/${MESSAGE}`)
  expect(body.content).toBe('Tab\t "quotes" \\ ẹ')
  expect(body.deliveries.map(({ status, refunded }) => `${status} ${refunded}`).slice(0, 3)).toEqual([
    'delivered false',
    'undelivered false',
    'rejected true',
  ])
  await until('what was queued to be delivered', async () => {
    const later = await by.call<Message>('GET', `/sms/${LATER}`)
    return later.body.deliveries.every(({ status }) => status === 'delivered')
  })
  expect((await by.call('GET', '/balance')).body.balance).toBe(999.88)
  const sent = await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'New' })
  expect(sent.status).toBe(200)
  expect(await auditMoney(database.db)).toEqual([])
  await service.close()
})
