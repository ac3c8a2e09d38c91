import { Pool } from 'undici'
import { compared, measureInRounds, type Builds } from './builds.ts'
import { serveGangan, servePostgres, type Database, type Served } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { WARM_UP_S } from './warm-up.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 64

type Stage = { postgres: Database; gangan: Served; numbers: number }
type Measured = 'pairs' | 'p50_ms' | 'p99_ms' | 'node_us' | 'postgres_us'

/** One person after the other on every connection: asks for a token, then enters it. */
export async function benchOtp({ builds, rounds }: Builds): Promise<Figure[]> {
  const stages: Stage[] = []
  for (const build of builds) {
    const postgres = await servePostgres()
    const gangan = await serveGangan({ GANGAN_LOG: 'error' }, [], postgres, build)
    const stage = { postgres, gangan, numbers: 0 }
    stages.push(stage)
    await verifyFor(stage, WARM_UP_S)
  }
  const seen = await measureInRounds(stages, rounds, measure)
  for (const { gangan, postgres } of stages) {
    await gangan.stop()
    await postgres.stop()
  }
  const values = (name: Measured, digits = 0): string =>
    compared(
      seen.map((one) => one[name]),
      digits,
    )
  return [
    {
      name: `OTP requested and verified, ${CONNECTIONS} connections`,
      figure: `${values('pairs')} pairs/s, p50 ${values('p50_ms', 1)} ms, p99 ${values('p99_ms', 1)} ms`,
    },
    { name: '  processor time of Node · of PostgreSQL', figure: `${values('node_us')} · ${values('postgres_us')} µs` },
  ]
}

async function measure(stage: Stage): Promise<Record<Measured, number>> {
  const { gangan, postgres } = stage
  const [node_before, postgres_before] = [processorMs(gangan.pid), familyMs(postgres.pid)]
  const times = (await verifyFor(stage, SECONDS)).sort((a, b) => a - b)
  const [node_ms, postgres_ms] = [processorMs(gangan.pid) - node_before, familyMs(postgres.pid) - postgres_before]
  return {
    pairs: times.length / SECONDS,
    p50_ms: times[Math.floor(times.length * 0.5)] ?? NaN,
    p99_ms: times[Math.floor(times.length * 0.99)] ?? NaN,
    node_us: (1_000 * node_ms) / times.length,
    postgres_us: (1_000 * postgres_ms) / times.length,
  }
}

/** Milliseconds of each pair that began within so many seconds. */
async function verifyFor(stage: Stage, seconds: number): Promise<number[]> {
  const { url, key } = stage.gangan
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  const headers = { authorization: key, 'content-type': 'application/json' }
  const times: number[] = []
  const until = performance.now() + 1_000 * seconds

  async function post(path: string, body: object): Promise<{ id: string; status: number }> {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
    return (await answer.body.json()) as { id: string; status: number }
  }

  async function verifyOne(): Promise<void> {
    const began = performance.now()
    const token = String((stage.numbers += 1)).padStart(8, '0')
    const { id } = await post('/otp/request_token', { recipient: `23470${token}`, token })
    const { status } = await post('/otp/verify', { id, token })
    if (status !== 4) throw new Error('a one-time password was not verified')
    times.push(performance.now() - began)
  }

  const people = Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < until) await verifyOne()
  })
  await Promise.all(people)
  await pool.close()
  return times
}
