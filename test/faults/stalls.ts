import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/folder.ts'

/** The duration of a stall of the event loop, and the CPU time during it. */
export type Stall = { late_ms: number; computed_ms: number }

export type Stalls = {
  /** For the watched process. */
  env: Record<string, string>
  /** The stalls of its event loop since the last call. */
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
