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
 * submitted, reported by signed post, settled, notified.
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
  const headers = { authorization: String(gateway.greeting.key), 'content-type': 'application/json' }
  const processorTimes = () => [familyMs(postgres.pid), processorMs(gateway.pid), processorMs(peer.pid)]

  async function run(wanted: number, options: object, last: string): Promise<{ rate: string; each_ms: string }> {
    const body = JSON.stringify({ recipients, content: 'Hello', ...options })
    const before = await peer.ask()
    const before_ms = processorTimes()
    const began = performance.now()
    for (let sent = 0; sent < wanted; sent += PER_REQUEST) {
      const { status } = await fetch(`${url}/sms/send`, { method: 'POST', headers, body })
      if (status !== 200) throw new Error(`a send was answered with ${status}`)
    }
    await until(`${wanted} ${last}`, LIMIT_MS, async () => {
      return ((await peer.ask())[last] ?? 0) - (before[last] ?? 0) >= wanted
    })
    const rate = Math.round((1_000 * wanted) / (performance.now() - began)).toLocaleString('en')
    const each_ms = processorTimes().map((ms, n) => ((ms - (before_ms[n] ?? 0)) / wanted).toFixed(2))
    return { rate: `${rate} messages/s`, each_ms: `${each_ms.join(' · ')} ms a message` }
  }

  await run(WARM_UP, { callback }, 'callbacks')
  const reported = await run(MESSAGES, {}, 'reported')
  const with_callbacks = await run(MESSAGES, { callback }, 'callbacks')
  await gateway.stop()
  await peer.stop()
  await postgres.stop()
  const spent = '  processor time of PostgreSQL · of Node · of the vendor with the endpoint'
  return [
    {
      name: `${MESSAGES.toLocaleString('en')} messages, 50 ms an answer, ${CONNECTIONS} connections: sent and reported`,
      figure: reported.rate,
    },
    { name: spent, figure: reported.each_ms },
    { name: 'the same with a callback each, from the first request to the last callback', figure: with_callbacks.rate },
    { name: spent, figure: with_callbacks.each_ms },
  ]
}
