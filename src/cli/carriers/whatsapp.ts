import { carriersOfKind } from '../../carriers/kinds.ts'
import { makeGraph } from '../../carriers/whatsapp/graph.ts'
import type { WhatsappSettings } from '../../carriers/whatsapp/schema.ts'
import { listPauses, resumeCarrier } from '../../carriers/availability-store.ts'
import { listLimits, listNumbers, registerNumber } from '../../carriers/whatsapp/number-store.ts'
import { listKnownTemplates } from '../../carriers/whatsapp/template-store.ts'
import { syncNumber, syncTemplates, SyncFault } from '../../carriers/whatsapp/sync.ts'
import { readShape } from '../../carriers/whatsapp/templates.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { findOrganisation } from '../../organisations/store.ts'
import { assignNumber, decideSender } from '../../senders/decide.ts'
import { findOwners, findSenderByName } from '../../senders/store.ts'
import { present } from '../../values/record.ts'
import { withConfigured } from '../configured.ts'
import { whichOrganisation } from '../organisations/which-organisation.ts'
import { form, type Command } from '../terminal/command.ts'
import { notFound, OperatorFault } from '../terminal/operator-fault.ts'
import { done, rows, table, type Result } from '../terminal/result.ts'

/** Synchronises and shows WhatsApp numbers and their templates, resumes paused numbers, and assigns numbers. */
export const whatsapp: Command = [
  form('sync [NAME]', 'synchronise the templates approved by Meta, and the state of the numbers', {}, (_, name) =>
    forNumbers(name, sync),
  ),
  form('status [NAME]', 'show the state of the numbers, and the templates of their accounts', {}, (_, name) =>
    forNumbers(name, status),
  ),
  form('resume [NAME]', 'resume a paused number', {}, (_, name) => forNumbers(name, resume)),
  form('numbers', 'list the numbers, and the organisations that they are assigned to', {}, listOwners),
  form(
    'assign DIGITS ORGANISATION',
    'assign a number: the organisation sends from it, and receives what people send to it',
    {},
    (_, digits = '', organisation = '') => assign(digits, organisation),
  ),
  form('unassign DIGITS', 'take a number from its organisation', {}, (_, digits = '') => unassign(digits)),
]

/** The numbers of all accounts whose digits are configured. */
function configuredNumbers(config: Config): WhatsappSettings[] {
  return carriersOfKind(config.settings.carriers, 'whatsapp_cloud')
}

async function listOwners(): Promise<Result> {
  const listed = await withConfigured(async (db, config) => {
    const numbers = configuredNumbers(config)
    const owners = await findOwners(
      db,
      numbers.flatMap(({ digits }) => digits ?? []),
    )
    return Promise.all(
      numbers.map(async ({ name, account, digits, phone_number_id }) => {
        const owner = owners.find(({ number }) => number === digits)
        const organisation = owner && (await findOrganisation(db, owner.organisation_id))
        const { id = null, name: owner_name = null } = organisation ?? {}
        const is_shared = name === account
        return { digits: digits ?? null, carrier: name, phone_number_id, is_shared, organisation_id: id, owner_name }
      }),
    )
  })
  return rows(listed, {
    number: (one) => one.digits,
    carrier: (one) => one.carrier,
    id: (one) => one.phone_number_id,
    shared: (one) => (one.is_shared ? 'yes' : 'no'),
    organisation: (one) => one.organisation_id,
    name: (one) => one.owner_name,
  })
}

function requireNumber(config: Config, digits: string): void {
  if (configuredNumbers(config).some((one) => one.digits === digits)) return
  throw notFound(
    `There is no WhatsApp number with the digits ${digits} in the configuration; gangan whatsapp numbers lists them.`,
  )
}

async function assign(digits: string, organisation: string): Promise<Result> {
  const { sender_id } = await withConfigured(async (db, config) => {
    requireNumber(config, digits)
    const id = await whichOrganisation(db, organisation)
    if ((await findOrganisation(db, id))?.mode !== 'live') throw notFound(`${id} is a test organisation.`)
    return assignNumber({ db }, id, digits)
  })
  return done(`${sender_id} is assigned to ${organisation}.`, { digits: sender_id, organisation_id: organisation })
}

async function unassign(digits: string): Promise<Result> {
  const organisation_id = await withConfigured(async (db, config) => {
    requireNumber(config, digits)
    const [owner] = await findOwners(db, [digits])
    const sender = owner && (await findSenderByName(db, owner.organisation_id, digits))
    if (!sender) throw notFound(`${digits} is not assigned.`)
    await decideSender({ db }, owner.organisation_id, sender.id, { state: 'rejected', reason: UNASSIGNED })
    return owner.organisation_id
  })
  return done(`${digits} is not assigned any more.`, { digits, organisation_id })
}

const UNASSIGNED = 'The operator has unassigned the number.'

/** Of one number. */
type Work = (db: Db, settings: WhatsappSettings) => Promise<{ data: object; text: string }>

async function forNumbers(name: string | undefined, work: Work): Promise<Result> {
  return withConfigured(async (db, config) => {
    const numbers = configuredNumbers(config).filter((one) => name === undefined || one.name === name)
    if (numbers.length === 0) throw notFound('There is no such WhatsApp number in the configuration.')
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
    await transaction(db, (tx) => registerNumber(tx, settings))
    await syncNumber({ db, graph }, settings)
    if (settings.name !== settings.account) return { data: {}, text: 'read.\n' }
    const templates = await syncTemplates({ db, graph }, settings.account)
    return { data: { templates }, text: `${templates} templates.\n` }
  } catch (fault) {
    if (fault instanceof SyncFault) throw new OperatorFault(`${settings.name}: ${fault.message}`, 'unavailable')
    throw fault
  } finally {
    await graph.stop()
  }
}

const status: Work = async (db, { name, account, digits }) => {
  const [pauses, limits, numbers] = await Promise.all([listPauses(db), listLimits(db), listNumbers(db)])
  const pause = pauses.find(({ carrier }) => carrier === name)
  const known = numbers.find(({ carrier }) => carrier === name)
  const limit = limits.find((one) => one.account === account)
  const state = [
    pause ? `paused for ${Math.ceil(pause.for_s)} s (${pause.code}: ${pause.reason})` : 'working',
    ...(digits === undefined ? [] : [`number ${digits}`]),
    ...(known?.quality == null ? [] : [`quality ${known.quality.toLowerCase()}`]),
    ...(known?.status == null ? [] : [`${known.status.toLowerCase()} at Meta`]),
    ...(limit ? [`${limit.used} of ${limit.recipients} people written to first in 24 hours`] : []),
  ].join(', ')
  const paused = pause && { for_s: Math.ceil(pause.for_s), code: pause.code, reason: pause.reason }
  const data = {
    paused,
    ...present('digits', digits),
    quality: known?.quality?.toLowerCase() ?? null,
    limit: limit ? { recipients: limit.recipients, used: limit.used } : null,
  }
  if (name !== account) return { data, text: `${state}\n` }
  const templates = (await listKnownTemplates(db, account)).map((one) => ({
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
  return { data: { ...data, templates }, text: `${state}\n${lines}` }
}

const resume: Work = async (db, { name }) => {
  const resumed = await resumeCarrier(db, name)
  return { data: { resumed }, text: `${resumed ? 'resumed' : 'was not paused'}.\n` }
}
