import { readConfig } from '../../config/config.ts'
import type { Settings } from '../../config/settings.ts'
import { pause, resume } from '../../messaging/pauses/pause.ts'
import type { OperatorPause, PauseKind, PauseMode } from '../../messaging/pauses/schema.ts'
import { COMMAND_LINE } from '../../users/audit.ts'
import { withConfigured } from '../configured.ts'
import { withDatabase } from '../database.ts'
import { form, integer, valued, type Form } from '../terminal/command.ts'
import { notFound, usageFault } from '../terminal/operator-fault.ts'
import { done, type Columns, type Result } from '../terminal/result.ts'

const MAX_MINUTES = 44_640
const PAUSE = {
  reason: valued('TEXT', 'why; shown wherever held messages are, and recorded in the audit log (required)'),
  until: valued('TIME', 'when it resumes automatically, such as 2026-12-24T18:00:00+01:00'),
  minutes: integer(1, MAX_MINUTES, 'resume automatically after this many minutes'),
}
type Given = { reason?: string; until?: string; minutes?: string }

/** `pause`, `drain` and `resume` of carriers or of routes. */
export function pauseForms(kind: PauseKind): Form[] {
  const pausing = {
    carrier: "submit nothing to a carrier; the route's next carrier takes over as after a failure",
    route: 'submit nothing over a route: its messages wait, one-time passwords included',
  }
  return [
    form('pause NAME', pausing[kind], PAUSE, (given, name = '') => stop(kind, name, 'paused', given), [
      `gangan ${kind}s pause ${EXAMPLES[kind]} --reason 'fee dispute, ask Ada' --minutes 90`,
    ]),
    form(
      'drain NAME',
      `submit no new message to a ${kind}; retry those it was tried with before`,
      PAUSE,
      (given, name = '') => stop(kind, name, 'draining', given),
    ),
    form('resume NAME', `end the pause of a ${kind}`, {}, (_, name = '') => proceed(kind, name)),
  ]
}

const EXAMPLES = { carrier: 'mtn', route: 'nigeria' } as const

async function stop(kind: PauseKind, name: string, mode: PauseMode, given: Given): Promise<Result> {
  const { reason } = given
  if (reason === undefined) throw usageFault('--reason is required.')
  const until = untilOf(given)
  const paused = await withConfigured(async (db, { settings }) => {
    requireConfigured(settings, kind, name)
    return pause({ db }, COMMAND_LINE, { kind, name }, { mode, reason, until })
  })
  const end = paused.until === undefined ? `until gangan ${kind}s resume ${name}` : `until ${paused.until}`
  return done(`The ${kind} ${name} is ${mode}, in every process within two seconds, ${end}.`, { pause: paused })
}

async function proceed(kind: PauseKind, name: string): Promise<Result> {
  await withDatabase(readConfig(), (db) => resume({ db }, COMMAND_LINE, { kind, name }))
  return done(`The ${kind} ${name} resumes.`, { kind, name })
}

function untilOf({ until, minutes }: Given): string | undefined {
  if (until !== undefined && minutes !== undefined) throw usageFault('Give either --until or --minutes.')
  return minutes === undefined ? until : new Date(Date.now() + 60_000 * Number(minutes)).toISOString()
}

function requireConfigured({ carriers, routes }: Settings, kind: PauseKind, name: string): void {
  const known: readonly { name: string }[] = kind === 'carrier' ? carriers : routes
  if (known.some((one) => one.name === name)) return
  throw notFound(`The configuration has no ${kind} ${name}; gangan ${kind}s list shows them.`)
}

export const PAUSE_COLUMNS: Columns<OperatorPause> = {
  what: (one) => `${one.kind} ${one.name}`,
  state: (one) => one.mode,
  since: (one) => one.created_datetime,
  until: (one) => one.until,
  by: (one) => one.actor,
  reason: (one) => one.reason,
}
