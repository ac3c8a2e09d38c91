import { Socket } from 'node:net'
import { Client, DatabaseError, type PoolConfig } from 'pg'
import { codeOf } from '../values/thrown.ts'

/**
 * Destroys connections whose server no longer responds: a lost machine, a stopped process, a firewall that dropped the
 * connection. TCP alone would take a quarter of an hour to notice, and every request would wait for it.
 */
export type SilenceWatch = {
  watch(client: Client): void
  /** Stops watching, and destroys connections that are still open. */
  close(): void
}

export type SilenceLimits = {
  /** Interval of the check of all connections, so that no statement needs a timer. */
  check_interval_ms: number
  /** Checks without a byte in either direction after which a waiting statement causes a probe. */
  checks: number
  /** Checks after which an unanswered probe fails. */
  probe_checks: number
}

const LIMITS: SilenceLimits = { check_interval_ms: 1_000, checks: 4, probe_checks: 8 }

/** The internals of the driver's client that are observed. */
type Watched = Client & { readyForQuery?: boolean; processID: number | null; connection: { stream: Socket } }

/** Checks are counted, not time: a process that was suspended must not blame the server. */
type Seen = { moved: number; checks: number }

export function watchForSilence(options: PoolConfig, limits: SilenceLimits = LIMITS): SilenceWatch {
  const watched = new Map<Watched, Seen>()
  let timer: NodeJS.Timeout | undefined
  let probe: { checks: number; cancel: () => void } | undefined

  function check(): void {
    if (probe && (probe.checks += 1) >= limits.probe_checks) probe.cancel()
    const silent: Watched[] = []
    for (const [client, seen] of watched) {
      const moved = bytesMoved(client)
      seen.checks = isWaiting(client) && moved === seen.moved ? seen.checks + 1 : 0
      seen.moved = moved
      if (seen.checks >= limits.checks) silent.push(client)
    }
    if (silent.length > 0 && !probe) void probeServer(silent)
  }

  async function probeServer(silent: readonly Watched[]): Promise<void> {
    // The pool hides its password from copies of its options.
    const client_of_probe = new Client({
      ...options,
      password: options.password,
      pipeline: false,
      connectionTimeoutMillis: 0,
    })
    probe = { checks: 0, cancel: () => cut(client_of_probe) }
    const lost = await findLost(client_of_probe, silent)
    probe = undefined
    for (const client of lost) {
      const { moved, checks } = watched.get(client) ?? { moved: NaN, checks: 0 }
      // Data may have arrived during the probe.
      if (checks >= limits.checks && isWaiting(client) && bytesMoved(client) === moved) cut(client)
    }
  }

  return {
    watch(client) {
      if (!isWatchable(client)) throw new Error('This version of pg does not expose what the watch needs.')
      watched.set(client, { moved: 0, checks: 0 })
      client.once('end', () => watched.delete(client))
      timer ??= setInterval(check, limits.check_interval_ms).unref()
    },
    close() {
      clearInterval(timer)
      probe?.cancel()
      for (const client of watched.keys()) cut(client)
    },
  }
}

function isWatchable(client: Client): client is Watched {
  return client.connection.stream instanceof Socket && 'processID' in client
}

const isWaiting = ({ readyForQuery }: Watched): boolean => readyForQuery === false

function bytesMoved({ connection: { stream } }: Watched): number {
  return stream.bytesRead + stream.bytesWritten - stream.writableLength
}

/** Fails every statement on the connection; whether the server has executed it is unknown. */
function cut({ connection }: Client): void {
  connection.stream.destroy(Object.assign(new Error('The database no longer responds.'), { code: 'ETIMEDOUT' }))
}

/**
 * Probes the server on a new connection. Without an answer all connections are lost. Otherwise those are lost that the
 * server reports as idle while we wait for it: a statement or its result was lost. One that is executing is left alone,
 * however long it takes.
 */
async function findLost(client: Client, silent: readonly Watched[]): Promise<readonly Watched[]> {
  client.on('error', () => {}) // the statement that it interrupts rejects
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(WAITING_FOR_US, [silent.map(({ processID }) => processID)])
    const idle = new Set(rows.map(({ pid }) => pid))
    return silent.filter(({ processID }) => processID !== null && idle.has(processID))
  } catch (fault) {
    // A server that rejects the probe is alive, and a DNS failure says nothing about open connections.
    return fault instanceof DatabaseError || NAME_FAULTS.has(codeOf(fault) ?? '') ? [] : silent
  } finally {
    client.connection.stream.destroy()
  }
}

const NAME_FAULTS = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const WAITING_FOR_US = `
  select pid from pg_stat_activity
  where pid = any ($1::integer[]) and state like 'idle%' and state_change < now() - interval '2 s'`
