import type { Db } from '../../db/connect.ts'
import { findTemplate, type TemplateRow } from '../../templates/store.ts'
import { isId } from '../../values/id.ts'
import { present, isRecord } from '../../values/record.ts'
import type { CampaignBody } from '../schema.ts'

/** One of the texts of a campaign, as it was asked for. */
export type Words = {
  content?: string
  /** Only where there is no such template, so that this is told as with every message. */
  template_id?: string
  template?: TemplateRow
  /** Before the names of its fields in faults; nothing where it is the only one. */
  place: string
}

/** The template wins over the content; what it says now is what is sent, whatever becomes of it. */
export async function readWords(
  { db }: { db: Db },
  organisation_id: string,
  body: Partial<CampaignBody>,
): Promise<Words[]> {
  const given = Array.isArray(body.texts) && body.texts.length > 0 ? body.texts : undefined
  // What is no text is told as that. Never copied with all it has: of a long string that is every character.
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
