import { runLoad, serveGangan, type Served } from './processes.ts'
import type { Figure } from './sends.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const BODY = '{"network":"MTN","amount":100,"recipient":"234803#######","external_ref":"#######"}'

/** Accepting purchases, and carrying them out at the simulated vendor until each has ended. */
export async function benchAirtime(): Promise<Figure[]> {
  const gangan = await serveGangan()
  const headers = { authorization: gangan.key }
  const started = performance.now()
  const result = await runLoad({
    port: gangan.port,
    path: '/airtime/buy',
    body: BODY,
    connections: 64,
    seconds: SECONDS,
    headers,
  })
  const open = await countOpen(gangan)
  const drained_from = performance.now()
  while ((await countOpen(gangan)) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  const drained_s = (performance.now() - drained_from) / 1_000
  const [row] = await gangan.db<{ ended: number; bad: number }[]>`
    select count(*)::integer as ended, (count(*) filter (where status <> 'success'))::integer as bad from purchases`
  const all_s = (performance.now() - started) / 1_000
  await gangan.stop()

  const accepted = Math.round(result.requests / result.seconds).toLocaleString('en')
  const failed = result.failures > 0 ? `, ${result.failures} FAILED` : ''
  const times = `p50 ${result.p50_ms} ms, p99 ${result.p99_ms} ms${failed}`
  const rate = (count: number, seconds: number): string => Math.round(count / seconds).toLocaleString('en')
  return [
    { name: 'buying airtime, 64 connections, workers beside', figure: `${accepted} purchases/s, ${times}` },
    {
      name: `  ended, over all (${row?.bad ?? 0} not a success)`,
      figure: `${rate(row?.ended ?? 0, all_s)} purchases/s`,
    },
    {
      name: '  ended, after the last request',
      figure: open > 0 ? `${rate(open, drained_s)} purchases/s` : 'none left',
    },
  ]
}

async function countOpen({ db }: Served): Promise<number> {
  const [row] = await db<{ open: number }[]>`
    select count(*)::integer as open from jobs where queue = 'airtime'`
  return row?.open ?? 0
}
