import { distinctPlaceholders, readPattern, type Placeholder } from '../values/placeholders.ts'
import type { WhatsappHeader, WhatsappTemplate } from './schema.ts'

/** The distinct placeholders of a template's text and of the values of its WhatsApp template. */
export function placeholdersOf(template: {
  content: string
  whatsapp?: WhatsappTemplate | null | undefined
}): Placeholder[] {
  const texts = [template.content, ...(template.whatsapp ? valuesOf(template.whatsapp).map(({ text }) => text) : [])]
  const placeholders = texts.flatMap((text) => readPattern(text).placeholders)
  return distinctPlaceholders({ literals: [], placeholders })
}

/** A value of a WhatsApp template, with placeholders, and its field name. */
export type TemplateValue = { field: string; text: string }

/** The values of header, buttons and cards. */
export function valuesOf({ header, buttons = [], cards = [] }: WhatsappTemplate): TemplateValue[] {
  const part = (place: string, one: Pick<WhatsappTemplate, 'header' | 'buttons'>): TemplateValue[] => [
    ...headerValues(`${place}header`, one.header),
    ...(one.buttons ?? []).flatMap(({ index: _index, ...values }, n) => fieldsOf(`${place}buttons[${n}]`, values)),
  ]
  return [
    ...part('whatsapp.', { ...(header ? { header } : {}), buttons }),
    ...cards.flatMap((card, n) => [
      ...part(`whatsapp.cards[${n}].`, card),
      ...(card.texts ?? []).map((text, k) => ({ field: `whatsapp.cards[${n}].texts[${k}]`, text })),
    ]),
  ]
}

function headerValues(place: string, { text, ...media }: WhatsappHeader = {}): TemplateValue[] {
  return [
    ...fieldsOf(place, { text }),
    ...Object.entries(media).flatMap(([format, values]) => fieldsOf(`${place}.${format}`, values)),
  ]
}

function fieldsOf(place: string, values: Record<string, string | undefined>): TemplateValue[] {
  return Object.entries(values).flatMap(([key, text]) =>
    text === undefined ? [] : [{ field: `${place}.${key}`, text }],
  )
}
