import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

/** Processor time that a process has taken, without its children's. */
export function processorMs(pid: number): number {
  return statOf(pid).own_ms
}

/** The main thread's share of it. The others of Node are V8's, which compile and collect garbage, and those of libuv. */
export function mainThreadMs(pid: number): number {
  return statOf(`${pid}/task/${pid}`).own_ms
}

/** Processor time of a process and its children, also of those that have ended. */
export function familyMs(pid: number): number {
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter(({ parent }) => parent === pid)
  const { own_ms, ended_ms } = statOf(pid)
  return own_ms + ended_ms + living.reduce((sum, child) => sum + child.own_ms, 0)
}

/** One that has ended has taken nothing. */
function statOf(id: number | string): { parent: number; own_ms: number; ended_ms: number } {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
    const ticks = (from: number): number => TICK_MS * ((fields[from] ?? 0) + (fields[from + 1] ?? 0))
    return { parent: fields[1] ?? 0, own_ms: ticks(11), ended_ms: ticks(13) }
  } catch {
    return { parent: 0, own_ms: 0, ended_ms: 0 }
  }
}
