import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { THIS_BUILD } from './builds.ts'
import { start } from './processes.ts'

/** Messages that the message centre lets be under way without an answer. */
export const WINDOW = 100

export type Peer = {
  pid: number
  greeting: Record<string, unknown>
  /** What it has counted. */
  ask(line?: string): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** Both are processes of their own: the message centre with the endpoint, and the gateway. */
export function startPeer(file = 'smpp-peer.ts'): Promise<Peer> {
  return startChild(['--import', 'tsx', fileURLToPath(new URL(file, import.meta.url))])
}

/** By the script of its own checkout, as the modules it imports may have moved. */
export function startGateway(database: object, carrier: object, build = THIS_BUILD, choose?: object): Promise<Peer> {
  const options = process.env.BENCH_NODE?.split(' ') ?? []
  const file = join(build, 'bench/smpp-gateway.ts')
  return startChild([...options, '--import', 'tsx', file, JSON.stringify({ database, carrier, choose })])
}

export function smppLine(port: number): object {
  const window = WINDOW
  return { kind: 'smpp', name: 'line', host: '127.0.0.1', port, system_id: 'bench', password: 'bench', window }
}

/** A process that greets with a line, and answers each line with one. */
async function startChild(args: readonly string[]): Promise<Peer> {
  const child = start(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  if (!child.stdout) throw new Error('a process without an output')
  const lines = createInterface({ input: child.stdout })
  const next = async (): Promise<Record<string, unknown>> => {
    const [line] = (await Promise.race([once(lines, 'line'), gone])) as [unknown]
    if (typeof line !== 'string') throw new Error('a process ended early')
    return JSON.parse(line) as Record<string, unknown>
  }
  return {
    pid: child.pid ?? 0,
    greeting: await next(),
    async ask(line = '?') {
      const answer = next()
      child.stdin?.write(`${line}\n`)
      return (await answer) as Record<string, number>
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
