import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What is built, to be run by node. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export type Gangan = {
  pid: number
  url: string
  /** As printed at the first start. */
  key: string | undefined
  output: () => string
  /** Sends the signal and waits until the process is gone; gives its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `gangan serve` as a person would and waits for its banner; fails with what it printed when it ends first. */
export async function startGangan(env: Record<string, string>, args: string[] = []): Promise<Gangan> {
  const { ready, ...starting } = beginGangan(env, args)
  const output = await ready
  return {
    ...starting,
    url: /http:\/\/[\w.[\]:]+/.exec(output)?.[0] ?? '',
    key: /gg_live_\w+/.exec(output)?.[0],
  }
}

/** The same without waiting: `ready` is what it printed until its banner was there. */
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
  ready.catch(() => {}) // who does not wait for it does not want to know
  return {
    ready,
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      // What it printed at its end may still be on the way. One that is killed may leave others who could print more.
      await (signal === 'SIGKILL' ? ended : closed)
      return child.exitCode
    },
  }
}

type Ended = { code: number | null; stdout: string; stderr: string }

/**
 * Runs a command of the command line to its end, in this process: loading the service anew takes a process seconds.
 * That a process says the same is told by those who use `spawnGangan`.
 */
export async function runGangan(args: string[], env: Record<string, string>): Promise<Ended> {
  const { run } = await import('../../src/cli/run.ts')
  const before = process.env
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  process.env = { PATH: before.PATH, ...env }
  try {
    return { code: await run(args), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.env = before
    stdout.end()
    stderr.end()
  }
}

/** What is written to a stream from now on, instead of being printed. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const write = stream.write.bind(stream)
  let said = ''
  stream.write = (text: string | Uint8Array) => {
    said += String(text)
    return true
  }
  return { text: () => said, end: () => void (stream.write = write) }
}

/** Runs a command as a process of its own to its end. */
export async function spawnGangan(args: string[], env: Record<string, string>): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
