import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { withStoredEntries } from '../../config/effective.ts'
import { isAnswering } from '../../db/connections.ts'
import type { Db } from '../../db/connect.ts'
import { drain } from '../../http/gate.ts'
import { readStored } from '../../live-config/entries.ts'
import { inTurn, recordMode } from '../../live-config/sandbox-store.ts'
import { measureRouteBacklogs } from '../../messaging/dispatch/queue-depth.ts'
import { makeLog } from '../../observe/log.ts'
import { summariseOutages } from '../../observe/outage-log.ts'
import { makeService } from '../../service.ts'
import { listProcesses, processName } from '../../status/process-store.ts'
import { holdsInTime } from '../../values/concurrency/holds-in-time.ts'
import { firstIdAt } from '../../values/id.ts'
import { listeningPort } from '../../values/listening-port.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { readVersion } from '../../values/version.ts'
import { listen, listenFigures, listenSmpp, type HeldPort } from './listen.ts'
import { shareMetrics } from './processes.ts'
import { startReloading } from './reload.ts'

/** Time limit of a stop, after `http.drain_s`. */
const STOP_MS = 9_000
/** How long the messages of the sandbox may take to reach the simulator when it ends. */
const FINISH_MS = 5_000
const POLL_INTERVAL_MS = 100
/** Time for requests that were being processed when the restart began. */
const IN_FLIGHT_MS = 1_000
const RESTARTING = new Refusal(
  'unavailable',
  'The service restarts, because the sandbox ends. Try again in a few seconds.',
)
/** Polls between two lines of the log. */
const POLLS_PER_LINE = 100

export type Roles = { http: boolean; worker: boolean }
export type Serving = {
  port: number | undefined
  reload(): void
  stop(): Promise<void>
  /** Rejects if the service could not start again. */
  failed: Promise<never>
}

type Options = {
  /** Ends the start, and the wait of a start for other processes. */
  signal: AbortSignal
  gather?: () => Promise<string>
  held?: HeldPort | undefined
  foundFirst?: () => Promise<void>
}
type Started = Pick<Serving, 'port' | 'reload' | 'stop'> & {
  config: Config
  /** Ends the service, and lets messages finish. Its port stays open until `release`; requests are refused with 503. */
  retire(): Promise<void>
  /** Its port, for the next service. */
  held: HeldPort | undefined
}

/**
 * Serves in this process. When operators create the first real carrier, the service is stopped and another one started, live,
 * in the same process and on the same port. Each has one mode from its start to its end.
 */
export async function serveHere(config: Config, roles: Roles, db: Db, options: Options): Promise<Serving> {
  let fail: (fault: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  failed.catch(() => {}) // it may reject before anyone waits for it
  let running = start(config, options)

  async function start(given: Config, once: Options): Promise<Started> {
    for (let next = given; ;) {
      const started = await startOnce(next, roles, db, once, goLive)
      if (!('changed' in started)) return started
      next = started.changed
    }
  }

  function goLive(live: Config): void {
    running = running.then(async (former) => {
      if (!former.config.sandbox || options.signal.aborted) return former
      const limit = limitStop(former.config)
      await former.retire()
      clearTimeout(limit)
      if (options.signal.aborted) return former
      const { signal, gather } = options
      const started = await start(live, { signal, held: former.held, ...(gather ? { gather } : {}) })
      await former.stop()
      return started
    })
    running.catch(fail)
  }

  const { port } = await running
  return {
    port,
    failed,
    reload: () => void running.then((started) => started.reload()).catch(() => {}),
    async stop() {
      await running.then((started) => started.stop()).catch(() => {})
    },
  }
}

/** `changed`: the mode is another one by now. Whatever may fail comes before the first organisation is created. */
async function startOnce(
  config: Config,
  roles: Roles,
  db: Db,
  { signal, gather, held, foundFirst }: Options,
  onSandboxEnd: (next: Config) => void,
): Promise<Started | { changed: Config }> {
  const { sandbox, settings } = config
  const base_log = makeLog(config.log_level)
  const log = summariseOutages(base_log, () => holdsInTime(isAnswering(db)))
  const application_name = processName({ version: readVersion(), ...roles, sandbox })
  const gathering = gather ? { gatherMetrics: gather } : {}
  const service = await makeService({ config, db, log, application_name, onSandboxEnd, ...gathering })
  if (gather) shareMetrics(service.http.meters.registry)
  const reloading = startReloading({ ...service, db, wakeups: service.http.wakeups, log, level: base_log })
  let app: FastifyInstance | undefined
  let figures: Server | undefined
  let retired: Promise<void> | undefined

  async function stop(): Promise<void> {
    reloading.stop()
    if (app && !retired) await drain(app.server, service.http.gate, 1_000 * settings.http.drain_s)
    closeFigures()
    await app?.close()
    await (retired ?? service.stop())
    base_log.flush()
  }
  async function retire(): Promise<void> {
    log.info({}, 'the sandbox ends: the service restarts in this process')
    reloading.stop()
    service.http.gate.closed = RESTARTING
    service.http.gate.draining = true
    await sleep(IN_FLIGHT_MS)
    closeFigures()
    await finishQueues(db, signal)
    await service.stop()
  }
  function closeFigures(): void {
    figures?.closeAllConnections()
    figures?.close()
  }
  try {
    const changed = await awaitMode({ db, log, signal, secret_seal: service.http.secret_seal }, config)
    if (changed) {
      await stop()
      return { changed }
    }
    const { began_ms, ended_ms } = await recordMode(db, sandbox)
    const tried = { from: firstIdAt(began_ms), until: firstIdAt(Math.ceil(ended_ms)) }
    if (roles.worker) service.startWorkers(sandbox ? undefined : tried)
    figures = await listenFigures(config, service)
    if (roles.http) await listenSmpp(config, service)
    await foundFirst?.()
    if (roles.http) app = await inTurn(db, () => listen(config, service, held))
  } catch (fault) {
    await stop()
    throw fault
  }
  return {
    config,
    port: app && listeningPort(app.server),
    reload: reloading.now,
    stop,
    retire: () => (retired ??= retire()),
    held: app && { port: listeningPort(app.server), release: async () => void app?.server.close() },
  }
}

/**
 * Resolves once no process runs in the other mode, so that none accepts messages by the rules of the sandbox that another one
 * would submit to a real network; or to the configuration of the other mode, if that is the one in effect by now. The
 * connections of this process have their names already, so of two that start at the same time at least one sees the other.
 */
async function awaitMode(
  { db, log, signal, secret_seal }: { db: Db; log: Log; signal: AbortSignal; secret_seal: SecretSeal },
  config: Config,
): Promise<Config | undefined> {
  for (let polls = 0; ; polls += 1) {
    signal.throwIfAborted()
    const effective = withStoredEntries(config, await readStored(db, secret_seal))
    if (effective.sandbox !== config.sandbox) return effective
    const others = (await listProcesses(db)).filter(({ sandbox }) => sandbox === !config.sandbox)
    if (others.length === 0) return undefined
    if (polls % POLLS_PER_LINE === POLLS_PER_LINE - 1) {
      const processes = others.map(({ pid, host }) => `${pid}@${host}`)
      log.warn(
        { processes, they_are: config.sandbox ? 'live' : 'in the sandbox' },
        'the start waits until these processes have stopped: messages of the sandbox must not reach a real network',
      )
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
  }
}

/** What was accepted ends at the simulator, as it would have without the end of the sandbox. */
async function finishQueues(db: Db, signal: AbortSignal): Promise<void> {
  const until = performance.now() + FINISH_MS
  while (performance.now() < until && !signal.aborted) {
    const backlogs = await measureRouteBacklogs(db).catch(() => [])
    if (backlogs.every(({ due, leased }) => due + leased === 0)) return
    await sleep(POLL_INTERVAL_MS)
  }
}

/** A process that does not stop in time ends; what it had leased is taken over. */
export function limitStop({ settings }: Config): NodeJS.Timeout {
  return setTimeout(() => process.exit(1), 1_000 * settings.http.drain_s + STOP_MS).unref()
}
