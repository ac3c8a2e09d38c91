import type { OutgoingMessage } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { finish, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { present } from '../../values/present.ts'
import type { Seal } from '../../values/seal.ts'
import { makeRecorder, type DispatchTarget, type Outcome, type Recorder } from './record.ts'
import { readQueued, type QueuedDelivery } from './store.ts'
import { OPTED_OUT } from './refusing-carrier.ts'
import { deliverySeal, splitToken } from '../sealed-text.ts'
import type { SettleDeps } from '../settle/settle.ts'

export type DispatchDeps = SettleDeps & { db: Db; log: Log; seal: Seal }

/** Batches with a carrier at once: while one is written down, the next is handed over. */
const BATCHES = 2

/** Hands the messages of a queue to a carrier and writes down what the carrier said. */
export function startDispatch(deps: DispatchDeps, target: DispatchTarget & { room?: () => number }): Worker {
  const { carrier } = target
  const recorder = makeRecorder(deps, target)
  return startWorker(deps, {
    queue: target.queue,
    limit: carrier.limit ?? BATCHES * carrier.batch,
    batch: carrier.batch,
    rate_per_s: target.rate_per_s,
    room: target.room ?? carrier.room?.bind(carrier),
    work: (jobs, done) => dispatch(deps, target, recorder, jobs, done),
  })
}

/**
 * Once a message is with the carrier nothing here may fail: the queue would hand it over again. So the recorder does
 * not fail; what it cannot write keeps its lease until that ends, and comes back as interrupted.
 */
async function dispatch(
  deps: DispatchDeps,
  target: DispatchTarget,
  recorder: Recorder,
  jobs: Job[],
  done: (job: Job) => void,
): Promise<void> {
  const { loads, gone } = await load(deps.db, jobs)
  await finish(deps.db, gone)
  const sorted = loads.map((one) => ({ ...one, ...sort(deps, target, one) }))
  await recorder.all(sorted.flatMap(({ job, queued, outcome }) => (outcome ? [{ job, ...queued, outcome }] : [])))

  const ready = sorted.flatMap(({ job, queued, message }) => (message ? [{ job, queued, message }] : []))
  if (ready.length === 0) return
  const answers = target.carrier.submit(ready.map(({ message }) => message))
  if (Array.isArray(answers)) {
    await Promise.all(
      ready.map(async ({ job, queued }, n) => {
        const outcome = await answers[n]
        if (outcome) await recorder.one({ job, ...queued, outcome })
        done(job)
      }),
    )
  } else {
    const outcomes = await answers
    await recorder.all(
      ready.flatMap(({ job, queued }, n) => (outcomes[n] ? [{ job, ...queued, outcome: outcomes[n] }] : [])),
    )
  }
}

type Queued = QueuedDelivery & { organisation_id: string }
type Load = { job: Job; queued: Queued }

/** What is to be handed over, or the outcome of what must not be. */
function sort(
  { seal }: DispatchDeps,
  { carrier, channel, on_unknown = 'resend_otp' }: DispatchTarget,
  { job, queued: { sealed_text, whatsapp, opted_out, ...message } }: Load,
): { message?: OutgoingMessage; outcome?: Outcome } {
  // Sealed texts are one-time passwords: one that comes twice is harmless, one that never comes is not.
  const repeatable = carrier.resubmittable || (sealed_text !== null && on_unknown === 'resend_otp')
  if (job.interrupted && !repeatable) return { outcome: INTERRUPTED }
  // Who asks for a one-time password wants that one text, whatever they said about others.
  if (opted_out && sealed_text === null) return { outcome: OPTED_OUT }
  if (message.expires_in_s !== null && message.expires_in_s <= 0) return { outcome: TOO_LATE }
  const opened = sealed_text === null ? message.text : seal.open(sealed_text, deliverySeal(message))
  if (opened === undefined) return { outcome: UNREADABLE }
  const words = sealed_text === null ? { text: opened } : splitToken(opened)
  return {
    message: {
      ...message,
      ...words,
      ...present('channel', channel),
      ...present('template', whatsapp),
      attempt: job.attempts,
      urgent: sealed_text !== null,
    },
  }
}

/** A worker died with it in hand. Sending it again could mean sending it twice: its report will tell, or nothing will. */
const INTERRUPTED: Outcome = { kind: 'unknown', description: 'interrupted while being handed over' }
const TOO_LATE: Outcome = { kind: 'failed', description: 'it expired before it could be handed over' }
const UNREADABLE: Outcome = { kind: 'failed', description: 'it was sealed under another pepper' }

/** The messages behind the jobs; `gone` are jobs whose delivery needs nothing any more. */
async function load(db: Db, jobs: readonly Job[]): Promise<{ loads: Load[]; gone: bigint[] }> {
  const queued = new Map<string, Load['queued']>()
  await Promise.all(
    [...groupBy(jobs, (job) => job.organisation_id)].map(async ([organisation_id, own]) => {
      const wanted = own.map(({ subject_id, subject_key }) => ({ message_id: subject_id, recipient: subject_key }))
      for (const row of await readQueued(db, organisation_id, wanted)) {
        queued.set(`${row.message_id} ${row.recipient}`, { ...row, organisation_id })
      }
    }),
  )
  const loads: Load[] = []
  const gone: bigint[] = []
  for (const job of jobs) {
    const found = queued.get(`${job.subject_id} ${job.subject_key}`)
    if (found) loads.push({ job, queued: found })
    else gone.push(job.id)
  }
  return { loads, gone }
}
