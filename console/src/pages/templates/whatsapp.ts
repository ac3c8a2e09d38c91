import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'
import { typedAmount } from '../../ui/Money.tsx'

export const WHATSAPP = '/whatsapp/templates'

export type HeaderKind = 'none' | 'text' | 'location' | 'image' | 'video' | 'document'
/** `place` tells buttons apart while they are edited. */
export type Button = {
  place: number
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE'
  text: string
  value: string
  sample: string
}

/** What a phone shows, of a message or of one card of a carousel. */
export type Shown = {
  header: HeaderKind
  /** The text of the header, or the handle of a sample file that was submitted. */
  header_value: string
  /** The id of a new sample file, and its name. */
  header_file: string
  header_filename: string
  header_sample: string
  body: string
  /** Samples of the parameters of the body, by name. Meta reviews the template with them. */
  samples: Record<string, string>
  footer: string
  buttons: readonly Button[]
}

export type OtpType = 'COPY_CODE' | 'ONE_TAP' | 'ZERO_TAP'
/** An Android app that takes the code from the message. */
export type App = { place: number; package_name: string; signature_hash: string }

/** What an authentication template has instead: its text is Meta’s. */
export type Otp = {
  otp_type: OtpType
  button_text: string
  autofill_text: string
  has_advice: boolean
  expires_min: string
  apps: readonly App[]
  accepts_terms: boolean
}

/** What the form holds. */
export type Draft = Shown & { name: string; language: string; category: string; otp: Otp }

/** A part of the form. */
export type Part = { draft: Draft; change: (more: Partial<Draft>) => void }

export const EMPTY_APP = { package_name: '', signature_hash: '' }

const NOTHING_SHOWN: Shown = {
  header: 'none',
  header_value: '',
  header_file: '',
  header_filename: '',
  header_sample: '',
  body: '',
  samples: {},
  footer: '',
  buttons: [],
}

export const EMPTY: Draft = {
  ...NOTHING_SHOWN,
  name: '',
  language: 'en',
  category: 'utility',
  otp: {
    otp_type: 'COPY_CODE',
    button_text: '',
    autofill_text: '',
    has_advice: true,
    expires_min: '10',
    apps: [{ place: 0, ...EMPTY_APP }],
    accepts_terms: false,
  },
}

/** Adds one behind the others, with a place of its own. */
export function withAnother<T extends object>(all: readonly (T & { place: number })[], one: T) {
  return [...all, { ...one, place: Math.max(-1, ...all.map(({ place }) => place)) + 1 }]
}

export const CATEGORIES = [
  { value: 'utility', label: t('Utility||a category of templates') },
  { value: 'marketing', label: t('Marketing||a category of templates') },
  { value: 'authentication', label: t('Authentication||a category of templates') },
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
  { value: 'URL', label: t('Opens a URL') },
  { value: 'PHONE_NUMBER', label: t('Calls a number') },
  { value: 'COPY_CODE', label: t('Copies a code') },
]
export const OTP_TYPES: { value: OtpType; label: string }[] = [
  { value: 'COPY_CODE', label: t('Copies the code') },
  { value: 'ONE_TAP', label: t('Fills in the code in your Android app') },
  { value: 'ZERO_TAP', label: t('Fills in the code without a tap') },
]
/** Meta’s reasons why a template was rejected; others are shown as they came. */
export const REASONS: Record<string, string> = {
  ABUSIVE_CONTENT: t('The content violates Meta’s policies.'),
  INCORRECT_CATEGORY: t('The category does not match the content.'),
  INVALID_FORMAT: t('The format is invalid, such as a parameter without a sample.'),
  PROMOTIONAL: t('The content is promotional: use the category Marketing.'),
  SCAM: t('Meta considers it a scam.'),
  TAG_CONTENT_MISMATCH: t('The language or the category does not match the content.'),
}
export const QUALITIES: Record<string, string> = {
  green: t('High||quality of a template'),
  yellow: t('Medium||quality of a template'),
  red: t('Low||quality of a template'),
  unknown: '–',
}

export function labelOf(choices: readonly { value: string; label: string }[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value
}

/** The distinct parameters of a text, in order. */
export function parametersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = '']) => name.trim()))]
}

type Sent = Record<string, unknown>

/** As the API takes it. The header comes first, so that the fields of faults are known. */
export function componentsOf(draft: Draft): Sent[] {
  if (draft.category === 'authentication') return authenticationOf(draft.otp)
  const { header, header_value, header_file, header_sample, body, samples, footer, buttons } = draft
  const is_named = isNamed(draft)
  const of_header: Record<HeaderKind, Sent | undefined> = {
    none: undefined,
    location: { type: 'HEADER', format: 'LOCATION' },
    text: {
      type: 'HEADER',
      format: 'TEXT',
      text: header_value,
      ...exampleWith('header_text', header_value, () => header_sample, is_named),
    },
    image: mediaHeader('IMAGE', header_file, header_value),
    video: mediaHeader('VIDEO', header_file, header_value),
    document: mediaHeader('DOCUMENT', header_file, header_value),
  }
  return [
    ...(of_header[header] ? [of_header[header]] : []),
    { type: 'BODY', text: body, ...exampleWith('body_text', body, (name) => samples[name] ?? '', is_named) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(writeButton) }] : []),
  ]
}

/** Whether its parameters have names. A template has either names or numbers. */
export function isNamed({ header, header_value, body }: Pick<Draft, 'header' | 'header_value' | 'body'>): boolean {
  const names = [...(header === 'text' ? parametersOf(header_value) : []), ...parametersOf(body)]
  return names.some((name) => !/^\d+$/.test(name))
}

function exampleWith(field: string, text: string, sampleOf: (name: string) => string, is_named: boolean): Sent {
  const names = parametersOf(text)
  if (names.length === 0) return {}
  if (is_named) {
    const named = names.map((param_name) => ({ param_name, example: sampleOf(param_name) }))
    return { example: { [`${field}_named_params`]: named } }
  }
  const row = names.map(sampleOf)
  return { example: { [field]: field === 'body_text' ? [row] : row } }
}

function mediaHeader(format: string, header_media_id: string, handle: string): Sent {
  const of_handle = handle === '' ? {} : { header_handle: [handle] }
  return { type: 'HEADER', format, example: header_media_id === '' ? of_handle : { header_media_id } }
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

function authenticationOf({
  otp_type,
  button_text,
  autofill_text,
  has_advice,
  expires_min,
  apps,
  accepts_terms,
}: Otp): Sent[] {
  const button = {
    type: 'OTP',
    otp_type,
    ...(button_text === '' ? {} : { text: button_text }),
    ...(otp_type === 'COPY_CODE'
      ? {}
      : {
          ...(autofill_text === '' ? {} : { autofill_text }),
          supported_apps: apps.map(({ package_name, signature_hash }) => ({ package_name, signature_hash })),
        }),
    ...(otp_type === 'ZERO_TAP' ? { zero_tap_terms_accepted: accepts_terms } : {}),
  }
  return [
    { type: 'BODY', add_security_recommendation: has_advice },
    ...(expires_min.trim() === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: typedAmount(expires_min) }]),
    { type: 'BUTTONS', buttons: [button] },
  ]
}

/** What the phone shows of it. Meta writes the text of authentication templates, in the language of the template. */
export function shownOf(draft: Draft): Shown {
  if (draft.category !== 'authentication') return draft
  const { has_advice, expires_min, button_text } = draft.otp
  return {
    ...NOTHING_SHOWN,
    body: `*{{1}}* is your verification code.${has_advice ? ' For your security, do not share this code.' : ''}`,
    samples: { 1: '123456' },
    footer: expires_min.trim() === '' ? '' : `This code expires in ${expires_min} minutes.`,
    buttons: [{ place: 0, type: 'URL', text: button_text || 'Copy code', value: '', sample: '' }],
  }
}

/** The form of a template at Meta that has neither cards nor the code of an authentication template. */
export function draftOf({
  name,
  language,
  category,
  components,
}: Pick<MetaTemplate, 'name' | 'language' | 'category' | 'components'>): Draft {
  return { ...EMPTY, name, language, category, ...readShown(components) }
}

export type Card = Shown & { place: number }

/** The cards of a carousel. */
export function cardsOf({ components }: Pick<MetaTemplate, 'components'>): Card[] {
  const cards = listIn(ofType(components, 'CAROUSEL').cards)
  return cards.map((card, place) => ({ place, ...readShown(listIn(recordOf(card).components)) }))
}

function readShown(components: readonly unknown[]): Shown {
  const [header, body, footer, buttons] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map((type) =>
    ofType(components, type),
  )
  const [of_header, of_body] = [recordOf(header?.example), recordOf(body?.example)]
  const kind = HEADERS.find(({ value }) => value === textOf(header?.format).toLowerCase())?.value ?? 'none'
  const text = textOf(body?.text)
  const row = listIn(listIn(of_body.body_text)[0])
  const numbered = parametersOf(text).map((name, n) => [name, textOf(row[n])])
  return {
    header: kind,
    header_value: kind === 'text' ? textOf(header?.text) : handleIn(of_header),
    header_file: '',
    header_filename: '',
    header_sample: textOf(listIn(of_header.header_text)[0]) || firstOf(namedIn(of_header.header_text_named_params)),
    body: text,
    samples: { ...Object.fromEntries(numbered), ...namedIn(of_body.body_text_named_params) },
    footer: textOf(footer?.text),
    buttons: listIn(buttons?.buttons).flatMap(readButton),
  }
}

/** Meta lists a sample by an address, with which it cannot be submitted again. */
function handleIn({ header_handle }: Sent): string {
  const handle = textOf(listIn(header_handle)[0])
  return handle.startsWith('http') ? '' : handle
}

function ofType(components: readonly unknown[], type: string): Sent {
  return components.map(recordOf).find((one) => String(one.type).toUpperCase() === type) ?? {}
}

function namedIn(params: unknown): Record<string, string> {
  return Object.fromEntries(
    listIn(params).map((one) => [textOf(recordOf(one).param_name), textOf(recordOf(one).example)]),
  )
}

function firstOf(samples: Record<string, string>): string {
  return Object.values(samples)[0] ?? ''
}

function readButton(given: unknown, place: number): Button[] {
  const button = recordOf(given)
  const type = BUTTONS.find(({ value }) => value === String(button.type).toUpperCase())?.value
  if (type === undefined) return []
  const [example] = listIn(button.example)
  const values = {
    QUICK_REPLY: '',
    URL: button.url,
    PHONE_NUMBER: button.phone_number,
    COPY_CODE: example ?? button.example,
  }
  return [{ place, type, text: textOf(button.text), value: textOf(values[type]), sample: textOf(example) }]
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
