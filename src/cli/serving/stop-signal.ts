import type { Log } from '../../values/log.ts'

const PARENT_CHECK_MS = 500

/**
 * Aborts when the service is to stop: on SIGTERM or SIGINT, or if it was started by npm and its parent has ended. `npx
 * gangan` runs in a shell that does not pass SIGTERM on. SIGHUP reloads the configuration, except from a terminal that closes.
 *
 * Under npm Ctrl-C arrives twice, from the terminal and from npm; the second is ignored.
 */
export function stopSignal(log: Pick<Log, 'info'>, onHangup: () => void): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort())
  process.on('SIGHUP', () => {
    // The terminal was closed.
    if (process.stdout.isTTY) return stop.abort()
    onHangup()
  })
  if (process.env.npm_command !== undefined) stopWithParent(stop, log)
  return stop.signal
}

function stopWithParent(stop: AbortController, log: Pick<Log, 'info'>): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    if (stop.signal.aborted) return
    log.info({ parent }, 'the shell of npm has ended; the service stops')
    stop.abort()
  }, PARENT_CHECK_MS)
  timer.unref()
}
