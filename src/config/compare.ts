import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'

/** Settings that a running service applies. */
const LIVE = new Set(['carriers', 'routes', 'prices', 'log_level'])

/**
 * The settings that differ and need a restart, by the key of the configuration file, each with a reason where the key alone
 * would not say it.
 */
export function needsRestart(running: Config, next: Config): string[] {
  const keys = [...new Set([...Object.keys(running.settings), ...Object.keys(next.settings)])].filter(
    (key) => !LIVE.has(key) && !isDeepStrictEqual(valueOf(running, key), valueOf(next, key)),
  )
  return running.sandbox === next.sandbox
    ? keys
    : [...keys, 'carriers and routes (with the first real carrier the sandbox ends, and with the last one it begins)']
}

function valueOf({ settings }: Config, key: string): unknown {
  return Object.entries(settings).find(([name]) => name === key)?.[1]
}
