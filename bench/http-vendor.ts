import { servePostgres } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { startGateway, startPeer } from './smpp-line.ts'
import { until } from './until.ts'

const MESSAGES = Number(process.env.BENCH_HTTP ?? 10_000)
const WARM_UP = 2_000
const PER_REQUEST = 1_000
const CONNECTIONS = 128
const LIMIT_MS = 240_000

/**
 * Through a vendor that takes 50 ms for each answer and one message a request, in one process: accepted and charged,
 * handed over, reported by signed post, settled, told.
 */
export async function benchHttpVendor(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const peer = await startPeer('http-peer.ts')
  const carrier = { ...Object(peer.greeting.carrier), connections: CONNECTIONS }
  const gateway = await startGateway(postgres.address, carrier)
  const url = String(gateway.greeting.url)
  await peer.ask(url)
  const recipients = Array.from({ length: PER_REQUEST }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
  const callback = `http://127.0.0.1:${String(peer.greeting.receiver_port)}/`
  const body = JSON.stringify({ recipients, content: 'Hello', callback })
  const headers = { authorization: String(gateway.greeting.key), 'content-type': 'application/json' }

  const took: Record<string, number> = {}
  const processorTimes = () => [familyMs(postgres.pid), processorMs(gateway.pid), processorMs(peer.pid)]
  let before_ms = processorTimes()
  for (const wanted of [WARM_UP, MESSAGES]) {
    const before = await peer.ask()
    before_ms = processorTimes()
    const began = performance.now()
    for (let sent = 0; sent < wanted; sent += PER_REQUEST) {
      const { status } = await fetch(`${url}/sms/send`, { method: 'POST', headers, body })
      if (status !== 200) throw new Error(`a send was answered with ${status}`)
    }
    for (const what of ['taken', 'callbacks']) {
      await until(`${wanted} ${what}`, LIMIT_MS, async () => {
        return ((await peer.ask())[what] ?? 0) - (before[what] ?? 0) >= wanted
      })
      took[what] = performance.now() - began
    }
  }
  const each_ms = processorTimes().map((ms, n) => ((ms - (before_ms[n] ?? 0)) / MESSAGES).toFixed(2))
  await gateway.stop()
  await peer.stop()
  await postgres.stop()
  const rate = (what: string): string =>
    `${Math.round((1_000 * MESSAGES) / (took[what] ?? Infinity)).toLocaleString('en')} messages/s`
  return [
    {
      name: `${MESSAGES.toLocaleString('en')} messages, 50 ms an answer, ${CONNECTIONS} connections: taken`,
      figure: rate('taken'),
    },
    { name: '  from the first request to the last callback', figure: rate('callbacks') },
    {
      name: '  processor time of PostgreSQL · of Node · of the vendor with the endpoint',
      figure: `${each_ms.join(' · ')} ms a message`,
    },
  ]
}
