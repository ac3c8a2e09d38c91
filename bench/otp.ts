import { Pool } from 'undici'
import { serveGangan } from './processes.ts'
import type { Figure } from './sends.ts'
import { WARM_UP_S } from './warm-up.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 64

/** One person after the other on every connection: asks for a token, then types it. */
export async function benchOtp(): Promise<Figure[]> {
  const gangan = await serveGangan({ GANGAN_LOG: 'error' })
  const pool = new Pool(gangan.url, { connections: CONNECTIONS, pipelining: 1 })
  const headers = { authorization: gangan.key, 'content-type': 'application/json' }
  const times: number[] = []
  let failures = 0
  let number = 0
  let running = true
  let measuring = false

  async function post(path: string, body: object): Promise<{ id: string; status: number }> {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
    return (await answer.body.json()) as { id: string; status: number }
  }

  async function pair(): Promise<void> {
    const started = performance.now()
    const token = String((number += 1)).padStart(8, '0')
    const { id } = await post('/otp/request_token', { recipient: `23470${token}`, token })
    const { status } = await post('/otp/verify', { id, token })
    if (status !== 4) failures += 1
    if (measuring) times.push(performance.now() - started)
  }

  const people = Array.from({ length: CONNECTIONS }, async () => {
    while (running) await pair()
  })
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_S * 1_000))
  measuring = true
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000))
  measuring = running = false
  await Promise.all(people)
  await pool.close()
  await gangan.stop()

  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  const failed = failures > 0 ? `, ${failures} FAILED` : ''
  const rate = Math.round(times.length / SECONDS).toLocaleString('en')
  return [
    {
      name: `OTP requested and verified, ${CONNECTIONS} connections`,
      figure: `${rate} pairs/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${failed}`,
    },
  ]
}
