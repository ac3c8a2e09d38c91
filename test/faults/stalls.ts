import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/folder.ts'

/** The event loop of a process stood still so long, and computed for so much of that time. */
export type Stall = { late_ms: number; computed_ms: number }

export type Stalls = {
  /** For the process that is to be watched. */
  env: Record<string, string>
  /** How often its event loop stood still since the last question. */
  read(): Stall[]
  close(): Promise<void>
}

const PROBE = new URL('../support/stall-probe.mjs', import.meta.url).href

export async function watchStalls(): Promise<Stalls> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'stalls.jsonl')
  const stalls = openSync(file, 'a+')
  const chunk = Buffer.alloc(65_536)
  let unread = ''
  return {
    env: { NODE_OPTIONS: `--import ${PROBE}`, GANGAN_STALLS: file },
    read() {
      const lines = (unread + chunk.toString('utf8', 0, readSync(stalls, chunk))).split('\n')
      unread = lines.pop() ?? ''
      return lines.map((line) => JSON.parse(line) as Stall)
    },
    async close() {
      closeSync(stalls)
      await folder.remove()
    },
  }
}
