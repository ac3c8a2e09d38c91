import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders of built checkouts: this one, after the one it is compared with (`--against`). */
export type Builds = { builds: readonly string[]; rounds: number }

export const THIS_BUILD = fileURLToPath(new URL('..', import.meta.url))

/** With another checkout the builds are measured in interleaved rounds: what else the machine does affects both. */
export function buildsOf(against: string | undefined, rounds: number): Builds {
  if (against === undefined) return { builds: [THIS_BUILD], rounds: 1 }
  const other = resolve(against)
  if (!existsSync(join(other, 'dist/main.js'))) throw new Error(`${other} is not built: run npm run build there.`)
  return { builds: [other, THIS_BUILD], rounds }
}

/** Measures each build once a round, in alternating order; returns for each build the medians of its rounds. */
export async function measureInRounds<Stage, Name extends string>(
  stages: readonly Stage[],
  rounds: number,
  measure: (stage: Stage) => Promise<Record<Name, number>>,
): Promise<Record<Name, number>[]> {
  const seen = stages.map((): Record<Name, number>[] => [])
  for (let round = 0; round < rounds; round += 1) {
    const order = [...stages.keys()]
    if (round % 2 === 1) order.reverse()
    for (const n of order) {
      const stage = stages[n]
      if (stage === undefined) continue
      const one = await measure(stage)
      if (stages.length > 1) process.stderr.write(`round ${round + 1}, build ${n + 1}: ${JSON.stringify(one)}\n`)
      seen[n]?.push(one)
    }
  }
  return seen.map(mediansOf)
}

function mediansOf<Name extends string>(rounds: readonly Record<Name, number>[]): Record<Name, number> {
  const names = Object.keys(rounds[0] ?? {}) as Name[]
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    Name,
    number
  >
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

/** One value as it is; of two also their ratio. */
export function compared(values: readonly number[], digits = 0): string {
  const written = values.map((value) => {
    return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  })
  const [before = NaN, after] = values
  return `${written.join(' → ')}${after === undefined ? '' : ` (${(after / before).toFixed(2)} ×)`}`
}
