import type { Db, Tx } from '../db/connect.ts'
import type { Query } from '../db/sql.ts'
import { isId } from '../values/id.ts'
import { pickPresent } from '../values/record.ts'
import type { WhatsappTemplate } from './schema.ts'

/** One version of a template. */
export type TemplateRow = {
  id: string
  version: number
  name: string
  content: string
  whatsapp: WhatsappTemplate | null
  created_datetime: string
  updated_datetime: string | null
}

type NewVersion = { id: string; name: string; content: string; whatsapp: WhatsappTemplate | null }

/** The given version, or the newest. */
export async function findTemplate(sql: Db | Tx, organisation_id: string, id: string, version?: number) {
  const [row] = await sql<TemplateRow[]>`
    select id, written.version, name, content, ${whatsappOf(sql, organisation_id)}, templates.created_datetime,
      case when written.version > 1 then written.created_datetime end as updated_datetime
    from templates
    join template_versions written
      on written.organisation_id = ${organisation_id} and written.template_id = id
      and written.version = coalesce(${version ?? null}::integer, templates.version)
    where templates.organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first, each in its newest version. */
export async function listTemplates(
  db: Db,
  organisation_id: string,
  page: { before?: string | undefined; skip: number; limit: number },
): Promise<TemplateRow[]> {
  return db<TemplateRow[]>`
    select id, written.version, name, content, ${whatsappOf(db, organisation_id)}, created_datetime, updated_datetime
    from (
      select id, version, created_datetime, updated_datetime from templates
      where organisation_id = ${organisation_id}
        ${page.before === undefined ? db`` : db`and id < ${page.before}`}
      order by id desc offset ${page.skip} limit ${page.limit}
    ) template
    cross join lateral (
      select template_id, version, name, content from template_versions
      where organisation_id = ${organisation_id} and template_id = template.id and version = template.version
      limit 1
    ) written
    order by id desc`
}

/** The present names of templates by id; invalid ids are ignored. */
export async function findTemplateNames(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from templates
    join template_versions written
      on written.organisation_id = ${organisation_id} and written.template_id = id and written.version = templates.version
    where templates.organisation_id = ${organisation_id} and id = any (${ids.filter(isId)}::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function countTemplates(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from templates where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

export function insertTemplate(db: Db, organisation_id: string, template: NewVersion): Promise<void> {
  const first = db`insert into templates (organisation_id, id) values (${organisation_id}, ${template.id})`
  return insertVersion(db, organisation_id, template, first)
}

/** Serializes changes of a template, so that its versions are consecutive. */
export async function lockTemplate(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`select 1 from templates where organisation_id = ${organisation_id} and id = ${id} for update`
}

export function addVersion(tx: Tx, organisation_id: string, template: NewVersion): Promise<void> {
  const next = tx`
    update templates set version = version + 1, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${template.id}`
  return insertVersion(tx, organisation_id, template, next)
}

/** Inserts the version that `write` gives the template, in one statement. */
async function insertVersion(
  sql: Db | Tx,
  organisation_id: string,
  { name, content, whatsapp }: NewVersion,
  write: Query,
): Promise<void> {
  await sql`
    with template as (${write} returning id, version),
    whatsapp as (
      insert into template_whatsapp (organisation_id, template_id, version, name, language, parameters, parts)
      select ${organisation_id}, id, version, ${whatsapp?.name ?? ''}, ${whatsapp?.language ?? ''},
        ${whatsapp?.parameters ?? []}::text[], ${JSON.stringify(whatsapp ? partsOf(whatsapp) : {})}::text::jsonb
      from template where ${whatsapp !== null}::boolean
    )
    insert into template_versions (organisation_id, template_id, version, name, content)
    select ${organisation_id}, id, version, ${name}, ${content} from template`
}

/** Deletes a template with all versions; messages keep their text. */
export async function deleteTemplate(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const gone = await db`
    with versions as (
      delete from template_versions where organisation_id = ${organisation_id} and template_id = ${id}
    ),
    whatsapp as (
      delete from template_whatsapp where organisation_id = ${organisation_id} and template_id = ${id}
    )
    delete from templates where organisation_id = ${organisation_id} and id = ${id}`
  return gone.count === 1
}

/** What is neither its name, its language nor the parameters of its text. */
export function partsOf(whatsapp: WhatsappTemplate) {
  return pickPresent(whatsapp, 'fallback_languages', 'parameter_names', 'header', 'buttons', 'cards')
}

function whatsappOf(sql: Db | Tx, organisation_id: string) {
  return sql`(
    select jsonb_build_object('name', own.name, 'language', own.language, 'parameters', own.parameters)
      || own.parts
    from template_whatsapp own
    where own.organisation_id = ${organisation_id} and own.template_id = written.template_id
      and own.version = written.version
  ) as whatsapp`
}
