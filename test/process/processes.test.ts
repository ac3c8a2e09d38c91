import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listeningPort } from '../../src/values/listening-port.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { spawnGangan, startGangan, type Gangan } from '../support/process.ts'
import { sendTrackedLink } from '../support/tracked-link.ts'
import { until } from '../support/until.ts'

const MESSAGE = { recipients: '08031234567', content: 'Hello' }

const TOKEN = 'a token for figures'.replaceAll(' ', '-')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = listeningPort(server)
  server.close()
  await once(server, 'close')
  return port
}

/** The child processes that run Gangan. */
function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => line.includes('main.js'))
    .map((line) => Number(line.trim().split(' ')[0]))
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('in two processes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let gangan: Gangan
  let call: ReturnType<typeof caller>
  let refused: Awaited<ReturnType<typeof spawnGangan>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const figures = { GANGAN_METRICS_PORT: String(listeningPort(taken)) }
    refused = await spawnGangan(['serve', '--processes', '2'], { GANGAN_DATA: folder.path, PORT: '0', ...figures })
    taken.close()
    gangan = await startGangan({ GANGAN_DATA: folder.path, GANGAN_CREDIT: '4000' }, ['--processes', '2'])
    call = caller(gangan.url, gangan.key ?? '')
  })
  afterAll(() => folder.remove())

  test('a start that cannot serve reports why and ends; the first key is printed by the one that serves', () => {
    expect(refused.code).toBe(5)
    expect(refused.stderr).toMatch(/^gangan: GANGAN_METRICS_PORT: .* cannot be listened on \(EADDRINUSE\)\.$/m)
    expect(refused.stderr).toMatch(/^gangan: A process of the service could not start\.$/m)
    expect(refused.stdout).not.toContain('gg_live_')
    expect(gangan.key).toMatch(/^gg_live_/)
  })

  test('they share the port and the balance, and their metrics are summed', async () => {
    expect(childrenOf(gangan.pid)).toHaveLength(2)
    const sent = await Promise.all(
      // One connection each, so that both processes get some.
      Array.from({ length: 100 }, () => call('POST', '/sms/send', MESSAGE, { connection: 'close' })),
    )
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(100)
    expect((await call('GET', '/balance')).body.balance).toBe(3_600)
    const { text } = await call('GET', '/metrics')
    expect(text).toMatch(/gangan_deliveries_accepted_total\{channel="sms"\} 100\n/)
  })

  test('their links are at the port that the system has chosen', async () => {
    expect(await sendTrackedLink(call, 'https://shop.example/sale')).toContain(`${gangan.url}/l/`)
  })

  test('one that is killed is replaced, and the other serves meanwhile', async () => {
    const before = childrenOf(gangan.pid)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await until('two processes again', () => {
      const now = childrenOf(gangan.pid)
      return now.length === 2 && !now.includes(before[0] ?? 0)
    })
    const answered = await until(
      'a response',
      async () => (await call('GET', '/balance').catch(() => undefined))?.status,
    )
    expect(answered).toBe(200)
  })

  test('they stop together, gracefully', async () => {
    const children = childrenOf(gangan.pid)
    expect(await gangan.end('SIGTERM')).toBe(0)
    expect(children.filter(lives)).toEqual([])
  })

  test('none is left when the parent is killed, nor their ports', async () => {
    const port = await freePort()
    const env = { GANGAN_DATA: folder.path, GANGAN_METRICS_PORT: String(port), GANGAN_METRICS_TOKEN: TOKEN }
    const again = await startGangan(env, ['--processes', '2'])
    const children = childrenOf(again.pid)
    expect(children).toHaveLength(2)
    const figures = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    expect((await figures({})).status).toBe(401)
    const callAgain = caller(again.url, gangan.key ?? '')
    const sends = Array.from({ length: 40 }, () => callAgain('POST', '/sms/send', MESSAGE, { connection: 'close' }))
    await Promise.all(sends)
    const response = await figures({ authorization: `Bearer ${TOKEN}` })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('gangan_deliveries_accepted_total{channel="sms"} 40\n') // By both.
    expect((await fetch(`${again.url}/metrics`)).status).toBe(404)
    await again.end('SIGKILL')
    await until('the others to end', () => children.every((pid) => !lives(pid)))
    const after = await startGangan(env)
    expect((await figures({ authorization: `Bearer ${TOKEN}` })).status).toBe(200)
    expect(await after.end('SIGTERM')).toBe(0)
  })
})

test('an invalid number of processes is rejected with one sentence', async () => {
  const { code, stderr } = await spawnGangan(['serve', '--processes', 'many'], {})
  expect(code).toBe(2)
  expect(stderr).toBe('gangan: --processes takes a number from 1 to 64.\n')
})
