/**
 * Loaded into `gangan` by NODE_OPTIONS=--import: records when its event loop stalled, and how much of that time the
 * process used the CPU. For the rest it was runnable while another process had the core.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const EVERY_MS = 10
const LATE_MS = 30

const file = process.env.GANGAN_STALLS
let last_ms = performance.now()
let used_ms = computedMs()

if (file !== undefined) setInterval(look, EVERY_MS).unref()

function look() {
  const late_ms = performance.now() - last_ms - EVERY_MS
  const computed_ms = Math.min(late_ms, computedMs() - used_ms)
  if (late_ms > LATE_MS) appendFileSync(file, `${JSON.stringify({ late_ms, computed_ms })}\n`)
  last_ms = performance.now()
  used_ms = computedMs()
}

/** Of the thread of the event loop, if the system reports it; otherwise of the whole process, which is more. */
function computedMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
