import { isRecord } from '../../values/record.ts'
import { at, shortText } from '../vendor-values.ts'

/** A template as Meta knows it. */
export type KnownTemplate = {
  name: string
  language: string
  category: string
  status: string
  components: unknown
  /** Meta's id; null until Meta has answered. */
  template_id: string | null
  reason: string | null
  quality: string | null
  previous_category: string | null
}

/** A text with parameters: their names in order, which are numbers unless the template names them. */
export type TextShape = { text: string; names: string[] }

/** Meta writes that there is no reason as NONE. */
export function reasonOf(given: unknown): string | null {
  const reason = shortText(given)
  return reason === undefined || reason.toUpperCase() === 'NONE' ? null : reason
}

export const MEDIA_FORMATS = ['image', 'video', 'document'] as const
export type MediaFormat = (typeof MEDIA_FORMATS)[number]

export type HeaderShape = ({ format: 'text' } & TextShape) | { format: MediaFormat | 'location' }

/** The value that a button takes; `otp` is the code of an authentication template, which its text takes, too. */
export type ButtonShape = { takes: 'url'; prefix: string } | { takes: 'payload' | 'code' | 'otp' | 'nothing' }

/** The parameters of a template, or of one card of its carousel. */
export type PartShape = { header: HeaderShape | undefined; body: TextShape; buttons: ButtonShape[] }

export type TemplateShape = PartShape & {
  cards: PartShape[]
  /** Its only value is a one-time password or another short code. */
  is_authentication: boolean
  /** Why it cannot be sent: it takes something that a message cannot have. */
  unfillable: string | undefined
}

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** Reads a template's parameters from the components that Meta describes it with. */
export function readShape({ category, components }: Pick<KnownTemplate, 'category' | 'components'>): TemplateShape {
  const is_authentication = category.toUpperCase() === 'AUTHENTICATION'
  const part = readPart(components)
  return {
    ...part,
    ...(is_authentication ? { body: { ...part.body, names: ['1'] } } : {}),
    cards: listOf(at(ofType(components, 'CAROUSEL'), 'cards')).map((card) => readPart(at(card, 'components'))),
    is_authentication,
    unfillable: unfillablePart(components),
  }
}

function readPart(components: unknown): PartShape {
  return {
    header: readHeader(ofType(components, 'HEADER')),
    body: readText(ofType(components, 'BODY')),
    buttons: listOf(at(ofType(components, 'BUTTONS'), 'buttons')).map(readButton),
  }
}

function readHeader(header: unknown): HeaderShape | undefined {
  if (header === undefined) return undefined
  const format = (shortText(at(header, 'format')) ?? 'TEXT').toLowerCase()
  if (format === 'location') return { format }
  const media = MEDIA_FORMATS.find((one) => one === format)
  return media ? { format: media } : { format: 'text', ...readText(header) }
}

/** Parameters are distinct: numbers in ascending order, names in order of appearance. */
function readText(component: unknown): TextShape {
  const given = at(component, 'text')
  const text = typeof given === 'string' ? given : ''
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))]
  return { text, names: isNumbered(names) ? names.sort((a, b) => Number(a) - Number(b)) : names }
}

export function isNumbered(names: readonly string[]): boolean {
  return names.every((name) => /^\d+$/.test(name))
}

/** Whether its parameters are numbered, rather than named: a template has either. */
export function isPositional({ header, body, cards }: Pick<TemplateShape, 'header' | 'body' | 'cards'>): boolean {
  const texts = [body, ...cards.map((card) => card.body), ...(header?.format === 'text' ? [header] : [])]
  return texts.every(({ names }) => isNumbered(names))
}

/** Meta lists the button of an authentication template as a URL. */
function readButton(button: unknown): ButtonShape {
  const type = typeOf(button)
  const given = at(button, 'url')
  const url = typeof given === 'string' ? given : ''
  if (type === 'OTP' || url.startsWith('https://www.whatsapp.com/otp/')) return { takes: 'otp' }
  if (type === 'URL' && url.search(PLACEHOLDER) >= 0) return { takes: 'url', prefix: url.split('{{')[0] ?? '' }
  if (type === 'QUICK_REPLY') return { takes: 'payload' }
  return { takes: type === 'COPY_CODE' ? 'code' : 'nothing' }
}

const KNOWN_PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL']
const KNOWN_HEADERS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']
const KNOWN_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'VOICE_CALL', 'COPY_CODE', 'OTP']

function unfillablePart(components: unknown): string | undefined {
  for (const component of listOf(components)) {
    const type = typeOf(component)
    if (!KNOWN_PARTS.includes(type)) return `a component of the type ${type.toLowerCase()} is not supported`
    const format = (shortText(at(component, 'format')) ?? 'TEXT').toUpperCase()
    if (type === 'HEADER' && !KNOWN_HEADERS.includes(format)) {
      return `a header of the format ${format.toLowerCase()} is not supported`
    }
    for (const button of listOf(at(component, 'buttons'))) {
      if (!KNOWN_BUTTONS.includes(typeOf(button))) {
        return `a button of the type ${typeOf(button).toLowerCase()} is not supported`
      }
    }
    for (const card of listOf(at(component, 'cards'))) {
      const fault = unfillablePart(at(card, 'components'))
      if (fault !== undefined) return fault
    }
  }
  return undefined
}

function ofType(components: unknown, type: string): unknown {
  return listOf(components).find((part) => typeOf(part) === type)
}

function typeOf(part: unknown): string {
  return (shortText(at(part, 'type')) ?? '').toUpperCase()
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
