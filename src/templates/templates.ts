import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId, newId } from '../values/id.ts'
import { paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { isBalanced } from '../values/placeholders.ts'
import { pickPresent } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { checkWhatsapp } from './check-whatsapp.ts'
import { placeholdersOf } from './placeholders.ts'
import type { Template, TemplateBody, TemplateChange, WhatsappTemplate } from './schema.ts'
import {
  addVersion,
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  partsOf,
  type TemplateRow,
} from './store.ts'

const MAX_TEMPLATES = 10_000

type Deps = { db: Db }

export async function createTemplate(
  { db }: Deps,
  organisation_id: string,
  body: Partial<TemplateBody>,
  shape_faults: readonly Fault[],
): Promise<Template> {
  const faults = [...shape_faults]
  checkWords(body, faults)
  checkWhatsapp(body.whatsapp, body.content, faults)
  if ((await countTemplates(db, organisation_id)) >= MAX_TEMPLATES) {
    faults.push({ field: 'templates', message: `At most ${MAX_TEMPLATES} templates.`, type: 'less_than_equal' })
  }
  refuseIfFaulty(faults)
  const id = newId()
  await insertTemplate(db, organisation_id, {
    id,
    name: body.name?.trim() ?? '',
    content: body.content ?? '',
    whatsapp: body.whatsapp ?? null,
  })
  return readTemplate({ db }, organisation_id, id)
}

export async function readTemplate(
  { db }: Deps,
  organisation_id: string,
  id: string,
  version?: number,
): Promise<Template> {
  return shown(await known(db, organisation_id, id, version))
}

export async function findTemplates(
  { db }: Deps,
  organisation_id: string,
  query: PageQuery,
): Promise<{ templates: Template[]; pagination: Pagination }> {
  const page = readPage(query)
  const found = await listTemplates(db, organisation_id, { ...page, limit: page.limit + 1 })
  const { rows, pagination } = paginate(page, found, await countTemplates(db, organisation_id))
  return { templates: rows.map(shown), pagination }
}

/** Creates a new version, unless nothing changes: repeating a request is safe. */
export async function changeTemplate(
  { db }: Deps,
  organisation_id: string,
  id: string,
  body: TemplateChange,
  shape_faults: readonly Fault[],
): Promise<Template> {
  await known(db, organisation_id, id)
  const faults = [...shape_faults]
  checkWords(body, faults)
  refuseIfFaulty(faults)
  return transaction(db, async (tx) => {
    await lockTemplate(tx, organisation_id, id)
    const before = await known(tx, organisation_id, id)
    const { name, content } = { name: body.name?.trim() ?? before.name, content: body.content ?? before.content }
    const whatsapp = body.whatsapp === undefined ? before.whatsapp : body.whatsapp
    checkWhatsapp(whatsapp, content, faults)
    refuseIfFaulty(faults)
    if (name === before.name && content === before.content && sameWhatsapp(whatsapp, before.whatsapp)) {
      return shown(before)
    }
    await addVersion(tx, organisation_id, { id, name, content, whatsapp })
    return shown(await known(tx, organisation_id, id))
  })
}

export async function removeTemplate({ db }: Deps, organisation_id: string, id: string): Promise<void> {
  if (!isId(id) || !(await deleteTemplate(db, organisation_id, id))) throw unknownTemplate()
}

function checkWords({ name, content }: { name?: unknown; content?: unknown }, faults: Fault[]): void {
  for (const [field, given] of Object.entries({ name, content })) {
    if (typeof given !== 'string' || given === '') continue // absent, or reported by the shape check
    if (given.trim() === '') faults.push({ field, message: 'This is blank.', type: 'string_too_short' })
    if (given.includes('\u0000')) faults.push({ field, message: 'This holds a NUL character.', type: 'invalid' })
  }
  if (typeof content === 'string' && !isBalanced(content)) {
    const message = 'A placeholder is not closed: {{name}} has two braces before and two behind.'
    faults.push({ field: 'content', message, type: 'invalid' })
  }
}

function sameWhatsapp(a: WhatsappTemplate | null, b: WhatsappTemplate | null): boolean {
  const fieldsOf = (one: WhatsappTemplate | null): unknown =>
    one && [one.name, one.language, one.parameters, partsOf(one)]
  return isDeepStrictEqual(fieldsOf(a), fieldsOf(b))
}

async function known(sql: Db | Tx, organisation_id: string, id: string, version?: number): Promise<TemplateRow> {
  const row = isId(id) ? await findTemplate(sql, organisation_id, id, version) : undefined
  if (!row) throw unknownTemplate()
  return row
}

function unknownTemplate(): Refusal {
  return new Refusal('not_found', 'There is no such template.')
}

function shown(row: TemplateRow): Template {
  return {
    ...pickPresent(row, 'id', 'version', 'name', 'content'),
    placeholders: placeholdersOf(row),
    ...pickPresent(row, 'whatsapp', 'created_datetime', 'updated_datetime'),
  }
}
