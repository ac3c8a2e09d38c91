import type { PoolClient } from 'pg'
import type { Db } from '../../src/db/connect.ts'

export type Asked = { text: string; values: unknown[] }
type Answer = { rows: unknown[]; rowCount: number }
type Ask = (asked: Asked) => Promise<Answer>
type Callback = (fault: unknown, result?: Answer) => void
type Lent = (fault: Error | undefined, client: PoolClient | undefined, release: () => void) => void
type Connect = (lent?: Lent) => Promise<PoolClient>
type Send = (statement: string | Asked, given?: unknown[] | Callback) => Promise<Answer>

/** Records the statements on connections that these pools open from now on. */
export function noteStatements({ pool }: Db): string[] {
  const asked: string[] = []
  pool.on('connect', (client) => {
    const own = Reflect.get(client, 'query')
    Reflect.set(client, 'query', (...given: [string | Asked, ...unknown[]]) => {
      const [first] = given
      asked.push(typeof first === 'string' ? first : first.text)
      return Reflect.apply(own, client, given)
    })
  })
  return asked
}

/**
 * Intercepts the statements to a database while `work` runs, except those without values. On a cluster all statements
 * go to the coordinator meanwhile.
 */
export async function between(
  { pool, nodes }: Db,
  answer: (asked: Asked, ask: Ask) => Promise<Answer>,
  work: () => Promise<unknown>,
): Promise<void> {
  const stopped = new Set<PoolClient>()
  function stop(client: PoolClient): PoolClient {
    if (stopped.has(client)) return client
    stopped.add(client)
    const own = Reflect.get(client, 'query')
    const send: Send = (statement, given) => Reflect.apply(own, client, [statement, given])
    // The pool passes no values before its callback.
    const query = (statement: string | Asked, first?: Callback, second?: Callback): unknown => {
      const respond = second ?? first
      if (!respond || typeof statement === 'string' || statement.values.length === 0) return send(statement, respond)
      const { text, values } = statement
      const answered = answer({ text, values }, (asked) => send(asked.text, asked.values))
      return answered.then((result) => respond(undefined, result), respond)
    }
    return Object.assign(client, { query })
  }

  const connect = pool.connect.bind(pool) as Connect
  const lend: Connect = (lent) => {
    if (!lent) return connect().then(stop)
    return connect((fault, client, release) => lent(fault, client && stop(client), release))
  }
  const { direct } = nodes
  Object.assign(nodes, { direct: false })
  Object.assign(pool, { connect: lend })
  try {
    await work()
  } finally {
    Object.assign(pool, { connect })
    Object.assign(nodes, { direct })
    for (const client of stopped) delete (client as { query?: unknown }).query
  }
}
