import { readConfig } from '../config/config.ts'
import { readEffective } from '../config/effective.ts'
import type { Db } from '../db/connect.ts'
import { makeWakeups } from '../queue/wakeups.ts'
import { waitAtMost } from '../values/concurrency/wait-at-most.ts'
import type { Reloaded } from '../wiring/reload.ts'
import { withDatabase } from './database.ts'
import { readReloadAnswer, RELOAD, RELOADED } from './serving/reload.ts'
import { form, type Command } from './terminal/command.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import type { Result } from './terminal/result.ts'

/** Processes answer at once that they begin. */
const BEGIN_MS = 3_000
/** Carriers that changed drain first. */
const END_MS = 120_000

/** Makes the running service read its configuration again. */
export const reload: Command = [
  form(
    '',
    'apply log level, prices, routes and carriers of the configuration to the running service, in all its processes',
    {},
    run,
  ),
]

async function run(): Promise<Result> {
  const config = readConfig() // reports all errors of the file before any process reads it
  const answers = await withDatabase(config, async (db) => {
    await readEffective({ db }, config)
    return askAll(db)
  })
  if (answers.size === 0) {
    throw new OperatorFault('No running service answered; the configuration is read when it starts.', 'unavailable')
  }
  const processes = [...answers].map(([process, answer]) => ({ process, ...answer }))
  const faulty = processes.filter(({ faults }) => faults === undefined || faults.length > 0)
  const text = processes.map(describe).join('')
  if (faulty.length > 0) throw new OperatorFault(`The reload failed.\n${text.trimEnd()}`)
  return { data: processes, text }
}

/** The answer of each process; without an outcome if it has not ended in time. */
async function askAll(db: Db): Promise<Map<string, Partial<Reloaded>>> {
  const wakeups = await makeWakeups(db)
  const answers = new Map<string, Partial<Reloaded>>()
  let noteEnd = (): void => {}
  wakeups.onWake(RELOADED, (text) => {
    const answer = readReloadAnswer(text)
    if (!answer) return
    const { process, ...outcome } = answer
    if (!('begun' in outcome)) answers.set(process, outcome)
    else if (!answers.has(process)) answers.set(process, {})
    noteEnd()
  })
  const all = new Promise<void>((resolve) => {
    noteEnd = () => {
      if (has_begun && [...answers.values()].every(({ faults }) => faults !== undefined)) resolve()
    }
  })
  let has_begun = false
  try {
    wakeups.wake(RELOAD)
    await new Promise((resolve) => setTimeout(resolve, BEGIN_MS))
    has_begun = true
    noteEnd()
    if (answers.size > 0) await waitAtMost(END_MS, all)
    return answers
  } finally {
    await wakeups.close()
  }
}

function describe({
  process,
  applied = [],
  needs_restart = [],
  faults,
}: { process: string } & Partial<Reloaded>): string {
  const lines = [
    applied.length === 0 ? 'nothing changed' : `applied: ${applied.join(', ')}`,
    ...(needs_restart.length === 0 ? [] : [`needs a restart: ${needs_restart.join(', ')}`]),
    ...(faults === undefined ? ['has not ended'] : faults),
  ]
  return lines.map((line) => `${process}  ${line}\n`).join('')
}
