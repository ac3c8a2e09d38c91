import { carriersOfKind } from '../../carriers/kinds.ts'
import { makeGraph } from '../../carriers/whatsapp/graph.ts'
import type { WhatsappSettings } from '../../carriers/whatsapp/schema.ts'
import { listPauses, resumeCarrier } from '../../carriers/availability-store.ts'
import { listKnownTemplates } from '../../carriers/whatsapp/store.ts'
import { syncTemplates, SyncFault } from '../../carriers/whatsapp/sync.ts'
import { readShape } from '../../carriers/whatsapp/templates.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { withDatabase } from '../database.ts'
import { form, type Command } from '../terminal/command.ts'
import { notFound, OperatorFault } from '../terminal/operator-fault.ts'
import { table, type Result } from '../terminal/result.ts'

/** Synchronises and shows the templates of WhatsApp numbers, and resumes paused numbers. */
export const whatsapp: Command = [
  form('sync [NAME]', 'synchronise the templates approved by Meta', {}, (_, name) => forNumbers(name, sync)),
  form('status [NAME]', 'show the state of the numbers, and their templates', {}, (_, name) =>
    forNumbers(name, status),
  ),
  form('resume [NAME]', 'resume a paused number', {}, (_, name) => forNumbers(name, resume)),
]

/** Of one number. */
type Work = (db: Db, settings: WhatsappSettings) => Promise<{ data: object; text: string }>

async function forNumbers(name: string | undefined, work: Work): Promise<Result> {
  const config = readConfig()
  const all = carriersOfKind(config.settings.carriers, 'whatsapp_cloud')
  const numbers = all.filter((one) => name === undefined || one.name === name)
  if (numbers.length === 0) throw notFound('There is no such WhatsApp number in the configuration.')
  return withDatabase(config, async (db) => {
    const results: Awaited<ReturnType<Work>>[] = []
    for (const settings of numbers) results.push(await work(db, settings))
    return {
      data: results.map(({ data }, at) => ({ name: numbers[at]?.name, ...data })),
      text: results.map(({ text }, at) => `${numbers[at]?.name}: ${text}`).join(''),
    }
  })
}

const sync: Work = async (db, settings) => {
  const graph = makeGraph(settings)
  try {
    const templates = await syncTemplates({ db, graph }, settings.name)
    return { data: { templates }, text: `${templates} templates.\n` }
  } catch (fault) {
    if (fault instanceof SyncFault) throw new OperatorFault(`${settings.name}: ${fault.message}`, 'unavailable')
    throw fault
  } finally {
    await graph.stop()
  }
}

const status: Work = async (db, { name }) => {
  const pause = (await listPauses(db)).find(({ carrier }) => carrier === name)
  const state = pause ? `paused for ${Math.ceil(pause.for_s)} s (${pause.code}: ${pause.reason})` : 'working'
  const templates = (await listKnownTemplates(db, name)).map((one) => ({
    name: one.name,
    language: one.language,
    category: one.category,
    status: one.status,
    values: readShape(one).body.names,
  }))
  const lines = table(templates, {
    template: (one) => one.name,
    language: (one) => one.language,
    category: (one) => one.category,
    state: (one) => one.status,
    values: (one) => one.values.join(', ') || '-',
  })
  const paused = pause && { for_s: Math.ceil(pause.for_s), code: pause.code, reason: pause.reason }
  return { data: { paused, templates }, text: `${state}\n${lines}` }
}

const resume: Work = async (db, { name }) => {
  const resumed = await resumeCarrier(db, name)
  return { data: { resumed }, text: `${resumed ? 'resumed' : 'was not paused'}.\n` }
}
