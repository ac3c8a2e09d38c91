import type { MetaTemplate, Template } from '../../../../clients/typescript/src/types.ts'
import { fillIn } from '../send/placeholders.ts'
import { cardsOf, draftOf, EMPTY, parametersOf, shownOf, type Card, type Shown } from './whatsapp.ts'

/** The template at Meta, which has what ours has not, such as buttons, with our values; else our own text. */
export function previewOf(
  { content, whatsapp, placeholders }: Template,
  at_meta: readonly MetaTemplate[],
  valueOf: (name: string) => string,
): { shown: Shown; cards: readonly Card[] } {
  const values = Object.fromEntries(
    placeholders.map(({ name, default: otherwise = '' }) => [name, valueOf(name) || otherwise]),
  )
  const known = whatsapp && languagesOf(whatsapp).flatMap((language) => approved(at_meta, whatsapp.name, language))[0]
  if (!whatsapp || !known) return { shown: { ...EMPTY, body: fillIn(content, values) }, cards: [] }
  const shown = shownOf(draftOf(known))
  const { parameters, parameter_names = parametersOf(shown.body), header } = whatsapp
  const samples = Object.fromEntries(parameter_names.map((name, n) => [name, values[parameters[n] ?? ''] ?? '']))
  const header_sample = fillIn(header?.text ?? '', values)
  const media_id = fillIn(header?.image?.id ?? '', values)
  const header_file = MEDIA_ID.test(media_id) ? media_id : ''
  return { shown: { ...shown, samples, header_sample, header_file }, cards: cardsOf(known) }
}

const MEDIA_ID = /^[0-9a-f-]{36}$/i

function languagesOf({ language, fallback_languages = [] }: NonNullable<Template['whatsapp']>): string[] {
  return [language, ...fallback_languages]
}

function approved(at_meta: readonly MetaTemplate[], name: string, language: string): MetaTemplate[] {
  return at_meta.filter((one) => one.name === name && one.language === language && one.status === 'approved')
}
