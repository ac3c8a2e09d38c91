import { readFileSync } from 'node:fs'
import { OperatorFault } from './operator-fault.ts'

/** Loading the modules of a command opens many files at once; Node.js ends without a sentence if it may not. */
const MIN_OPEN_FILES = 256

/** Refuses to start with a limit of open files that is too low to load the command. Checked where the system has `/proc`. */
export function requireOpenFiles(): void {
  const limit = openFilesLimit()
  if (limit !== undefined && limit < MIN_OPEN_FILES)
    throw new OperatorFault(tooFewFiles(`limit: ${limit}`), 'unavailable')
}

export const tooFewFiles = (cause: string) =>
  `This process may not open more files (${cause}): raise the limit, which is shown by ulimit -n, to 65536.`

/** The soft limit; undefined if it is unlimited or the system has no `/proc`. */
export function openFilesLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const soft = /^Max open files +(\d+)/m.exec(limits)?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
