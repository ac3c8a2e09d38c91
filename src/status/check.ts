import { fill, fillCount } from '../values/fill.ts'

/** From best to worst. `critical` is what an alert would page for, `warning` what can wait for the morning. */
export const LEVELS = ['ok', 'warning', 'critical'] as const
export type Level = (typeof LEVELS)[number]

/** What a check found, in one sentence, and what to do about it. */
export type Finding = {
  level: Level
  summary: string
  /** Present unless the level is `ok`. */
  advice?: string
  /** Heading of docs/runbook.md, if another than that of the check. */
  section?: string
}

export type Findings = Finding | Finding[]

/** One entry of a list of checks. A check finds nothing where what it looks at is not configured. */
export type Check<Subject> = {
  name: string
  /** Heading of docs/runbook.md that helps if the check does not find everything ok. */
  section: string
  find(subject: Subject): Promise<Findings> | Findings
}

/** A finding with its check, and the anchor of its section in the runbook. */
export type Found = Omit<Finding, 'section'> & { check: string; runbook?: string }

/** Findings shown of one check, unless all are asked for; the rest are counted. */
const MAX_FINDINGS = 10

type Bounds = { timeout_ms: number; max_findings?: number }

/**
 * Makes all checks at once. A check that fails or does not end in time is itself a finding, so that one broken part never
 * hides the state of the others.
 */
export async function makeChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  bounds: Bounds,
): Promise<Found[]> {
  const found = await Promise.all(checks.map((check) => makeCheck(check, subject, bounds)))
  return found.flat()
}

async function makeCheck<Subject>(
  check: Check<Subject>,
  subject: Subject,
  { timeout_ms, max_findings = MAX_FINDINGS }: Bounds,
): Promise<Found[]> {
  const findings = await inTime(
    timeout_ms,
    Promise.resolve().then(() => check.find(subject)),
  )
  return limitFindings(findings, max_findings).map(({ section = check.section, ...finding }) => ({
    check: check.name,
    ...finding,
    ...(finding.level === 'ok' ? {} : { runbook: anchorOf(section) }),
  }))
}

async function inTime(timeout_ms: number, finding: Promise<Findings>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(unfinished(timeout_ms)), timeout_ms)
  })
  try {
    return [await Promise.race([finding, late])].flat()
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault)
    return [
      {
        level: 'warning',
        summary: fill('The check failed: {reason}', { reason }),
        advice: 'Run the command again. If it fails again, read the log of the service.',
      },
    ]
  } finally {
    clearTimeout(timer)
  }
}

function unfinished(timeout_ms: number): Finding {
  return {
    level: 'warning',
    summary: fill('The check did not end within {seconds} s.', { seconds: timeout_ms / 1_000 }),
    advice: 'Run the command again. If it fails again, look at the load of the machine and of the database.',
  }
}

/** The worst first; the rest is counted. */
function limitFindings(findings: readonly Finding[], limit: number): Finding[] {
  const sorted = [...findings].sort((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level))
  const rest = sorted.slice(limit)
  const [first] = rest
  if (!first) return sorted
  const summary = fillCount(rest.length, 'There is {n} more.', 'There are {n} more.')
  return [...sorted.slice(0, limit), { ...first, summary }]
}

export function worst(levels: readonly Level[]): Level {
  return LEVELS[Math.max(0, ...levels.map((level) => LEVELS.indexOf(level)))] ?? 'ok'
}

/** The anchor of a heading, as GitHub and the service's own page make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')
}
