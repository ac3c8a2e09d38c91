/**
 * Loaded into a `gangan` by NODE_OPTIONS=--import: writes down when its event loop stood still, and how much of that time
 * the process computed. The rest it was ready to run and another process had the core.
 */
import { appendFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const EVERY_MS = 10
const LATE_MS = 30

const file = process.env.GANGAN_STALLS
let last_ms = performance.now()
let used = process.cpuUsage()

if (file !== undefined) setInterval(look, EVERY_MS).unref()

function look() {
  const late_ms = performance.now() - last_ms - EVERY_MS
  const { user, system } = process.cpuUsage(used)
  // All threads of the process together: at least what the loop itself has used.
  const computed_ms = Math.min(late_ms, (user + system) / 1_000)
  if (late_ms > LATE_MS) appendFileSync(file, `${JSON.stringify({ late_ms, computed_ms })}\n`)
  last_ms = performance.now()
  used = process.cpuUsage()
}
