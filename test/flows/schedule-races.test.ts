import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { claim } from '../../src/queue/store.ts'
import { newId } from '../../src/values/id.ts'
import { emptyIntake } from '../support/intake.ts'
import { caller, openService, type TestService } from '../support/service.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

type Message = { id: string; deliveries: { status: string; refunded: boolean }[] }

const MESSAGES = 80
const LATE = 5
const CANCELED = '204,409: canceled refunded,canceled refunded, 0 shown'
const DELIVERED = '409,409: delivered charged,delivered charged, 2 shown'
const OPEN = ['scheduled', 'queued', 'sent']

describe('canceling a message at the moment it becomes due', () => {
  let service: TestService
  let second: TestService
  beforeAll(async () => {
    service = await openService()
    second = await openService({ beside: service })
  })
  afterAll(async () => {
    await second.close()
    await service.close()
  })

  test('ends it sent or refunded, never both and never neither', async () => {
    const by = await service.organisation({ credit: MESSAGES * 8 })
    const processes = [by.call, caller(second.url, by.key)]
    const sent = await Promise.all(
      Array.from({ length: MESSAGES }, (_, n) =>
        by.call<Message>('POST', '/sms/send', {
          recipients: `234803000${String(n).padStart(4, '0')},234805000${String(n).padStart(4, '0')}`,
          content: 'x',
          send_at: new Date(Date.now() + 86_400_000).toISOString(),
        }),
      ),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(MESSAGES).fill(200))
    // However long that took: from now on one after the other becomes due, but for the last ones.
    const due = Date.now() + 500
    for (const [n, { body }] of sent.slice(0, -LATE).entries()) {
      const send_at = new Date(due + 10 * n).toISOString()
      await service.db`update deliveries set send_at = ${send_at}::timestamptz where message_id = ${body.id}`
      await service.db`
        update jobs set run_at = ${send_at}::timestamptz, subject_key = ${send_at} where subject_id = ${body.id}`
    }
    // Each is canceled by two processes concurrently, some before and some after its time.
    const answers = await Promise.all(
      sent.map(async ({ body }, n) => {
        await until('its time', () => Date.now() >= due + 12 * n - 100)
        return Promise.all(processes.map((call) => call('DELETE', `/sms/${body.id}`)))
      }),
    )
    let canceled = 0
    for (const [n, { body }] of sent.entries()) {
      const { deliveries } = await until('its end', async () => {
        const now = (await by.call<Message>('GET', `/sms/${body.id}`)).body
        return now.deliveries.every(({ status }) => !OPEN.includes(status)) && now
      })
      const codes = answers[n]?.map(({ status }) => status).sort() ?? []
      const shown = await service.db`select 1 from sandbox_messages where message_id = ${body.id}`
      const ends = deliveries.map(({ status, refunded }) => `${status} ${refunded ? 'refunded' : 'charged'}`)
      const story = `${codes.join()}: ${ends.join()}, ${shown.length} shown`
      expect([CANCELED, DELIVERED]).toContain(story)
      if (story === CANCELED) canceled += 1
    }
    expect(canceled).toBeGreaterThanOrEqual(LATE)
    const { body } = await by.call<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(canceled * 8)
    expect(await auditMoney(service.db)).toEqual([])
    expect(await service.db`select 1 from jobs where queue = 'scheduled'`).toHaveLength(0)
  })
})

describe('scheduled jobs', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ workers: false })
  })
  afterAll(() => service.close())

  /** How many rows of the queue one claim reads. */
  async function looksAt(queue: string): Promise<{ claimed: number; lines: number }> {
    let plan: Node | undefined
    await between(
      service.db,
      async ({ text, values }, ask) => {
        if (!text.includes('update jobs')) return ask({ text, values }) // Statements that the service runs at intervals.
        const { rows } = await ask({ text: `explain (analyze, format json) ${text}`, values })
        plan = (rows as Explained[])[0]?.['QUERY PLAN'][0]?.Plan
        return { rows: [], rowCount: 0 }
      },
      () => claim(service.db, { queue, limit: 500, lease_s: 10, except: [], after: newId() }),
    )
    return { claimed: plan?.['Actual Rows'] ?? -1, lines: plan ? linesOf(plan) : -1 }
  }
  type Explained = { 'QUERY PLAN': { Plan: Node }[] }
  type Node = {
    'Node Type': string
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    'Rows Removed by Index Recheck'?: number
    Plans?: Node[]
  }

  function linesOf(node: Node): number {
    const seen =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const own = node['Relation Name'] === 'jobs' && node['Node Type'].includes('Scan') ? seen * node['Actual Loops'] : 0
    return own + (node.Plans ?? []).reduce((sum, child) => sum + linesOf(child), 0)
  }

  // Rows read by one statement over all organisations; on a cluster each organisation is queried separately.
  test.skipIf(inject('cluster'))('are not read by a claim, a quarter of a million of them', async () => {
    const send_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
    const recipients = Array.from({ length: 100 }, (_, n) => String(2_348_030_000_000 + n))
    await service.call('POST', '/sms/send', { recipients, content: 'x', send_at })
    const [row] = await service.db<{ count: number }[]>`select count(*)::integer as count from jobs`
    expect(row?.count).toBe(1) // A message is one job, with any number of recipients.
    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, run_at)
      select queue, lane, gen_random_uuid(), gen_random_uuid(), run_at + n * interval '1 s'
      from jobs, generate_series(1, 250000) n`
    await service.db`analyze jobs`

    for (let n = 0; n < 5; n += 1) await service.call('POST', '/sms/send', { recipients: recipients[n], content: 'x' })
    await emptyIntake(service.db, service.id) // As if none had been claimed this time.
    const ready = await looksAt('route:sms')
    expect(ready.claimed).toBe(5)
    expect(ready.lines).toBeLessThan(50)

    await service.db`
      insert into jobs (queue, lane, organisation_id, subject_id, run_at)
      select 'scheduled', lane, gen_random_uuid(), gen_random_uuid(), now() - n * interval '1 s'
      from (select lane from jobs where queue = 'scheduled' limit 1) one, generate_series(1, 3) n`
    const due = await looksAt('scheduled')
    expect(due.claimed).toBe(3)
    expect(due.lines).toBeLessThan(50)
  })
})
