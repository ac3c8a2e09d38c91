import { until } from '../test/support/until.ts'
import { runLoad, serveGangan } from './processes.ts'
import type { Figure } from './sends.ts'
import { WARM_UP_S } from './warm-up.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const LINKS = 5_000
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; TECNO KJ5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'

/** People opening tracked links: 5,000 links of a campaign in rotation, each click counted. */
export async function benchClicks(): Promise<Figure[]> {
  const gangan = await serveGangan({ GANGAN_LOG: 'error' })
  const sent = await fetch(`${gangan.url}/sms/send`, {
    method: 'POST',
    headers: { authorization: gangan.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      recipients: Array.from({ length: LINKS }, (_, n) => `234803${String(n).padStart(7, '0')}`),
      content: 'See https://example.com/offer',
      is_trackable: true,
    }),
  })
  if (sent.status !== 200) throw new Error(`the message was answered with ${sent.status}`)
  const links = await gangan.db<{ code: string }[]>`select code from links`
  await until(
    'the campaign to be over',
    async () => {
      const [row] = await gangan.db<{ count: number }[]>`select count(*)::integer as count from jobs`
      return row?.count === 0
    },
    60_000,
  )
  const before = await cpuSeconds(gangan.url)
  const result = await runLoad({
    port: gangan.port,
    path: '/',
    paths: links.map(({ code }) => `/l/${code}`),
    method: 'GET',
    headers: { 'user-agent': PHONE },
    body: '',
    connections: 64,
    seconds: SECONDS,
  })
  const cpu_ms = 1_000 * ((await cpuSeconds(gangan.url)) - before)
  await gangan.stop()
  const opened = result.requests * (1 + WARM_UP_S / result.seconds) // the warm-up, too
  const failed = result.failures > 0 ? `, ${result.failures} FAILED` : ''
  const rate = Math.round(result.requests / result.seconds).toLocaleString('en')
  return [
    {
      name: `tracked links opened, 64 connections`,
      figure: `${rate} clicks/s, p50 ${result.p50_ms} ms, p99 ${result.p99_ms} ms${failed}`,
    },
    { name: '  processor time of the server, each', figure: `${(cpu_ms / opened).toFixed(3)} ms` },
  ]
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^gangan_process_cpu_seconds_total (\S+)/m.exec(text)?.[1] ?? 0)
}
