import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { finish, postponeEach, type Job } from '../queue/store.ts'
import { startWorker, type Worker } from '../queue/worker.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { readQueued, recordHandedOver, type HandedOver, type QueuedDelivery } from './dispatch-store.ts'
import { OPTED_OUT } from './refused.ts'
import { deliverySeal, type Seal } from './seal.ts'
import { settle, type SettleDeps } from './settle.ts'
import type { Change } from './settle-store.ts'

export type DispatchDeps = SettleDeps & { db: Db; log: Log; seal: Seal }

export type Route = { name: string; carrier: MessageCarrier; rate_per_s?: number | undefined }

/** Batches with a carrier at once: while one is written down, the next is handed over. */
const BATCHES = 2
/** A network that does not take a message this often will not: it is `failed` and refunded. */
const MAX_ATTEMPTS = 12
const LONGEST_RETRY_S = 300

export function routeQueue(route: string): string {
  return `route:${route}`
}

/** Hands the messages of a route to its carrier, in batches, and writes down what the carrier said. */
export function startDispatch(deps: DispatchDeps, route: Route): Worker {
  return startWorker(deps, {
    queue: routeQueue(route.name),
    limit: BATCHES * route.carrier.batch,
    batch: route.carrier.batch,

    rate_per_s: route.rate_per_s,
    work: (jobs) => dispatch(deps, route, jobs),
  })
}

async function dispatch(deps: DispatchDeps, route: Route, jobs: Job[]): Promise<void> {
  const { carrier } = route
  const { loads, gone } = await load(deps.db, jobs)
  await finish(deps.db, gone)
  const sorted = loads.map((one) => ({ ...one, ...sort(deps, carrier, one) }))
  await record(
    deps,
    route,
    sorted.flatMap(({ job, outcome }) => (outcome ? [{ job, outcome }] : [])),
  )

  const ready = sorted.flatMap(({ job, message }) => (message ? [{ job, message }] : []))
  if (ready.length === 0) return
  const outcomes = await carrier.submit(ready.map(({ message }) => message))
  const results = ready.flatMap(({ job }, n) => (outcomes[n] ? [{ job, outcome: outcomes[n] }] : []))
  await record(deps, route, results)
}

type Load = { job: Job; queued: QueuedDelivery & { organisation_id: string } }
type Result = { job: Job; outcome: SubmitOutcome | { kind: 'failed'; description: string } }

/** What is to be handed over, or the outcome of what must not be. */
function sort(
  { seal }: DispatchDeps,
  carrier: MessageCarrier,
  { job, queued: { sealed_text, opted_out, ...message } }: Load,
): { message?: OutgoingMessage; outcome?: Result['outcome'] } {
  // Sealed texts are one-time passwords: one that comes twice is harmless, one that never comes is not.
  const repeatable = carrier.resubmittable || sealed_text !== null
  if (job.interrupted && !repeatable) return { outcome: INTERRUPTED }
  // Who asks for a one-time password wants that one text, whatever they said about others.
  if (opted_out && sealed_text === null) return { outcome: OPTED_OUT }
  if (message.expires_in_s !== null && message.expires_in_s <= 0) return { outcome: TOO_LATE }
  const text = sealed_text === null ? message.text : seal.open(sealed_text, deliverySeal(message))
  if (text === undefined) return { outcome: UNREADABLE }
  return { message: { ...message, text, attempt: job.attempts } }
}

/** A worker died with it in hand. Sending it again could mean sending it twice: its report will tell, or nothing will. */
const INTERRUPTED: Result['outcome'] = { kind: 'unknown', description: 'interrupted while being handed over' }
const TOO_LATE: Result['outcome'] = { kind: 'failed', description: 'it expired before it could be handed over' }
const UNREADABLE: Result['outcome'] = { kind: 'failed', description: 'it was sealed under another pepper' }

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

async function record(deps: DispatchDeps, route: Route, results: readonly Result[]): Promise<void> {
  const groups = groupBy(results, ({ job }) => job.organisation_id)
  await Promise.all([...groups].map(([organisation_id, own]) => recordOwn(deps, route, organisation_id, own)))
}

async function recordOwn(
  deps: DispatchDeps,
  route: Route,
  organisation_id: string,
  results: readonly Result[],
): Promise<void> {
  const handed_over: HandedOver[] = []
  const settled: { job_id: bigint; change: Change }[] = []
  const postponed: { id: bigint; delay_ms: number }[] = []
  for (const { job, outcome } of results) {
    const where = { message_id: job.subject_id, recipient: job.subject_key }
    switch (outcome.kind) {
      case 'accepted':
        handed_over.push({ job_id: job.id, ...where, ...outcome })
        break
      case 'rejected':
        settled.push({ job_id: job.id, change: { ...where, status: 'rejected', ...codeOf(outcome) } })
        break
      case 'unknown':
      case 'failed':
        settled.push({
          job_id: job.id,
          change: { ...where, status: outcome.kind, code: null, description: outcome.description },
        })
        break
      case 'temporary':
        if (job.attempts < MAX_ATTEMPTS) postponed.push({ id: job.id, delay_ms: retryDelay(job, outcome) })
        else settled.push({ job_id: job.id, change: { ...where, status: 'failed', ...codeOf(outcome) } })
        break
    }
  }
  await recordHandedOver(deps.db, organisation_id, route.carrier.name, handed_over)
  await postponeEach(deps.db, postponed)
  for (const { delay_ms } of postponed) deps.wakeups.wake(routeQueue(route.name), delay_ms)
  if (settled.length === 0) return
  await settle(
    deps,
    organisation_id,
    settled.map(({ change }) => change),
    (tx) =>
      finish(
        tx,
        settled.map(({ job_id }) => job_id),
      ),
  )
}

function codeOf({ code, description }: { code: string; description: string }) {
  return { code, description }
}

function retryDelay(job: Job, { retry_after_s }: { retry_after_s?: number }): number {
  return 1_000 * (retry_after_s ?? Math.min(LONGEST_RETRY_S, 2 ** (job.attempts - 1)))
}
