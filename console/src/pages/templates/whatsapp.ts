import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'

export const WHATSAPP = '/whatsapp/templates'

export type HeaderKind = 'none' | 'text' | 'location' | 'image' | 'video' | 'document'
export type Button = {
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE'
  text: string
  value: string
  sample: string
}

/** What the form has of a template. Values of parameters are samples, which Meta reviews with it. */
export type Draft = {
  name: string
  language: string
  category: string
  header: HeaderKind
  /** The text of the header, or the handle of its sample file. */
  header_value: string
  header_sample: string
  body: string
  samples: string[]
  footer: string
  buttons: Button[]
}

export const EMPTY: Draft = {
  name: '',
  language: 'en',
  category: 'utility',
  header: 'none',
  header_value: '',
  header_sample: '',
  body: '',
  samples: [],
  footer: '',
  buttons: [],
}

export const CATEGORIES = [
  { value: 'utility', label: t('Utility||a category of templates') },
  { value: 'marketing', label: t('Marketing||a category of templates') },
]
export const HEADERS: { value: HeaderKind; label: string }[] = [
  { value: 'none', label: t('None||a header') },
  { value: 'text', label: t('Text') },
  { value: 'image', label: t('Image') },
  { value: 'video', label: t('Video') },
  { value: 'document', label: t('Document') },
  { value: 'location', label: t('Location') },
]
export const BUTTONS: { value: Button['type']; label: string }[] = [
  { value: 'QUICK_REPLY', label: t('Quick reply') },
  { value: 'URL', label: t('Opens an address') },
  { value: 'PHONE_NUMBER', label: t('Calls a number') },
  { value: 'COPY_CODE', label: t('Copies a code') },
]

/** The distinct parameters of a text, in order. */
export function parametersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = '']) => name.trim()))]
}

type Sent = Record<string, unknown>

/** As the API takes it. The header comes first, so that the fields of faults are known. */
export function componentsOf(draft: Draft): Sent[] {
  const { header, header_value, header_sample, body, samples, footer, buttons } = draft
  const names = parametersOf(body)
  const of_header: Record<HeaderKind, Sent | undefined> = {
    none: undefined,
    location: { type: 'HEADER', format: 'LOCATION' },
    text: {
      type: 'HEADER',
      format: 'TEXT',
      text: header_value,
      ...(parametersOf(header_value).length > 0 ? { example: { header_text: [header_sample] } } : {}),
    },
    image: mediaHeader('IMAGE', header_value),
    video: mediaHeader('VIDEO', header_value),
    document: mediaHeader('DOCUMENT', header_value),
  }
  return [
    ...(of_header[header] ? [of_header[header]] : []),
    {
      type: 'BODY',
      text: body,
      ...(names.length > 0 ? { example: { body_text: [names.map((_, n) => samples[n] ?? '')] } } : {}),
    },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(writeButton) }] : []),
  ]
}

function mediaHeader(format: string, handle: string): Sent {
  return { type: 'HEADER', format, example: { header_handle: [handle] } }
}

function writeButton({ type, text, value, sample }: Button): Sent {
  switch (type) {
    case 'QUICK_REPLY':
      return { type, text }
    case 'URL':
      return { type, text, url: value, ...(parametersOf(value).length > 0 ? { example: [sample] } : {}) }
    case 'PHONE_NUMBER':
      return { type, text, phone_number: value }
    case 'COPY_CODE':
      return { type, example: value }
  }
}

/** The form of a template at Meta. What the form does not have, such as cards, is left out: `isEditable` says so. */
export function draftOf({
  name,
  language,
  category,
  components,
}: Pick<MetaTemplate, 'name' | 'language' | 'category' | 'components'>): Draft {
  const of = (type: string): Sent => components.find((one) => String(one.type).toUpperCase() === type) ?? {}
  const [header, body, footer, buttons] = [of('HEADER'), of('BODY'), of('FOOTER'), of('BUTTONS')]
  const kind = HEADERS.find(({ value }) => value === textOf(header.format).toLowerCase())?.value ?? 'none'
  const rows = listIn(exampleOf(body).body_text)[0]
  return {
    ...EMPTY,
    name,
    language,
    category,
    header: kind,
    header_value: kind === 'text' ? textOf(header.text) : textOf(listIn(exampleOf(header).header_handle)[0]),
    header_sample: textOf(listIn(exampleOf(header).header_text)[0]),
    body: textOf(body.text),
    samples: listIn(rows).map(textOf),
    footer: textOf(footer.text),
    buttons: listIn(buttons.buttons).flatMap(readButton),
  }
}

export function isEditable({ category, components, is_own }: MetaTemplate): boolean {
  const has_cards = components.some((one) => String(one.type).toUpperCase() === 'CAROUSEL')
  return is_own && category !== 'authentication' && !has_cards
}

function readButton(given: unknown): Button[] {
  const button = recordOf(given)
  const type = BUTTONS.find(({ value }) => value === String(button.type).toUpperCase())?.value
  if (type === undefined) return []
  const value =
    type === 'URL'
      ? button.url
      : type === 'COPY_CODE'
        ? (listIn(button.example)[0] ?? button.example)
        : button.phone_number
  return [{ type, text: textOf(button.text), value: textOf(value), sample: textOf(listIn(button.example)[0]) }]
}

function exampleOf(component: Sent): Sent {
  return recordOf(component.example)
}

function recordOf(value: unknown): Sent {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
