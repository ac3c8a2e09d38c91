import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

export type ProcessFacts = {
  /** Differs between two processes that were given the same number, also across a reboot. */
  started: string
  command: string
}

/**
 * A running process, or undefined. A zombie counts as gone: in a container where the first process does not collect
 * orphans, a killed postmaster stays a zombie for good, and `kill(pid, 0)` would call it alive.
 */
export function describeProcess(pid: number): ProcessFacts | undefined {
  return has_proc ? describeFromProc(pid) : describeFromPs(pid)
}

/** The pids of running processes with a command line that satisfies the test. */
export function findProcesses(test: (command: string) => boolean): number[] {
  const pids = has_proc ? readdirSync('/proc').map(Number).filter(Number.isInteger) : pidsFromPs()
  return pids.filter((pid) => {
    const facts = describeProcess(pid)
    return facts !== undefined && test(facts.command)
  })
}

/** Polls every few milliseconds until the test holds; false after the time limit. */
export async function waitUntil(test: () => boolean, limit_ms: number): Promise<boolean> {
  const deadline = performance.now() + limit_ms
  while (!test()) {
    if (performance.now() > deadline) return false
    await setTimeout(poll_ms)
  }
  return true
}

const poll_ms = 10

const has_proc = existsSync('/proc/self/stat')
const boot_id = readProc('sys/kernel/random/boot_id')?.trim() ?? ''

function describeFromProc(pid: number): ProcessFacts | undefined {
  const stat = readProc(`${pid}/stat`)
  if (stat === undefined) return undefined
  // The second field is the name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ticks] = [fields[0], fields[19]]
  if (state === 'Z' || state === 'X') return undefined
  // The start is counted in ticks since the boot, so it identifies a process only together with the boot.
  const command = readProc(`${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
  return { started: `${boot_id}/${ticks}`, command }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return undefined
  }
}

function describeFromPs(pid: number): ProcessFacts | undefined {
  const line = ps('-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)).trim()
  // `lstart` is always five words: Sat Nov 15 01:38:00 2025.
  const found = /^(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/.exec(line)
  if (found === null || found[1]?.startsWith('Z')) return undefined
  return { started: found[2] ?? '', command: `${found[3]} ` }
}

function pidsFromPs(): number[] {
  return ps('-ax', '-o', 'pid=').split('\n').map(Number).filter(Boolean)
}

function ps(...args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
