import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { WARM_UP_S } from './warm-up.ts'

/**
 * A load generator small enough not to be the limit: raw sockets, prepared requests, one request at a time on each
 * connection. Run as a process of its own, with `-`; reads its task as JSON from standard input, prints the result as JSON.
 */
export type Task = {
  port: number
  /** POST by default. */
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  /** Instead of one path: these in rotation. */
  paths?: string[]
  /** Keys of several organisations, in rotation: our own load generator only. */
  keys?: string[]
  /** Bodies used in rotation; `#` is replaced by a running number of seven digits. */
  body: string
  connections: number
  seconds: number
  /** It runs already: measured from the first request on, without a warm-up. */
  warm?: true
  /** Each connection starts a request at this interval instead of after the last response: our own load generator only. */
  every_ms?: number
  /** So many requests, however long they take, and no warm-up: our own load generator only. */
  requests?: number
}

export type Result = {
  requests: number
  failures: number
  /** The first answer that was one. */
  failure?: string
  seconds: number
  p50_ms: number
  p99_ms: number
}

export async function load(task: Task): Promise<Result> {
  let number = 0
  let measuring = false
  let running = true
  let failures = 0
  let failure: string | undefined
  const times: number[] = []

  function request(): string {
    number += 1
    const fill = (text: string): string => text.replaceAll('#######', String(number % 10_000_000).padStart(7, '0'))
    const body = fill(task.body)
    const key = task.keys?.[number % task.keys.length]
    const headers = Object.entries({
      ...task.headers,
      ...(key === undefined ? {} : { authorization: key }),
      'content-type': 'application/json',
    })
    const lines = headers.map(([name, value]) => `${name}: ${fill(value)}\r\n`).join('')
    const path = task.paths?.[number % task.paths.length] ?? fill(task.path)
    const line = `${task.method ?? 'POST'} ${path} HTTP/1.1`
    return `${line}\r\nhost: 127.0.0.1\r\n${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }

  const every_ms = task.every_ms ?? 0

  function drive(socket: Socket, place: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let answer = ''
      let started = 0
      let due = performance.now() + (every_ms * place) / task.connections
      const next = (): void => {
        if (!running || number === task.requests) {
          socket.end()
          return resolve()
        }
        const early_ms = due - performance.now()
        if (every_ms > 0 && early_ms > 0) return void setTimeout(next, early_ms)
        due += every_ms
        answer = ''
        started = performance.now()
        socket.write(request())
      }
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        answer += chunk
        const head = answer.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/content-length: (\d+)/i.exec(answer.slice(0, head))?.[1] ?? 0)
        if (answer.length < head + 4 + length) return
        if (measuring) times.push(performance.now() - started)
        if (!/^HTTP\/1.1 (2..|302) /.test(answer)) {
          failures += 1
          failure ??= answer
        }
        next()
      })
      socket.on('error', reject)
      socket.on('connect', next)
    })
  }

  const sockets = Array.from({ length: task.connections }, (_, n) => drive(connect(task.port, '127.0.0.1'), n))
  if (!task.warm && !task.requests) await new Promise((resolve) => setTimeout(resolve, WARM_UP_S * 1_000))
  measuring = true
  const began = performance.now()
  if (task.requests) await Promise.all(sockets)
  else await new Promise((resolve) => setTimeout(resolve, task.seconds * 1_000))
  const seconds = (performance.now() - began) / 1_000
  measuring = false
  const requests = times.length
  running = false
  await Promise.all(sockets)
  times.sort((a, b) => a - b)
  const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { requests, failures, ...(failure !== undefined && { failure }), seconds, p50_ms: at(0.5), p99_ms: at(0.99) }
}

if (process.argv[2] === '-') process.stdout.write(JSON.stringify(await load((await json(process.stdin)) as Task)))
