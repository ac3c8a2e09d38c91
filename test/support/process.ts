import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

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

/** Runs a command of the command line to its end. */
export async function runGangan(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
