import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EmbeddedFault, folderFault } from './fault.ts'
import { describeProcess } from './process.ts'
import { codeOf } from '../../values/thrown.ts'

export type Ownership = { release(): Promise<void> }

type Claim = {
  /** For a command, which owns the folder only while it starts or stops PostgreSQL: other processes wait for it. */
  brief?: boolean
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

const POLL_INTERVAL_MS = 50

/**
 * Makes this process the one owner of the data folder, or throws an EmbeddedFault that names the present owner.
 *
 * The owner is the process that wrote `owner.<n>.json` with the highest n. A process that finds this owner dead creates
 * the file n + 1, which only one of several can. The highest file is never removed, not even on release, so that no
 * number is used twice. A file lock would be simpler, but Node.js has none.
 */
export async function takeOwnership(data_dir: string, { brief = false, signal }: Claim = {}): Promise<Ownership> {
  const claim = join(data_dir, `owner-claim-${process.pid}-${randomUUID()}`)
  const { started } = describeProcess(process.pid) ?? {}
  try {
    await writeFile(claim, JSON.stringify({ pid: process.pid, started, ...(brief ? { brief } : {}) }))
    const generation = await claimNext(data_dir, claim, signal)
    return { release: () => release(data_dir, generation) }
  } catch (error) {
    throw folderFault(data_dir, error)
  } finally {
    await rm(claim, { force: true }).catch(() => undefined)
  }
}

async function claimNext(data_dir: string, claim: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    const last = (await generations(data_dir)).at(-1) ?? 0
    const owner = await livingOwner(data_dir, last)
    if (owner?.brief) {
      await setTimeout(POLL_INTERVAL_MS)
      signal?.throwIfAborted()
      continue
    }
    if (owner) throw new EmbeddedFault(`The data folder ${data_dir} is in use by process ${owner.pid}.`)
    const generation = last + 1
    if (!(await linkIfFree(claim, ownerFile(data_dir, generation)))) continue

    // A faster process may have passed this number and removed its file before we created it.
    const all = await generations(data_dir)
    if (all.at(-1) === generation) {
      await removeLeftovers(data_dir, all.slice(0, -1))
      return generation
    }
    await rm(ownerFile(data_dir, generation), { force: true })
  }
}

async function generations(data_dir: string): Promise<number[]> {
  const numbers = (await readdir(data_dir)).map((name) => Number(/^owner\.(\d+)\.json$/.exec(name)?.[1]))
  return numbers.filter((number) => number > 0).sort((a, b) => a - b)
}

async function removeLeftovers(data_dir: string, old_generations: number[]): Promise<void> {
  for (const old of old_generations) await rm(ownerFile(data_dir, old), { force: true })
  for (const name of await readdir(data_dir)) {
    const pid = /^owner-(?:claim|released)-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && describeProcess(Number(pid)) === undefined) await rm(join(data_dir, name), { force: true })
  }
}

async function livingOwner(data_dir: string, generation: number): Promise<{ pid: number; brief: boolean } | undefined> {
  const text = await readFile(ownerFile(data_dir, generation), 'utf8').catch(() => '')
  // An unreadable file, such as one cut short by a power failure, was left by a process that is gone.
  const found = /^\{"pid":(\d+),"started":"([^"]*)"(,"brief":true)?\}$/.exec(text)
  const pid = Number(found?.[1])
  if (found === null || describeProcess(pid)?.started !== found[2]) return undefined
  return { pid, brief: found[3] !== undefined }
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function release(data_dir: string, generation: number): Promise<void> {
  const released = join(data_dir, `owner-released-${process.pid}-${randomUUID()}`)
  // If the folder was removed there is nothing to release.
  await writeFile(released, '{}')
    .then(() => rename(released, ownerFile(data_dir, generation)))
    .catch(() => undefined)
}

function ownerFile(data_dir: string, generation: number): string {
  return join(data_dir, `owner.${generation}.json`)
}
