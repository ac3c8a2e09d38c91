import type { Db } from '../../db/connect.ts'
import { findTemplate, type TemplateRow } from '../../templates/store.ts'
import { isId } from '../../values/id.ts'
import { present, isRecord } from '../../values/record.ts'
import type { CampaignBody } from '../schema.ts'

/** One of the requested texts of a campaign. */
export type Words = {
  content?: string
  /** Only if there is no such template, so that the check of the message reports it. */
  template_id?: string
  template?: TemplateRow
  /** Prefix of its field names in faults; empty for a single text. */
  place: string
}

/** Resolves templates, which take precedence over `content`, to their present version. */
export async function readWords(
  { db }: { db: Db },
  organisation_id: string,
  body: Partial<CampaignBody>,
): Promise<Words[]> {
  const given = Array.isArray(body.texts) && body.texts.length > 0 ? body.texts : undefined
  // A wrong type is reported by the shape check. Never spread it: a long string has an entry per character.
  const texts: { asked: Pick<CampaignBody, 'content' | 'template_id'>; place: string }[] = given?.map((one, n) => ({
    asked: isRecord(one) ? one : {},
    place: `texts[${n}]`,
  })) ?? [{ asked: body, place: '' }]
  return Promise.all(
    texts.map(async ({ asked: { content, template_id }, place }): Promise<Words> => {
      const template = isId(template_id) ? await findTemplate(db, organisation_id, template_id) : undefined
      if (template) return { content: template.content, template, place }
      return { ...present('content', content), ...present('template_id', template_id), place }
    }),
  )
}
