import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/connect.ts'
import type { HttpAnswer } from '../../values/http/client.ts'
import { isRecord, present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { at, shortText } from '../vendor-values.ts'
import { checkTemplate } from './check-template.ts'
import { makeGraph, type Graph, type OutgoingFile } from './graph.ts'
import { checkSampleFiles, uploadSampleFiles, withHandles } from './sample-files.ts'
import type { WhatsappSettings } from './schema.ts'
import {
  findOwnTemplate,
  forgetTemplate,
  listOwnTemplates,
  noteEdited,
  noteSubmitted,
  readClock,
  releaseTemplate,
  reserveTemplate,
  SUBMITTING,
  type OwnedTemplate,
} from './template-store.ts'
import type { Component, MetaTemplate, MetaTemplateBody, MetaTemplateChange } from './template-schema.ts'
import { isPositional, readShape } from './templates.ts'

/** Creates, edits and deletes templates at Meta, which reviews them. */
export type TemplateManager = {
  list(owner: Owner): Promise<MetaTemplate[]>
  read(owner: Owner, id: string): Promise<MetaTemplate>
  create(owner: Owner, body: Partial<MetaTemplateBody>, shape_faults: readonly Fault[]): Promise<MetaTemplate>
  change(
    owner: Owner,
    id: string,
    body: Partial<MetaTemplateChange>,
    shape_faults: readonly Fault[],
  ): Promise<MetaTemplate>
  remove(owner: Owner, id: string): Promise<void>
  /** Uses these numbers from now on. */
  reload(numbers: readonly WhatsappSettings[]): void
  stop(): Promise<void>
}

type Owner = { organisation_id: string; mode: 'live' | 'test' }

type Deps = {
  db: Db
  /** Whether there is no other organisation: then templates that were not created here are its own. */
  isOnly: (organisation_id: string) => Promise<boolean>
}

/** `numbers` are the first ones of the accounts that messages are sent from: new templates belong to the first account. */
export function makeTemplateManager({ db, isOnly }: Deps, numbers: readonly WhatsappSettings[]): TemplateManager {
  let accounts = new Map<string, Account>()
  let carriers: string[] = []
  const replaced = new Set<Graph>()
  useNumbers(numbers)

  /** A call that is in progress may end: connections that are replaced are closed once none can be. */
  function useNumbers(next: readonly WhatsappSettings[]): void {
    const before = accounts
    accounts = new Map(next.map((settings) => [settings.name, accountOf(settings, before.get(settings.name))]))
    carriers = [...accounts.keys()]
    for (const [name, { graph, settings }] of before) {
      if (accounts.get(name)?.graph === graph) continue
      replaced.add(graph)
      setTimeout(() => {
        replaced.delete(graph)
        void graph.stop()
      }, settings.timeout_ms).unref()
    }
  }

  function graphOf(carrier: string | undefined): Graph {
    const graph = accounts.get(carrier ?? '')?.graph
    if (!graph) throw new Refusal('conflict', 'No WhatsApp number is connected: ask the operator for one.')
    return graph
  }

  async function find(organisation_id: string, id: string): Promise<OwnedTemplate> {
    const found = /^\d{1,30}$/.test(id) ? await findOwnTemplate(db, organisation_id, carriers, id) : undefined
    if (!found) throw new Refusal('not_found', 'There is no such WhatsApp template.')
    return found
  }

  async function findOwned({ organisation_id, mode }: Owner, id: string): Promise<OwnedTemplate> {
    const found = await find(organisation_id, id)
    refuseTest(mode)
    if (await isOwn(organisation_id, found)) return found
    throw new Refusal(
      'forbidden',
      'Only the operator may change this template: it was not created by your organisation.',
    )
  }

  async function isOwn(organisation_id: string, { owner_id }: OwnedTemplate): Promise<boolean> {
    return owner_id === organisation_id || (owner_id === null && (await isOnly(organisation_id)))
  }

  /** The components as they are submitted: files that are samples are uploaded first. */
  async function withSamples(graph: Graph, organisation_id: string, components: readonly Component[]) {
    const deps = { db, uploadSample: (file: OutgoingFile) => graph.uploadSample(file) }
    const uploaded = await uploadSampleFiles(deps, organisation_id, components)
    if (uploaded.kind === 'uploaded') return withHandles(components, uploaded.handles)
    const { field } = uploaded
    const message = 'There is no such file.'
    if (uploaded.kind === 'gone') throw new Refusal('invalid_request', message, [{ field, message, type: 'not_found' }])
    const { refusal, is_certain } = readAnswer(uploaded.answer, field)
    throw refusal && is_certain ? refusal : notUploaded()
  }

  async function read({ organisation_id }: Owner, id: string): Promise<MetaTemplate> {
    const found = await find(organisation_id, id)
    return shown(found, await isOwn(organisation_id, found))
  }

  return {
    async list({ organisation_id }) {
      const found = await listOwnTemplates(db, organisation_id, carriers)
      const is_only = await isOnly(organisation_id)
      return found
        .filter(({ template_id }) => template_id !== null)
        .map((one) => shown(one, one.owner_id === organisation_id || (one.owner_id === null && is_only)))
    },

    read,

    async create(owner, body, shape_faults) {
      const { organisation_id, mode } = owner
      const faults = [...shape_faults]
      const { name = '', language = '', category = '', components = [] } = body
      if (faults.length === 0) checkTemplate({ ...body, name, language, category, components }, faults)
      if (faults.length === 0) await checkSampleFiles(db, organisation_id, components, faults)
      refuseIfFaulty(faults)
      refuseTest(mode)
      const [carrier = ''] = carriers
      const graph = graphOf(carrier)
      const sampled = await withSamples(graph, organisation_id, components)
      const submitted = submittedTemplate({ ...body, name, language, category, components: sampled })
      const template = { carrier, name, language, category: submitted.category, components: submitted.components }
      if (!(await reserveTemplate(db, organisation_id, template))) {
        throw new Refusal(
          'conflict',
          'There is a template with this name in this language already, or it is being submitted.',
        )
      }
      const created = readAnswer(await graph.createTemplate(submitted))
      const template_id = shortText(at(created.json, 'id'))
      if (created.refusal && created.is_certain) await releaseTemplate(db, template)
      if (created.refusal) throw created.refusal
      if (template_id === undefined) throw unclear()
      const status = shortText(at(created.json, 'status')) ?? 'PENDING'
      const given = shortText(at(created.json, 'category')) ?? category
      await noteSubmitted(db, template, { template_id, status, category: given })
      return read(owner, template_id)
    },

    async change(owner, id, body, shape_faults) {
      const known = await findOwned(owner, id)
      refuseIfFaulty(shape_faults)
      const faults: Fault[] = []
      const { category = known.category, components = [] } = body
      const parameter_format = isPositional(readShape({ category, components })) ? 'positional' : 'named'
      const changed = { name: known.name, language: known.language, category, parameter_format, components }
      checkTemplate(changed, faults)
      if (faults.length === 0) await checkSampleFiles(db, owner.organisation_id, components, faults)
      refuseIfFaulty(faults)
      const graph = graphOf(known.carrier)
      const change = {
        ...(body.category === undefined ? {} : { category: category.toUpperCase() }),
        components: normalised(await withSamples(graph, owner.organisation_id, components)),
      }
      const began = await readClock(db)
      const { refusal } = readAnswer(await graph.editTemplate(id, change))
      if (refusal) throw refusal
      await noteEdited(db, id, { category, components: change.components }, began)
      return read(owner, id)
    },

    async remove(owner, id) {
      const known = await findOwned(owner, id)
      const { refusal } = readAnswer(await graphOf(known.carrier).deleteTemplate(known.name, id))
      if (refusal) throw refusal
      await forgetTemplate(db, id)
    },

    reload: useNumbers,

    async stop() {
      const running = [...replaced, ...[...accounts.values()].map(({ graph }) => graph)]
      await Promise.all(running.map((graph) => graph.stop()))
    },
  }
}

type Account = { settings: WhatsappSettings; graph: Graph }

function accountOf(settings: WhatsappSettings, before: Account | undefined): Account {
  return before && isDeepStrictEqual(before.settings, settings) ? before : { settings, graph: makeGraph(settings) }
}

function refuseTest(mode: Owner['mode']): void {
  if (mode === 'test') throw new Refusal('forbidden', 'In test mode nothing is changed at Meta.')
}

/** A template as it is submitted. */
export function submittedTemplate(body: MetaTemplateBody): MetaTemplateBody {
  const { name, language, category, parameter_format, components } = body
  return {
    name,
    language,
    category: category.toUpperCase(),
    ...present('parameter_format', parameter_format?.toUpperCase()),
    components: normalised(components),
  }
}

/** Meta writes types and formats in upper case. */
function normalised<T extends Pick<Component, 'type' | 'format' | 'buttons'> & { cards?: Component['cards'] }>(
  components: readonly T[],
): T[] {
  return components.map((component) => ({
    ...component,
    type: component.type.toUpperCase(),
    ...present('format', component.format?.toUpperCase()),
    ...present(
      'buttons',
      component.buttons?.map((button) => ({
        ...button,
        type: button.type.toUpperCase(),
        ...present('otp_type', button.otp_type?.toUpperCase()),
      })),
    ),
    ...present(
      'cards',
      component.cards?.map((card) => ({ components: normalised(card.components) })),
    ),
  }))
}

type Read = { json: unknown; refusal?: Refusal; is_certain?: boolean }

/** Meta's answer, or why it is none. `is_certain`: Meta has done nothing. */
function readAnswer(answer: HttpAnswer, field = 'components'): Read {
  if (answer.kind === 'unreached') return { json: undefined, refusal: unreachable(), is_certain: true }
  if (answer.kind === 'lost') return { json: undefined, refusal: unclear(), is_certain: false }
  const { status, json } = answer
  if (status >= 200 && status < 300) return { json }
  const error = at(json, 'error')
  const words =
    shortText(at(error, 'error_user_msg')) ??
    shortText(at(error, 'error_data', 'details')) ??
    shortText(at(error, 'message'))
  if (status >= 500 || words === undefined) return { json, refusal: unclear(), is_certain: false }
  if (status === 401 || status === 403 || status === 429) {
    return {
      json,
      refusal: new Refusal('unavailable', `Meta does not accept it now: ${words}`, [], RETRY_AFTER_S),
      is_certain: true,
    }
  }
  const fault = { field, message: `Meta refuses it: ${words}`, type: 'invalid' as const }
  return { json, refusal: new Refusal('invalid_request', fault.message, [fault]), is_certain: true }
}

const RETRY_AFTER_S = 60

function unreachable(): Refusal {
  return new Refusal('unavailable', 'Meta cannot be reached; nothing was changed.', [], RETRY_AFTER_S)
}

function notUploaded(): Refusal {
  const message = 'A sample file could not be uploaded to Meta; nothing was submitted.'
  return new Refusal('unavailable', message, [], RETRY_AFTER_S)
}

function unclear(): Refusal {
  const message = 'Meta gave no clear answer: the list of templates shows in a while whether it was changed.'
  return new Refusal('unavailable', message, [], RETRY_AFTER_S)
}

function shown(row: OwnedTemplate, is_own: boolean): MetaTemplate {
  const { template_id, name, language, category, status, reason, quality, previous_category, components } = row
  return {
    id: template_id ?? '',
    name,
    language,
    category: category.toLowerCase(),
    ...present('previous_category', previous_category?.toLowerCase()),
    status: status === SUBMITTING ? 'pending' : status.toLowerCase(),
    ...present('reason', reason),
    ...present('quality', quality?.toLowerCase()),
    components: Array.isArray(components) ? components.filter(isRecord) : [],
    is_own,
    updated_datetime: row.updated_datetime,
  }
}
