import { carriersOfKind } from '../../carriers/kinds.ts'
import { makeGraph } from '../../carriers/whatsapp/graph.ts'
import type { WhatsappSettings } from '../../carriers/whatsapp/schema.ts'
import { listPauses, resumeCarrier } from '../../carriers/availability-store.ts'
import { listKnownTemplates } from '../../carriers/whatsapp/store.ts'
import { syncTemplates, SyncFault } from '../../carriers/whatsapp/sync.ts'
import { readFacts } from '../../carriers/whatsapp/templates.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { form, type Command } from '../terminal/command.ts'
import { withDatabase } from '../database.ts'
import { OperatorFault } from '../terminal/operator-fault.ts'
import { table } from '../terminal/table.ts'

/** Synchronises and shows the templates of WhatsApp numbers, and resumes paused numbers. */
export const whatsapp: Command = [
  form('sync [NAME]', {}, (_, name) => withNumbers(name, sync)),
  form('status [NAME]', {}, (_, name) => withNumbers(name, status)),
  form('resume [NAME]', {}, (_, name) => withNumbers(name, resume)),
]

type Work = (db: Db, numbers: readonly WhatsappSettings[]) => Promise<void>

async function withNumbers(name: string | undefined, work: Work): Promise<void> {
  const config = readConfig()
  const all = carriersOfKind(config.settings.carriers, 'whatsapp_cloud')
  const numbers = all.filter((one) => name === undefined || one.name === name)
  if (numbers.length === 0) throw new OperatorFault('There is no such WhatsApp number in the configuration.')
  await withDatabase(config, (db) => work(db, numbers))
}

async function sync(db: Db, numbers: readonly WhatsappSettings[]): Promise<void> {
  for (const settings of numbers) {
    const graph = makeGraph(settings)
    try {
      const count = await syncTemplates({ db, graph }, settings.name)
      process.stdout.write(`${settings.name}: ${count} templates.\n`)
    } catch (fault) {
      if (fault instanceof SyncFault) throw new OperatorFault(`${settings.name}: ${fault.message}`)
      throw fault
    } finally {
      await graph.stop()
    }
  }
}

async function status(db: Db, numbers: readonly WhatsappSettings[]): Promise<void> {
  const pauses = new Map((await listPauses(db)).map((pause) => [pause.carrier, pause]))
  for (const { name } of numbers) {
    const pause = pauses.get(name)
    const state = pause ? `paused for ${Math.ceil(pause.for_s)} s (${pause.code}: ${pause.reason})` : 'working'
    process.stdout.write(`${name}: ${state}\n`)
    const templates = await listKnownTemplates(db, name)
    const rows = templates.map((one) => [
      one.name,
      one.language,
      one.category,
      one.status,
      readFacts(one.components).body.join(', ') || '-',
    ])
    process.stdout.write(table(['template', 'language', 'category', 'state', 'values'], rows))
  }
}

async function resume(db: Db, numbers: readonly WhatsappSettings[]): Promise<void> {
  for (const { name } of numbers) {
    process.stdout.write(`${name}: ${(await resumeCarrier(db, name)) ? 'resumed' : 'was not paused'}.\n`)
  }
}
