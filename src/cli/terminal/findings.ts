import { LEVELS, worst, type Found, type Level } from '../../status/check.ts'
import { EXIT } from './operator-fault.ts'
import { paint } from './paint.ts'
import type { Result } from './result.ts'

const COLOURS = { ok: 'green', warning: 'yellow', critical: 'red' } as const

/** Findings of checks, one per line, each with what to do below it; the exit code is that of the worst. */
export function shownFindings(findings: readonly Found[], data: unknown = { findings }): Result {
  const level = worst(findings.map((one) => one.level))
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ level: own, check, summary, advice, runbook }, n) => {
    const name = findings[n - 1]?.check === check ? '' : check
    const margin = ' '.repeat(LEVEL_WIDTH + 2)
    const see = runbook === undefined ? [] : [`${margin}${''.padEnd(width)}  docs/runbook.md#${runbook}`]
    return [
      `${paint(COLOURS[own], own.padEnd(LEVEL_WIDTH))}  ${name.padEnd(width)}  ${summary}`,
      ...(advice === undefined ? [] : [`${margin}${''.padEnd(width)}  ${advice}`, ...see]),
    ]
  })
  return { data, text: lines.map((line) => `${line}\n`).join(''), exit: exitOf(level) }
}

const LEVEL_WIDTH = Math.max(...LEVELS.map((level) => level.length))

function exitOf(level: Level): number {
  return level === 'ok' ? EXIT.ok : EXIT[level]
}
