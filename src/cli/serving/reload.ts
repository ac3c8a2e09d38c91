import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { ConfigFault, readConfig } from '../../config/config.ts'
import { readEffective } from '../../config/effective.ts'
import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { isRecord } from '../../values/record.ts'
import type { Log } from '../../values/log.ts'
import type { Reload, Reloaded } from '../../wiring/reload.ts'

/** What `gangan reload` sends to all processes of all machines, and what they answer: first that they begin. */
export const RELOAD = 'reload'
export const RELOADED = 'reloaded'
export type ReloadAnswer = { process: string; begun: true } | ({ process: string } & Reloaded)

/** PostgreSQL's notifications are limited to 8,000 bytes. */
const MAX_LINES = 10
const MAX_LINE_LENGTH = 150

type Deps = { db: Db; reload: Reload; wakeups: Wakeups; log: Log; level: Pick<Logger, 'level'> }

/** Reads the configuration again and applies it, on `gangan reload` and when the returned function is called. */
export function startReloading(deps: Deps): { now: () => void; stop: () => void } {
  const process_name = `${hostname()}:${process.pid}`
  const answer = (message: ReloadAnswer): void => deps.wakeups.wake(RELOADED, 0, JSON.stringify(message))

  async function reload(): Promise<void> {
    answer({ process: process_name, begun: true })
    const { applied, needs_restart, faults } = await applyConfiguration(deps)
    answer({
      process: process_name,
      applied: shorten(applied),
      needs_restart: shorten(needs_restart),
      faults: shorten(faults),
    })
  }

  const now = (): void => void reload().catch((err: unknown) => deps.log.error({ err }, 'the reload failed'))
  return { now, stop: deps.wakeups.onWake(RELOAD, now) }
}

async function applyConfiguration({ db, reload, log, level }: Deps): Promise<Reloaded> {
  try {
    const next = await readEffective({ db }, readConfig())
    const has_level = level.level !== next.log_level
    level.level = next.log_level
    const done = await reload(next)
    const outcome = { ...done, applied: [...(has_level ? ['log_level'] : []), ...done.applied] }
    if (outcome.faults.length > 0) log.error(outcome, 'the configuration was reloaded with faults')
    else log.info(outcome, 'the configuration was reloaded')
    return outcome
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault
    log.error({ faults: fault.faults }, 'the configuration has faults; nothing was changed')
    return { applied: [], needs_restart: [], faults: [...fault.faults] }
  }
}

function shorten(all: readonly string[]): string[] {
  const more = all.length > MAX_LINES ? [`and ${all.length - MAX_LINES} more`] : []
  return [...all.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH)), ...more]
}

/** Undefined if it is not an answer. */
export function readReloadAnswer(text: string): ReloadAnswer | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(answer) || typeof answer.process !== 'string') return undefined
  if (answer.begun === true) return { process: answer.process, begun: true }
  const { applied, needs_restart, faults } = answer
  return {
    process: answer.process,
    applied: lines(applied),
    needs_restart: lines(needs_restart),
    faults: lines(faults),
  }
}

function lines(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
