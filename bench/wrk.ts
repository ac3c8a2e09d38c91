import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result, Task } from './load.ts'
import { runLoad } from './processes.ts'
import { WARM_UP_S } from './warm-up.ts'

/** `wrk` where it is installed: it takes a tenth of the processor our own load generator takes. */
export async function load(task: Task): Promise<Result> {
  return hasWrk() ? runWrk(task) : runLoad(task)
}

export function loadName(): string {
  return hasWrk() ? 'wrk' : 'our own load generator'
}

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
    return true
  } catch (fault) {
    return (fault as { status?: number | null }).status === 1 // it prints its version and ends with 1
  }
}

async function runWrk(task: Task): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'gangan-wrk-'))
  const script = join(folder, 'load.lua')
  await writeFile(script, lua(task))
  if (!task.warm) {
    await once(wrk(task, script, WARM_UP_S), 'close')
    await writeFile(script, lua(task)) // other numbers: what was asked before must not be asked again
  }
  const child = wrk(task, script, task.seconds)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  await rm(folder, { recursive: true })
  const figures = /^FIGURES (.*)$/m.exec(output)?.[1]
  if (figures === undefined) throw new Error(`wrk said: ${output}`)
  const [requests = 0, micros = 1, failures = 0, p50 = 0, p99 = 0] = figures.split(' ').map(Number)
  const ms = (value: number): number => Math.round(value / 100) / 10
  return { requests, failures, seconds: micros / 1_000_000, p50_ms: ms(p50), p99_ms: ms(p99) }
}

function wrk(task: Task, script: string, seconds: number) {
  const args = ['-t1', `-c${task.connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script]
  return spawn('wrk', [...args, `http://127.0.0.1:${task.port}`], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Each request carries its own number where the task has `#######`. */
function lua(task: Task): string {
  const headers = { ...task.headers, ...(task.body === '' ? {} : { 'content-type': 'application/json' }) }
  const numbered = /#######/.test(task.body + task.path + Object.values(headers).join())
  const quoted = (text: string): string => `[==[${text}]==]`
  const fill = (text: string): string => (numbered ? `string.gsub(${quoted(text)}, "#######", number)` : quoted(text))
  const lines = Object.entries(headers).map(([name, value]) => `["${name}"] = (${fill(value)})`)
  return `
local n = ${Math.floor(9_000_000 * Math.random())}
request = function()
  n = n + 1
  local number = string.format("%07d", n % 10000000)
  return wrk.format("${task.method ?? 'POST'}", (${fill(task.path)}), { ${lines.join(', ')} }, ${
    task.body === '' ? 'nil' : `(${fill(task.body)})`
  })
end
done = function(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format("FIGURES %d %d %d %d %d\\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end
`
}
