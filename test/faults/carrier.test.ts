import { afterEach, expect, test } from 'vitest'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { startRoute } from '../../src/messaging/dispatch/route.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { openService, type TestService } from '../support/service.ts'
import { everyDelivery } from '../support/every.ts'
import { until } from '../support/until.ts'
import { note } from './scale.ts'

/** A little longer than the lease of a job: a worker that is still working on it must have extended it. */
const HANGS_MS = 13_000

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** A carrier that accepts messages and then does not respond until it is released. */
function hangingCarrier(): MessageCarrier & { taken: OutgoingMessage[]; letGo(): void } {
  let letGo = (): void => {}
  const freed = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const taken: OutgoingMessage[] = []
  return {
    name: 'hanging',
    batch: 50,
    resubmittable: false,
    taken,
    letGo: () => letGo(),
    async submit(messages): Promise<SubmitOutcome[]> {
      taken.push(...messages)
      await freed
      return messages.map(({ message_id, recipient }) => ({
        kind: 'accepted',
        carrier_message_id: `${message_id} ${recipient}`,
        report_due_s: 3_600,
      }))
    },
    async stop() {},
  }
}

/** The route of WhatsApp leads to a carrier of the test; the rest of the service is unchanged. */
async function withCarrier(carrier: MessageCarrier): Promise<TestService> {
  const carriers = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }]
  const routes = [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'elsewhere', channel: 'whatsapp', carrier: 'simulator' },
  ]
  // No worker of the service may serve the route: another one is started here instead.
  const service = await openService({ settings: { carriers, routes }, workers: false })
  const wakeups = await makeWakeups(service.db)
  const log = { info() {}, warn() {}, error() {} }
  const deps = {
    db: service.db,
    log,
    meters: makeMeters(),
    wakeups,
    seal: makeSeal(Buffer.alloc(32)),
    onChanged: async () => {},
    onSettled: () => {},
    noteFacts: async () => {},
  }
  const worker = startRoute(deps, { name: 'elsewhere', carriers: [carrier] })
  undo.push(
    () => service.close(),
    () => wakeups.close(),
    () => worker.stop(),
  )
  return service
}

test('a carrier that hangs keeps its messages, and none of them is submitted twice', async () => {
  const carrier = hangingCarrier()
  const service = await withCarrier(carrier)
  const recipients = Array.from({ length: 100 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const sent = await service.call<{ id: string }>('POST', '/sms/send', {
    recipients,
    content: 'Hello',
    channel: 'whatsapp',
  })
  expect(sent.status).toBe(200)
  await until('both batches with the carrier', () => carrier.taken.length === 100)
  const since = Date.now()
  await until('more time than a lease', () => Date.now() - since > HANGS_MS, HANGS_MS + 5_000)
  expect(carrier.taken).toHaveLength(100)
  const [before] = await service.db`
    select count(*)::integer as queued from ${everyDelivery(service.db)} delivery where status = 'queued'`
  expect(before?.queued).toBe(100)
  carrier.letGo()
  await until('all to be sent', async () => {
    const [row] = await service.db`select count(*)::integer as sent from deliveries where status = 'sent'`
    return row?.sent === 100
  })
  expect(new Set(carrier.taken.map(({ recipient }) => recipient)).size).toBe(100)
  expect(carrier.taken).toHaveLength(100)
  expect(await auditMoney(service.db)).toEqual([])
  note({
    promise: 'dependencies: carrier that hangs',
    figure: `100 messages in flight for ${HANGS_MS / 1_000} s (the lease is 10 s): each submitted once`,
  })
}, 60_000)

test('a carrier that throws, or returns too few outcomes, loses nothing: all messages are retried or reported', async () => {
  let calls = 0
  const carrier: MessageCarrier = {
    name: 'moody',
    batch: 10,
    resubmittable: true,
    async submit(messages) {
      calls += 1
      if (calls === 1) throw new Error('the connection was lost before submission')
      const outcomes = messages.map(({ message_id, recipient }): SubmitOutcome => ({
        kind: 'accepted',
        carrier_message_id: `${message_id} ${recipient} ${calls}`,
        report_due_s: 3_600,
      }))
      return calls === 2 ? outcomes.slice(0, -1) : outcomes // One outcome is missing.
    },
    async stop() {},
  }
  const service = await withCarrier(carrier)
  const recipients = Array.from({ length: 10 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  await service.call('POST', '/sms/send', { recipients, content: 'Hello', channel: 'whatsapp' })
  await until(
    'all to be sent',
    async () => {
      const [row] = await service.db`select count(*)::integer as sent from deliveries where status = 'sent'`
      return row?.sent === 10
    },
    45_000,
  )
  expect(await auditMoney(service.db)).toEqual([])
}, 60_000)
