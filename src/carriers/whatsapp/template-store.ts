import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { MAX_LISTED } from './template-schema.ts'
import type { KnownTemplate } from './templates.ts'

/** The status of a template until Meta has answered. */
export const SUBMITTING = 'SUBMITTING'
/** Longer than a call to Meta may take. */
const SUBMISSION_S = 180

/** The database's time, before a list of templates is read: what changed since is newer than the list. */
export async function readClock(db: Db): Promise<string> {
  const [row] = await db<{ now: string }[]>`select now()`
  return row?.now ?? ''
}

/**
 * Replaces the templates of a number, except those that were created or changed since `began`, and those being submitted,
 * which Meta may create after it listed the others. Their owners stay.
 */
export async function replaceTemplates(
  tx: Tx,
  carrier: string,
  templates: readonly KnownTemplate[],
  began: string,
): Promise<void> {
  await tx`
    delete from whatsapp_templates
    where carrier = ${carrier} and updated_datetime < ${began}::timestamptz
      and not (status = ${SUBMITTING} and updated_datetime > now() - ${SUBMISSION_S} * interval '1 second')
      and not exists (
      select from ${rows(tx, templates, 'listed', { name: 'text', language: 'text' })}
      where listed.name = whatsapp_templates.name and listed.language = whatsapp_templates.language
    )`
  await tx`
    insert into whatsapp_templates as known
      (carrier, name, language, category, status, components, template_id, reason, quality, previous_category)
    select distinct on (name, language) ${carrier}, name, language, category, status, components::jsonb, template_id,
      reason, quality, previous_category
    from ${rows(tx, templates, 'template', {
      name: 'text',
      language: 'text',
      category: 'text',
      status: 'text',
      components: ['text', ({ components }) => JSON.stringify(components).replaceAll('\\u0000', '')],
      template_id: 'text',
      reason: 'text',
      quality: 'text',
      previous_category: 'text',
    })}
    order by name, language
    on conflict (carrier, name, language) do update
    set category = excluded.category, status = excluded.status, components = excluded.components,
      template_id = excluded.template_id, reason = excluded.reason, quality = excluded.quality,
      previous_category = coalesce(excluded.previous_category, known.previous_category), updated_datetime = now(),
      changed_datetime = case when known.components = excluded.components then known.changed_datetime else now() end
    where known.updated_datetime < ${began}::timestamptz
      and (known.category, known.status, known.components, known.template_id, known.reason, known.quality)
        is distinct from (excluded.category, excluded.status, excluded.components, excluded.template_id,
          excluded.reason, excluded.quality)`
}

/** A template that the organisation may send in these languages, in their order. */
export async function findKnownTemplates(
  db: Db,
  organisation_id: string,
  carrier: string,
  name: string,
  languages: readonly string[],
): Promise<KnownTemplate[]> {
  return db<KnownTemplate[]>`
    select ${templateColumns(db)} from whatsapp_templates
    where carrier = ${carrier} and name = ${name} and language = any (${languages}::text[]) and status <> ${DELETED}
      and coalesce(owner_id, ${organisation_id}) = ${organisation_id}
    order by array_position(${languages}::text[], language)`
}

/** What Meta says in a webhook of a template; undefined: nothing. */
export type TemplateNews = {
  carrier: string
  name: string
  language: string
  status?: string | undefined
  reason?: string | null | undefined
  quality?: string | undefined
  category?: string | undefined
}

/** Stores what changed; the next sync reads the rest. A template that is not known yet is read with it, too. */
export async function noteTemplateNews(db: Db, news: readonly TemplateNews[]): Promise<void> {
  for (const { carrier, name, language, status, reason, quality, category } of news) {
    await db`
      update whatsapp_templates
      set status = coalesce(upper(${status ?? null}::text), status),
        reason = case when ${reason !== undefined} then ${reason ?? null}::text else reason end,
        quality = coalesce(upper(${quality ?? null}::text), quality),
        previous_category = case when upper(${category ?? null}::text) <> category then category else previous_category end,
        category = coalesce(upper(${category ?? null}::text), category),
        updated_datetime = now()
      where carrier = ${carrier} and name = ${name} and language = ${language}`
  }
}

export async function listKnownTemplates(db: Db, carrier: string): Promise<KnownTemplate[]> {
  return db<KnownTemplate[]>`
    select ${templateColumns(db)} from whatsapp_templates
    where carrier = ${carrier} and status <> ${DELETED} order by name, language`
}

export type OwnedTemplate = KnownTemplate & { carrier: string; owner_id: string | null; updated_datetime: string }

/** The templates that an organisation may see: its own, and those that were not created by another one. */
export async function listOwnTemplates(
  db: Db,
  organisation_id: string,
  carriers: readonly string[],
): Promise<OwnedTemplate[]> {
  return db<OwnedTemplate[]>`
    select distinct on (name, language) ${templateColumns(db)}, carrier, owner_id, updated_datetime
    from whatsapp_templates
    where carrier = any (${carriers}::text[]) and status <> ${DELETED}
      and coalesce(owner_id, ${organisation_id}) = ${organisation_id}
    order by name, language, array_position(${carriers}::text[], carrier) limit ${MAX_LISTED}`
}

export async function findOwnTemplate(
  db: Db,
  organisation_id: string,
  carriers: readonly string[],
  template_id: string,
): Promise<OwnedTemplate | undefined> {
  const [row] = await db<OwnedTemplate[]>`
    select ${templateColumns(db)}, carrier, owner_id, updated_datetime from whatsapp_templates
    where carrier = any (${carriers}::text[]) and template_id = ${template_id} and status <> ${DELETED}
      and coalesce(owner_id, ${organisation_id}) = ${organisation_id}
    order by array_position(${carriers}::text[], carrier) limit 1`
  return row
}

/**
 * Reserves the name before the template is submitted, so that its owner is known whatever becomes of the call. False if
 * there is such a template; one whose submission was interrupted may be submitted again later.
 */
export async function reserveTemplate(
  db: Db,
  owner_id: string,
  template: Pick<OwnedTemplate, 'carrier' | 'name' | 'language' | 'category' | 'components'>,
): Promise<boolean> {
  const { carrier, name, language, category, components } = template
  const reserved = await db`
    insert into whatsapp_templates as known (carrier, name, language, category, status, components, owner_id)
    values (${carrier}, ${name}, ${language}, ${category}, ${SUBMITTING}, ${JSON.stringify(components)}::text::jsonb,
      ${owner_id})
    on conflict (carrier, name, language) do update
    set category = excluded.category, components = excluded.components, updated_datetime = now()
    where known.status = ${SUBMITTING} and known.owner_id = excluded.owner_id
      and known.updated_datetime < now() - ${SUBMISSION_S} * interval '1 second'`
  return reserved.count === 1
}

/** Stores Meta's answer to a submission, unless a webhook or a sync was faster. */
export async function noteSubmitted(
  db: Db,
  { carrier, name, language }: Pick<OwnedTemplate, 'carrier' | 'name' | 'language'>,
  answer: { template_id: string; status: string; category: string },
): Promise<void> {
  await db`
    update whatsapp_templates
    set template_id = ${answer.template_id},
      status = case when status = ${SUBMITTING} then upper(${answer.status}) else status end,
      category = upper(${answer.category}), updated_datetime = now()
    where carrier = ${carrier} and name = ${name} and language = ${language} and template_id is null`
}

export async function releaseTemplate(
  db: Db,
  { carrier, name, language }: Pick<OwnedTemplate, 'carrier' | 'name' | 'language'>,
): Promise<void> {
  await db`
    delete from whatsapp_templates
    where carrier = ${carrier} and name = ${name} and language = ${language} and status = ${SUBMITTING}`
}

/** After an edit that `began` then; it is reviewed anew. A webhook may have brought the result of the review already. */
export async function noteEdited(
  db: Db,
  template_id: string,
  { category, components }: { category: string; components: unknown },
  began: string,
): Promise<void> {
  await db`
    update whatsapp_templates
    set status = case when updated_datetime < ${began}::timestamptz then 'PENDING' else status end,
      reason = case when updated_datetime < ${began}::timestamptz then null else reason end,
      category = upper(${category}), components = ${JSON.stringify(components)}::text::jsonb,
      changed_datetime = now(), updated_datetime = now()
    where template_id = ${template_id}`
}

/** Meta's status of a template that is gone. */
const DELETED = 'DELETED'

/**
 * Marks a template as deleted. The row stays until a sync that began later no longer lists it: one that began before would
 * bring the template back, without its owner.
 */
export async function forgetTemplate(db: Db, template_id: string): Promise<void> {
  await db`
    update whatsapp_templates set status = ${DELETED}, updated_datetime = now() where template_id = ${template_id}`
}

/** The first of these templates whose components have changed since. */
export async function findChangedTemplate(
  sql: Db | Tx,
  organisation_id: string,
  names: readonly string[],
  since: string,
): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select name from whatsapp_templates
    where name = any (${names}::text[]) and changed_datetime >= ${since}::timestamptz
      and coalesce(owner_id, ${organisation_id}) = ${organisation_id}
    order by name limit 1`
  return row?.name
}

function templateColumns(db: Db) {
  return db`name, language, category, status, components, template_id, reason, quality, previous_category`
}
