import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The compiled program, to be run by node. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export type Gangan = {
  pid: number
  url: string
  /** As printed at the first start. */
  key: string | undefined
  output: () => string
  /** Sends the signal, waits until the process has ended, and returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `gangan serve` and waits for its banner; fails with its output if it ends before. */
export async function startGangan(env: Record<string, string>, args: string[] = []): Promise<Gangan> {
  const { ready, ...starting } = beginGangan(env, args)
  const output = await ready
  return {
    ...starting,
    url: /http:\/\/[\w.[\]:]+/.exec(output)?.[0] ?? '',
    key: /gg_live_\w+/.exec(output)?.[0],
  }
}

/** The same without waiting: `ready` resolves to its output up to the banner. */
export function beginGangan(
  env: Record<string, string>,
  args: string[] = [],
): Omit<Gangan, 'url' | 'key'> & { ready: Promise<string> } {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    env: { PATH: process.env.PATH, PORT: '0', GANGAN_LOG: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  const closed = once(child, 'close')
  const banner = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/Gangan is ready[\s\S]*\n\n/.test(output)) resolve(output)
      })
    }
  })
  const ready = Promise.race([
    banner,
    ended.then(([code]: unknown[]) => {
      throw new Error(`gangan ended with ${String(code)}: ${output}`)
    }),
  ])
  ready.catch(() => {}) // A caller that does not wait for it ignores the failure.
  return {
    ready,
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      // Output at its end may still be buffered. A killed process may leave others that could print more.
      await (signal === 'SIGKILL' ? ended : closed)
      return child.exitCode
    },
  }
}

type Ended = { code: number | null; stdout: string; stderr: string }

/**
 * Runs a command of the command line to its end, in this process: a new process would take seconds to load the service.
 * Tests with `spawnGangan` cover real processes. A `serve` that starts needs one: it ends its process when it stops.
 */
export async function runGangan(args: string[], env: Record<string, string>): Promise<Ended> {
  const { run } = await import('../../src/cli/run.ts')
  const before = process.env
  const handlers = process.listenerCount('SIGTERM')
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  process.env = { PATH: before.PATH, ...env }
  try {
    const code = await run(args)
    if (process.listenerCount('SIGTERM') > handlers) throw new Error('a command that handles signals needs spawnGangan')
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.env = before
    stdout.end()
    stderr.end()
  }
}

/** Captures output to a stream, instead of printing it. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const write = stream.write.bind(stream)
  let said = ''
  stream.write = (text: string | Uint8Array) => {
    said += String(text)
    return true
  }
  return { text: () => said, end: () => void (stream.write = write) }
}

/** Runs a command as a process to its end. */
export async function spawnGangan(args: string[], env: Record<string, string>): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
