import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { AggregatorRegistry, type Registry, type RegistryContentType } from 'prom-client'
import type { DatabaseAddress } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import { isRecord } from '../../values/record.ts'

/** Sent by the first process to each of the others at start. */
export type Order = {
  database: DatabaseAddress
  /** Where they are to listen, also if the system has chosen it. */
  port: number | undefined
}

export const MAX_PROCESSES = 64
/** A process that ends is started again, ever slower while it keeps ending. */
const FIRST_RESTART_MS = 200
const LONGEST_RESTART_MS = 10_000
const SETTLED_MS = 60_000

export type Processes = {
  /** Where they listen, together; undefined when they answer no HTTP. */
  port: number | undefined
  /** Makes each of them read the configuration again. */
  reload(): void
  stop(): Promise<void>
}

/**
 * Starts the service in several processes that share one port and one database. The first process, which owns the
 * database, serves nothing itself: it starts the others, again when one dies, and stops them.
 */
export async function startProcesses(
  { log }: { log: Log },
  count: number,
  order: Order,
  answers_http: boolean,
): Promise<Processes> {
  // It listens for the answers of the others.
  const figures = new AggregatorRegistry()
  let running = true
  let wait_ms = FIRST_RESTART_MS
  const timers = new Set<NodeJS.Timeout>()

  function startOne(): Worker {
    const worker = cluster.fork()
    const started = Date.now()
    worker.on('message', (message: { waiting?: true; gather_metrics?: number }) => {
      if (message.waiting) worker.send(order)
      if (message.gather_metrics !== undefined) void renderMetrics(figures, worker, message.gather_metrics)
    })
    worker.on('exit', (code, signal) => {
      if (!running) return
      if (Date.now() - started > SETTLED_MS) wait_ms = FIRST_RESTART_MS
      log.error({ pid: worker.process.pid, code, signal, again_in_ms: wait_ms }, 'a process ended')
      const timer = setTimeout(() => {
        timers.delete(timer)
        startOne()
      }, wait_ms)
      timers.add(timer)
      wait_ms = Math.min(LONGEST_RESTART_MS, 2 * wait_ms)
    })
    return worker
  }

  async function stop(): Promise<void> {
    running = false
    for (const timer of timers) clearTimeout(timer)
    const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      alive.map(async (worker) => {
        const gone = once(worker, 'exit')
        worker.process.kill('SIGTERM')
        await gone
      }),
    )
  }

  function reload(): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP')
  }

  const first = Array.from({ length: count }, startOne)
  try {
    const ports = await Promise.all(first.map((worker) => readiness(worker, answers_http)))
    return { port: ports[0], reload, stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}

/** Resolves when the process is ready; one that ends before has said why on its standard error. */
function readiness(worker: Worker, answers_http: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    worker.once('exit', () => reject(new OperatorFault('A process of the service could not start.', 'unavailable')))
    worker.on('message', (message: { ready?: true; port?: number }) => {
      if (message.ready) resolve(answers_http ? message.port : undefined)
    })
  })
}

async function renderMetrics(
  figures: AggregatorRegistry<RegistryContentType>,
  worker: Worker,
  question: number,
): Promise<void> {
  const metrics = await figures.clusterMetrics().catch(() => undefined)
  if (worker.isConnected()) worker.send({ metrics, question })
}

/** In one of several processes: its order, which it asks for when it is there to hear it. */
export async function readOrder(): Promise<Order> {
  const received = once(process, 'message')
  process.send?.({ waiting: true })
  const [order]: unknown[] = await received
  if (!isOrder(order)) throw new Error('The first process sent an invalid message.')
  return order
}

function isOrder(message: unknown): message is Order {
  if (!isRecord(message) || !isRecord(message.database)) return false
  if (message.port !== undefined && typeof message.port !== 'number') return false
  return typeof message.database.url === 'string' || typeof message.database.host === 'string'
}

/** In one of several processes: sends its metrics to the first one on request. */
export function shareMetrics(registry: Registry): AggregatorRegistry<RegistryContentType> {
  AggregatorRegistry.setRegistries([registry])
  return new AggregatorRegistry() // being made is what makes it listen for the question
}

let questions = 0

/** In one of several processes: the figures of all of them. */
export function gatherMetrics(): Promise<string> {
  const question = (questions += 1)
  return new Promise((resolve, reject) => {
    function hear(message: { metrics?: string; question?: number }): void {
      if (message.question !== question) return
      process.off('message', hear)
      if (message.metrics === undefined) reject(new Error('the other processes did not report their metrics'))
      else resolve(message.metrics)
    }
    process.on('message', hear)
    process.send?.({ gather_metrics: question })
  })
}
