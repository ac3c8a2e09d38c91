import { hasKannel, startKannel } from './kannel.ts'
import { servePostgres } from './processes.ts'
import type { Figure } from './sends.ts'
import { smppLine, startGateway, startPeer, WINDOW, type Peer } from './smpp-line.ts'
import { until } from './until.ts'

const MESSAGES = Number(process.env.BENCH_SMPP ?? 20_000)
/** Before the clock starts, for either gateway. */
const WARM_UP = 5_000
const PER_REQUEST = 1_000
const PER_KANNEL_REQUEST = 100
const LIMIT_MS = 240_000

/** In milliseconds, since the first request. */
type Took = { accepted?: number; reports_taken?: number; callbacks?: number }

/**
 * One bind, from the request to the callback: accepted and charged, submitted, reported, settled, notified. The SMSC
 * answers immediately, so the gateway is what is measured.
 */
export async function benchSmpp(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const peer = await startPeer()
  const gateway = await startGateway(postgres.address, smppLine(Number(peer.greeting.smsc_port)))
  const took = await timeGangan(peer, String(gateway.greeting.url), String(gateway.greeting.key))
  await gateway.stop()
  await peer.stop()
  await postgres.stop()

  const kannel = hasKannel() ? await timeKannel() : undefined
  const rate = (what: keyof Took, of = took): string =>
    `${Math.round((1_000 * MESSAGES) / (of[what] ?? Infinity)).toLocaleString('en')} messages/s`
  return [
    { name: `${MESSAGES.toLocaleString('en')} messages, one bind, window ${WINDOW}: taken`, figure: rate('accepted') },
    { name: '  reports stored and acknowledged', figure: rate('reports_taken') },
    { name: '  from the first request to the last callback', figure: rate('callbacks') },
    ...(kannel
      ? [
          { name: 'Kannel on the same line: taken', figure: rate('accepted', kannel) },
          { name: '  from the first request to the last callback', figure: rate('callbacks', kannel) },
          {
            name: '  Gangan against it',
            figure: `${((kannel.callbacks ?? 0) / (took.callbacks ?? Infinity)).toFixed(2)} ×`,
          },
        ]
      : [{ name: 'Kannel', figure: 'not installed (Debian package kannel): left out' }]),
  ]
}

async function timeGangan(peer: Peer, url: string, key: string): Promise<Took> {
  const recipients = Array.from({ length: PER_REQUEST }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
  const callback = `http://127.0.0.1:${String(peer.greeting.receiver_port)}/`
  const body = JSON.stringify({ recipients, content: 'Hello', callback })
  const headers = { authorization: key, 'content-type': 'application/json' }
  return timeSends(peer, PER_REQUEST, async () => {
    const { status } = await fetch(`${url}/sms/send`, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`a send was answered with ${status}`)
  })
}

/**
 * When all messages had been taken, all reports acknowledged, and all callbacks received; in ms from the beginning. A
 * first load is not timed: what is measured is a service that runs, not one that starts.
 */
async function timeSends(peer: Peer, per_request: number, send: () => Promise<void>): Promise<Took> {
  const took: Took = {}
  for (const wanted of [WARM_UP, MESSAGES]) {
    const before = await peer.ask()
    const began = performance.now()
    for (let sent = 0; sent < wanted; sent += per_request) await send()
    for (const what of ['accepted', 'reports_taken', 'callbacks'] as const) {
      await until(`${wanted} ${what}`, LIMIT_MS, async () => {
        return ((await peer.ask())[what] ?? 0) - (before[what] ?? 0) >= wanted
      })
      took[what] = performance.now() - began
    }
  }
  return took
}

/** The same through Kannel, which requests a URL for each report. */
async function timeKannel(): Promise<Took> {
  const peer = await startPeer()
  const kannel = await startKannel(Number(peer.greeting.smsc_port))
  const to = Array.from({ length: PER_KANNEL_REQUEST }, (_, n) => `234803${String(n).padStart(7, '0')}`).join('+')
  const report_options = `dlr-mask=3&dlr-url=${encodeURIComponent(`http://127.0.0.1:${String(peer.greeting.receiver_port)}/`)}`
  const url = `http://127.0.0.1:${kannel.port}/cgi-bin/sendsms?username=bench&password=bench&from=Bench&text=Hello&${report_options}&to=${to}`
  while (!(await (await fetch(kannel.status_url)).text()).includes('online')) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const took = await timeSends(peer, PER_KANNEL_REQUEST, async () => {
    const { status } = await fetch(url)
    if (status !== 202) throw new Error(`Kannel answered with ${status}`)
  })
  await kannel.stop()
  await peer.stop()
  return took
}
