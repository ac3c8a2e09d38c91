import { COMMAND_LINE } from '../src/users/audit.ts'
import { inviteUser } from '../src/users/invite.ts'
import { makeKeys } from './measure-sends.ts'
import { runLoad, serveGangan, servePostgres, type Served } from './processes.ts'
import type { Figure } from './sends.ts'
import type { Result } from './load.ts'
import { WARM_UP_S } from './warm-up.ts'

const LINES = 100_000
const LIST = 'bench'
/** Steady requests that do not wait for each other: 200 a second. */
const CONNECTIONS = 20
const EVERY_MS = 100
const SECONDS = 20

type Import = { lines: number; added: number; raised: number; lowered: number; unchanged: number; invalid: number }
type Call = <T>(method: string, path: string, body?: object | string) => Promise<T>

/**
 * Imports of a rate sheet with 100,000 lines into a list that is in use, over HTTP, and single sends at a steady pace: without
 * an import, and while one follows the other.
 */
export async function benchPrices(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const gangan = await serveGangan({}, [], postgres)
  try {
    const [key = ''] = await makeKeys(gangan.db, 1)
    const call = await makeOperator(gangan)
    await call('POST', '/console/api/price-lists', { name: LIST })
    const imported = await importSheet(call, sheetOf(0))
    await call('POST', `/console/api/price-lists/${LIST}/default`, {})
    const send = (seconds: number): Promise<Result> => sendSteadily(gangan, key, seconds)
    await send(WARM_UP_S)
    const changed = await importSheet(call, sheetOf(1))
    const previewed = await importSheet(call, sheetOf(2), 'dry_run=true')
    const alone = await send(SECONDS)
    let running = true
    const beside = send(SECONDS).finally(() => (running = false))
    const beside_s: number[] = []
    for (let n = 2; running; n += 1) beside_s.push((await importSheet(call, sheetOf(n))).seconds)
    return [
      { name: `import of ${LINES.toLocaleString('en')} lines into an empty list`, figure: inSeconds(imported.seconds) },
      { name: '  into a list in use, every price changed', figure: inSeconds(changed.seconds) },
      { name: '  its preview', figure: inSeconds(previewed.seconds) },
      { name: '  the same beside 200 sends a second, the slowest', figure: inSeconds(Math.max(...beside_s)) },
      { name: '200 single sends a second', figure: timesOf(alone) },
      { name: `  the same during ${beside_s.length} imports, one after the other`, figure: timesOf(await beside) },
    ]
  } finally {
    await gangan.stop()
    await postgres.stop()
  }
}

/** A session of an operator. */
async function makeOperator({ url, db }: Served): Promise<Call> {
  const { token } = await inviteUser({ db }, COMMAND_LINE, { email: 'bench@example.com', organisation_id: null })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ token, password: 'a drum that talks' })
  const entered = await fetch(`${url}/console/api/welcome`, { method: 'POST', headers, body })
  const { csrf_token } = (await entered.json()) as { csrf_token: string }
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (method, path, given) => {
    const is_file = typeof given === 'string'
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'x-csrf-token': csrf_token, 'content-type': is_file ? 'text/csv' : 'application/json' },
      ...(given === undefined ? {} : { body: is_file ? given : JSON.stringify(given) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as never
  }
}

/** A price for Nigeria, and prices for long prefixes; each edition changes all of them. */
function sheetOf(edition: number): string {
  const price = 4 + (edition % 2)
  const lines = Array.from({ length: LINES - 1 }, (_, n) => `${23480300000 + n},Nigeria,${price}.${n % 1_000}1`)
  return ['Prefix,Country,Price', `234,Nigeria,${price}`, ...lines].join('\n')
}

async function importSheet(call: Call, sheet: string, query = ''): Promise<{ seconds: number }> {
  const began = performance.now()
  const found = await call<Import>('POST', `/console/api/price-lists/${LIST}/imports?${query}`, sheet)
  const seconds = (performance.now() - began) / 1_000
  if (found.added + found.raised + found.lowered !== LINES) throw new Error(JSON.stringify(found).slice(0, 500))
  return { seconds }
}

async function sendSteadily({ port }: Served, key: string, seconds: number): Promise<Result> {
  const result = await runLoad({
    port,
    path: '/sms/send',
    headers: { authorization: key },
    body: JSON.stringify({ recipients: '234803#######', content: 'Your order is on its way.' }),
    connections: CONNECTIONS,
    seconds,
    every_ms: EVERY_MS,
    warm: true,
  })
  if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${result.failure}`)
  return result
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

function timesOf({ p50_ms, p99_ms }: Result): string {
  return `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms`
}
