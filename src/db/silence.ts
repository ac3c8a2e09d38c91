import { Socket } from 'node:net'
import { Client, DatabaseError, type PoolConfig } from 'pg'
import { codeOf } from '../values/thrown.ts'

/**
 * Cuts connections whose server has fallen silent: a machine that is gone without a word, a server that is stopped, a
 * firewall that has forgotten us. The operating system would wait for a quarter of an hour, and so would every request.
 */
export type SilenceWatch = {
  watch(client: Client): void
  /** Looks no more, and cuts what is still open. */
  close(): void
}

export type SilenceLimits = {
  /** How often is looked, at all connections at once: a statement costs no timer. */
  look_every_ms: number
  /** Looks without a byte in either direction from which on a statement makes us ask the server about it. */
  looks: number
  /** Looks that the server may take to answer that. */
  question_looks: number
}

const LIMITS: SilenceLimits = { look_every_ms: 1_000, looks: 4, question_looks: 8 }

/** The part of the driver's connection that we look at, from outside. */
type Watched = Client & { readyForQuery?: boolean; processID: number | null; connection: { stream: Socket } }

/** What was seen of a connection. Looks are counted, not time: while this process stood still nobody was silent. */
type Seen = { moved: number; looks: number }

export function watchForSilence(options: PoolConfig, limits: SilenceLimits = LIMITS): SilenceWatch {
  const watched = new Map<Watched, Seen>()
  let looker: NodeJS.Timeout | undefined
  let question: { looks: number; giveUp: () => void } | undefined

  function look(): void {
    if (question && (question.looks += 1) >= limits.question_looks) question.giveUp()
    const silent: Watched[] = []
    for (const [client, seen] of watched) {
      const moved = bytesMoved(client)
      seen.looks = isWaiting(client) && moved === seen.moved ? seen.looks + 1 : 0
      seen.moved = moved
      if (seen.looks >= limits.looks) silent.push(client)
    }
    if (silent.length > 0 && !question) void askAbout(silent)
  }

  async function askAbout(silent: readonly Watched[]): Promise<void> {
    // The pool hides its password from copies of its options.
    const asking = new Client({ ...options, password: options.password, pipeline: false, connectionTimeoutMillis: 0 })
    question = { looks: 0, giveUp: () => cut(asking) }
    const lost = await findLost(asking, silent)
    question = undefined
    for (const client of lost) {
      const { moved, looks } = watched.get(client) ?? { moved: NaN, looks: 0 }
      // Something may have come while we asked.
      if (looks >= limits.looks && isWaiting(client) && bytesMoved(client) === moved) cut(client)
    }
  }

  return {
    watch(client) {
      if (!isWatchable(client)) throw new Error('The driver shows less of its connection than it used to.')
      watched.set(client, { moved: 0, looks: 0 })
      client.once('end', () => watched.delete(client))
      looker ??= setInterval(look, limits.look_every_ms).unref()
    },
    close() {
      clearInterval(looker)
      question?.giveUp()
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

/** Every statement on it fails as if the server had gone away. Whether it was carried out is not known. */
function cut({ connection }: Client): void {
  connection.stream.destroy(Object.assign(new Error('The database has fallen silent.'), { code: 'ETIMEDOUT' }))
}

/**
 * Asks on a new connection. All are lost when nobody answers. Otherwise those are that the server waits for while we
 * wait for it: it never got our statement, or we never its answer. Who works is believed, however long it takes.
 */
async function findLost(client: Client, silent: readonly Watched[]): Promise<readonly Watched[]> {
  client.on('error', () => {}) // told by the statement that meets it
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(WAITING_FOR_US, [silent.map(({ processID }) => processID)])
    const idle = new Set(rows.map(({ pid }) => pid))
    return silent.filter(({ processID }) => processID !== null && idle.has(processID))
  } catch (fault) {
    // One that refuses us is alive, and a name server that is away says nothing about connections that stand.
    return fault instanceof DatabaseError || NAME_FAULTS.has(codeOf(fault) ?? '') ? [] : silent
  } finally {
    client.connection.stream.destroy()
  }
}

const NAME_FAULTS = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const WAITING_FOR_US = `
  select pid from pg_stat_activity
  where pid = any ($1::integer[]) and state like 'idle%' and state_change < now() - interval '2 s'`
