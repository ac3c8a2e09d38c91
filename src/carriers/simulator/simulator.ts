import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue, finish, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker } from '../../queue/worker.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import type { CarrierReport, MessageCarrier, OutgoingMessage, SubmitOutcome, TakeReports } from '../message-carrier.ts'
import { behaviourOf } from './phones.ts'
import type { SimulatorSettings } from './schema.ts'
import { showMessages, type ShownMessage } from './store.ts'

export type SimulatorDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  takeReports: TakeReports
  /** Told what the handsets show now, for those who watch. */
  onShown: (messages: readonly ShownMessage[]) => void
}

const BATCH = 500
const RETRY_AFTER_S = 0.5
/** How long after a hand-over a report can still come; a number that never reports is given up sooner. */
const REPORT_DUE_S = 60
const REPORT_DUE_NEVER_S = 3

/**
 * The network of the sandbox: shows messages on virtual handsets and reports on them after a moment. Its reports wait
 * in the database, so that a restart loses none of them.
 */
export function startSimulator(deps: SimulatorDeps, settings: SimulatorSettings): MessageCarrier {
  const queue = `simulator:${settings.name}`
  const worker = startWorker(deps, { queue, limit: 2 * BATCH, batch: BATCH, work: report })

  async function report(jobs: Job[]): Promise<void> {
    await deps.takeReports(jobs.flatMap((job) => reportsOn(settings.name, job.subject_id, job.subject_key)))
    await finish(
      deps.db,
      jobs.map(({ id }) => id),
    )
  }

  return {
    name: settings.name,
    batch: BATCH,
    resubmittable: true,

    async submit(messages) {
      const outcomes = messages.map((message) => outcomeOf(message))
      const taken = messages.filter((_, n) => outcomes[n]?.kind === 'accepted')
      const hasty = taken.filter(({ recipient }) => behaviourOf(recipient).before_answer)
      if (hasty.length > 0) {
        await deps.takeReports(hasty.flatMap((one) => reportsOn(settings.name, one.message_id, one.recipient)))
      }
      await carry(taken)
      return outcomes
    },

    stop: () => worker.stop(),
  }

  /** A message handed over twice is shown once and reported on twice, which does no harm. */
  async function carry(messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return
    const shown = messages
      .filter(({ recipient }) => behaviourOf(recipient).fate?.status === 'delivered')
      .map((message) => ({ ...message, id: newId() }))
    await transaction(deps.db, async (tx) => {
      await showMessages(tx, shown)
      await enqueue(
        tx,
        queue,
        messages
          .filter(({ recipient }) => behaviourOf(recipient).fate && !behaviourOf(recipient).before_answer)
          .map(({ organisation_id, message_id, recipient }) => ({
            lane: organisation_id,
            organisation_id,
            subject_id: message_id,
            subject_key: recipient,
            delay_ms: behaviourOf(recipient).delay_ms ?? settings.report_delay_ms,
          })),
      )
    })
    deps.onShown(shown)
    deps.wakeups.wake(queue, settings.report_delay_ms + 5)
  }
}

function outcomeOf({ message_id, recipient, attempt }: OutgoingMessage): SubmitOutcome {
  const { rejected, temporary_failures = 0, fate } = behaviourOf(recipient)
  if (rejected) return { kind: 'rejected', ...rejected }
  if (attempt <= temporary_failures) {
    const description = 'the network is busy'
    return { kind: 'temporary', code: '058', description, retry_after_s: RETRY_AFTER_S }
  }
  const report_due_s = fate ? REPORT_DUE_S : REPORT_DUE_NEVER_S
  return { kind: 'accepted', carrier_message_id: carrierMessageId(message_id, recipient), report_due_s }
}

function reportsOn(carrier: string, message_id: string, recipient: string): CarrierReport[] {
  const { fate, reports } = behaviourOf(recipient)
  if (!fate) return []
  const report = { carrier, carrier_message_id: carrierMessageId(message_id, recipient), ...fate }
  return Array.from({ length: reports }, () => report)
}

function carrierMessageId(message_id: string, recipient: string): string {
  return `${message_id}-${recipient}`
}
