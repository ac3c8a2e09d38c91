import type { Db } from '../../db/connect.ts'
import { byLayout } from '../../db/layout.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { finish, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker } from '../../queue/worker.ts'
import { makeKeyedBatchWriter, type SharedWrites } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { present } from '../../values/record.ts'
import type { CarrierKind } from '../kind.ts'
import type { CarrierReport, MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports } from '../message-carrier.ts'
import { behaviourOf } from './phones.ts'
import type { SimulatorSettings } from './schema.ts'
import { idsOf, showMessages, type ReportBatch, type ShownMessage } from './store.ts'

export type SimulatorDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  takeReports: TakeReports
  /** Called with the messages that the handsets show from now on. */
  onShown: (messages: readonly ShownMessage[]) => void
}

export const simulatorKind: CarrierKind<SimulatorSettings, SimulatorDeps> = {
  start: startSimulator,
  describe: async (_, carriers) => carriers.map(({ name, kind }) => ({ name, kind, state: 'up' })),
}

const BATCH = 500
/** Messages of one organisation in a statement that it shares with others. */
const SHARED_MESSAGES = 64
/** Maximum jobs in flight, each with the reports of a batch. */
const MAX_JOBS = 256
const RETRY_AFTER_S = 0.5
/** How long after the submission a report is due; sooner for a number that never reports. */
const REPORT_DUE_S = 60
const REPORT_DUE_NEVER_S = 3

/**
 * The sandbox network: shows messages on virtual handsets and reports on them after a delay. Pending reports are jobs in
 * the database, so that a restart loses none.
 */
export function startSimulator(deps: SimulatorDeps, settings: SimulatorSettings): MessageCarrier {
  const queue = `simulator:${settings.name}`
  const worker = startWorker(deps, { queue, limit: MAX_JOBS, batch: MAX_JOBS / 2, work: report })
  const shared: SharedWrites<readonly OutgoingMessage[], void> = {
    keys: BATCH,
    weight_per_key: SHARED_MESSAGES,
    async write(groups) {
      await show(groups.flatMap(({ items }) => items.flat()))
      return groups.map(() => [])
    },
  }
  /** Shows messages of one organisation, in one statement with those of others. */
  const carry = makeKeyedBatchWriter<readonly OutgoingMessage[]>(
    { items: BATCH, weight: { limit: BATCH, of: (messages) => messages.length } },
    (_, submitted) => show(submitted.flat()),
    isDatabaseUnreachable,
    byLayout(deps.db, { single_server: shared, cluster: undefined }),
  )

  /** After a crash before the jobs are finished the same reports come again, which is harmless. */
  async function report(jobs: Job[]): Promise<void> {
    const reports = jobs.flatMap(idsOf).flatMap((id) => reportsOn(settings.name, id))
    for (let n = 0; n < reports.length; n += BATCH) await deps.takeReports(reports.slice(n, n + BATCH))
    await finish(deps.db, jobs)
  }

  return {
    name: settings.name,
    batch: BATCH,
    resubmittable: true,
    takes_binary: true,

    async submit(messages) {
      const outcomes = messages.map((message) => outcomeOf(message))
      const taken = messages.filter((_, n) => outcomes[n]?.kind === 'accepted')
      const reported_early = taken.filter(({ recipient }) => behaviourOf(recipient).before_answer)
      if (reported_early.length > 0) {
        await deps.takeReports(reported_early.flatMap((one) => reportsOn(settings.name, carrierMessageId(one))))
      }
      const held = new Set<string>()
      const groups = [...groupBy(taken, ({ organisation_id }) => organisation_id)]
      await Promise.all(
        groups.map(([organisation_id, own]) =>
          carry(organisation_id, own).catch((fault: unknown) => {
            held.add(organisation_id)
            deps.log.error({ queue, organisation_id, err: fault }, 'the simulator could not show messages')
          }),
        ),
      )
      if (held.size === 0) return outcomes
      return outcomes.map((outcome, n): SubmitOutcome => {
        const is_held = outcome.kind === 'accepted' && held.has(messages[n]?.organisation_id ?? '')
        return is_held ? { kind: 'held' } : outcome
      })
    },

    stop: () => worker.stop(),
  }

  /** A message submitted twice is shown once and reported on twice, which is harmless. */
  async function show(messages: readonly OutgoingMessage[]): Promise<void> {
    const shown = messages.filter(({ recipient }) => behaviourOf(recipient).fate?.status === 'delivered').map(shownOf)
    const batches = batchesOf(messages, settings.report_delay_ms)
    await showMessages(deps.db, queue, shown, batches)
    deps.onShown(shown)
    for (const { organisation_id, delay_ms } of batches) deps.wakeups.wake(queue, delay_ms + 5, organisation_id)
  }
}

function shownOf(message: OutgoingMessage): ShownMessage {
  const { organisation_id, message_id, recipient, channel, sender_id, text, whatsapp } = message
  const shown = { organisation_id, message_id, recipient, channel, sender_id, text, id: newId() }
  return { ...shown, ...present('whatsapp', whatsapp) }
}

/** The reports to come, by organisation and due time. */
function batchesOf(messages: readonly OutgoingMessage[], usual_delay_ms: number): ReportBatch[] {
  const reported = messages.filter(({ recipient }) => {
    const { fate, before_answer } = behaviourOf(recipient)
    return fate && !before_answer
  })
  const delayOf = ({ recipient }: OutgoingMessage) => behaviourOf(recipient).delay_ms ?? usual_delay_ms
  return [...groupBy(reported, ({ organisation_id }) => organisation_id)].flatMap(([organisation_id, own]) =>
    [...groupBy(own, delayOf)].map(([delay_ms, due_together]) => ({
      organisation_id,
      delay_ms,
      carrier_message_ids: due_together.map(carrierMessageId),
    })),
  )
}

function outcomeOf(message: OutgoingMessage): SubmitOutcome {
  const { rejected, temporary_failures = 0, fate } = behaviourOf(message.recipient)
  if (rejected) return { kind: 'rejected', ...rejected }
  if (message.attempt <= temporary_failures) {
    const description = 'the network is busy'
    return { kind: 'temporary', code: '058', description, retry_after_s: RETRY_AFTER_S }
  }
  const report_due_s = fate ? REPORT_DUE_S : REPORT_DUE_NEVER_S
  return { kind: 'accepted', carrier_message_id: carrierMessageId(message), report_due_s }
}

function reportsOn(carrier: string, carrier_message_id: string): CarrierReport[] {
  const { fate, reports } = behaviourOf(recipientOf(carrier_message_id))
  if (!fate) return []
  return Array.from({ length: reports }, () => ({ carrier, carrier_message_id, ...fate }))
}

function carrierMessageId({ message_id, recipient }: Pick<OutgoingMessage, 'message_id' | 'recipient'>): string {
  return `${message_id}-${recipient}`
}

function recipientOf(carrier_message_id: string): string {
  return carrier_message_id.slice(carrier_message_id.lastIndexOf('-') + 1)
}
