import type { OutgoingTemplate } from '../../carriers/message-carrier.ts'
import {
  isNumbered,
  type ButtonShape,
  type PartShape,
  type TemplateShape,
  type TextShape,
} from '../../carriers/whatsapp/templates.ts'
import type { WhatsappButton, WhatsappCard, WhatsappHeader, WhatsappTemplate } from '../../templates/schema.ts'
import { keysOf } from '../../values/record.ts'
import {
  FILENAME,
  LATITUDE,
  LINK,
  LONGITUDE,
  MEDIA_ID,
  COUPON,
  OTP,
  PARAMETER,
  PAYLOAD,
  PLACE_NAME,
  urlEnd,
  type ValueFault,
  type ValueKind,
} from './whatsapp-values.ts'

/** Meta's limits of texts once their values are filled in. */
const MAX_BODY = 1_024
const MAX_HEADER = 60
const MAX_CARD_BODY = 160

/** Fills the placeholders of a value for a recipient and reports what is wrong with the result. */
export type Fill = (field: string, value: string, kind: ValueKind) => string
/** Reports a fault of a whole text. */
export type Report = (field: string, fault: ValueFault) => void

/** Why a template at Meta does not take the values of ours: a sentence for each field. */
export function findMismatches(shape: TemplateShape, whatsapp: WhatsappTemplate): string[] {
  const { parameters, parameter_names, cards = [] } = whatsapp
  const { names } = shape.body
  const sentences = partMismatches('whatsapp', shape, whatsapp)
  if (names.length !== parameters.length) {
    sentences.unshift(`whatsapp.parameters: it takes ${names.length} values, but ${parameters.length} were given`)
  } else if (parameter_names && !names.every((name) => parameter_names.includes(name))) {
    sentences.unshift(`whatsapp.parameter_names: its parameters are ${names.join(', ')}`)
  }
  if (cards.length !== shape.cards.length) {
    sentences.push(`whatsapp.cards: it has ${shape.cards.length} cards, but ${cards.length} were given`)
    return sentences
  }
  for (const [n, card] of shape.cards.entries()) {
    const own = cards[n] ?? {}
    const place = `whatsapp.cards[${n}]`
    const given = own.texts?.length ?? 0
    if (card.body.names.length !== given) {
      sentences.push(`${place}.texts: it takes ${card.body.names.length} values, but ${given} were given`)
    }
    sentences.push(...partMismatches(place, card, own))
  }
  return sentences
}

/** A template as far as its values describe it: for carriers that have no templates, such as the simulator. */
export function shapeOf({ parameters, parameter_names, cards = [], ...part }: WhatsappTemplate): TemplateShape {
  const names = parameters.map((_, n) => parameter_names?.[n] ?? String(n + 1))
  return {
    ...partOf(part, names),
    cards: cards.map((card) => partOf(card, card.texts?.map((_, n) => String(n + 1)) ?? [])),
    is_authentication: false,
    unfillable: undefined,
  }
}

function partOf({ header, buttons = [] }: Given, names: string[]): PartShape {
  const [format] = keysOf(header ?? {})
  const by_index = new Map(buttons.map((button) => [button.index, button]))
  return {
    header: format === 'text' ? { format, text: '{{1}}', names: ['1'] } : format && { format },
    body: { text: '', names },
    buttons: Array.from({ length: Math.max(-1, ...by_index.keys()) + 1 }, (_, index) => {
      const { url, payload } = by_index.get(index) ?? {}
      if (url !== undefined) return { takes: 'url', prefix: '' }
      if (payload !== undefined) return { takes: 'payload' }
      return { takes: by_index.has(index) ? 'code' : 'nothing' }
    }),
  }
}

type Given = Pick<WhatsappTemplate, 'header' | 'buttons'>

function partMismatches(place: string, shape: PartShape, { header, buttons = [] }: Given): string[] {
  const sentences: string[] = []
  const wanted = headerValue(shape)
  const given = header && Object.keys(header)[0]
  if (wanted !== given) {
    const takes = wanted === undefined ? 'takes no value' : `takes a value of the type ${wanted}`
    sentences.push(
      `${place}.header: its header ${takes}, but ${given === undefined ? 'none' : `one of the type ${given}`} was given`,
    )
  }
  for (const [n, button] of buttons.entries()) {
    const field = FIELD_OF[shape.buttons[button.index]?.takes ?? 'nothing']
    if (field !== undefined && button[field] !== undefined) continue
    const takes = field === undefined ? 'takes no value' : `takes a ${field}`
    const one =
      button.index < shape.buttons.length ? `its button ${button.index} ${takes}` : `it has no button ${button.index}`
    sentences.push(`${place}.buttons[${n}]: ${one}`)
  }
  for (const [index, { takes }] of shape.buttons.entries()) {
    if ((takes !== 'url' && takes !== 'code') || buttons.some((button) => button.index === index)) continue
    sentences.push(`${place}.buttons: its button ${index} takes a ${takes}, but none was given`)
  }
  return sentences
}

function headerValue({ header }: PartShape): keyof WhatsappHeader | undefined {
  if (header?.format !== 'text') return header?.format
  return header.names.length > 0 ? 'text' : undefined
}

/** The field of ours that has the value of a button; a quick reply may go without one. */
const FIELD_OF: Record<ButtonShape['takes'], 'url' | 'payload' | 'code' | undefined> = {
  url: 'url',
  payload: 'payload',
  code: 'code',
  otp: undefined,
  nothing: undefined,
}

/**
 * Composes the template for one recipient, after `findMismatches` has found nothing. `parameters` are values with
 * placeholders here, as all others.
 */
export function composeTemplate(
  shape: TemplateShape,
  whatsapp: WhatsappTemplate & { language: string },
  fill: Fill,
  report: Report,
): OutgoingTemplate {
  const { name, language, parameters, parameter_names, cards = [] } = whatsapp
  const { names } = shape.body
  const kind = shape.is_authentication ? OTP : PARAMETER
  const values = names.map((one, n) => {
    const place = parameter_names ? parameter_names.indexOf(one) : n
    return fill(`whatsapp.parameters[${place}]`, parameters[place] ?? '', kind)
  })
  const report_body = report.bind(undefined, 'whatsapp.parameters')
  if (!shape.is_authentication) checkLength(shape.body, values, MAX_BODY, report_body)
  const components = [
    ...writeHeader('whatsapp', shape, whatsapp.header, fill, report),
    ...writeButtons('whatsapp', shape, whatsapp.buttons, fill),
    ...(cards.length > 0
      ? [{ type: 'carousel', cards: cards.map((card, n) => writeCard(n, shape.cards[n], card, fill, report)) }]
      : []),
  ]
  return {
    name,
    language,
    parameters: values,
    ...(isNumbered(names) ? {} : { parameter_names: names }),
    ...(shape.buttons[0]?.takes === 'otp' ? { button_parameters: values } : {}),
    ...(components.length > 0 ? { components } : {}),
  }
}

function writeCard(n: number, shape: PartShape | undefined, card: WhatsappCard, fill: Fill, report: Report): object {
  if (!shape) return {}
  const place = `whatsapp.cards[${n}]`
  const values = (card.texts ?? []).map((text, k) => fill(`${place}.texts[${k}]`, text, PARAMETER))
  checkLength(shape.body, values, MAX_CARD_BODY, (fault) => report(`${place}.texts`, fault))
  const body = values.length > 0 ? [{ type: 'body', parameters: writeTexts(shape.body, values) }] : []
  const header = writeHeader(place, shape, card.header, fill, report)
  return { card_index: n, components: [...header, ...body, ...writeButtons(place, shape, card.buttons, fill)] }
}

function writeHeader(
  place: string,
  { header: shape }: PartShape,
  given: WhatsappHeader | undefined,
  fill: Fill,
  report: Report,
): object[] {
  if (!given || !shape) return []
  if (shape.format === 'text') {
    const values = [fill(`${place}.header.text`, given.text ?? '', PARAMETER)]
    checkLength(shape, values, MAX_HEADER, (fault) => report(`${place}.header.text`, fault))
    return [{ type: 'header', parameters: writeTexts(shape, values) }]
  }
  const field = `${place}.header.${shape.format}`
  const values: Record<string, string | undefined> = given[shape.format] ?? {}
  const filled = Object.entries(values).map(([key, value = '']) => [
    key === 'id' ? 'media_id' : key,
    fill(`${field}.${key}`, value, HEADER_KINDS[key] ?? PLACE_NAME),
  ])
  return [{ type: 'header', parameters: [{ type: shape.format, [shape.format]: Object.fromEntries(filled) }] }]
}

const HEADER_KINDS: Record<string, ValueKind> = {
  id: MEDIA_ID,
  link: LINK,
  filename: FILENAME,
  latitude: LATITUDE,
  longitude: LONGITUDE,
}

function writeButtons(
  place: string,
  { buttons: shapes }: PartShape,
  given: readonly WhatsappButton[] = [],
  fill: Fill,
): object[] {
  return given.flatMap(({ index, url, payload, code }, n) => {
    const shape = shapes[index]
    const field = `${place}.buttons[${n}]`
    const write = (sub_type: string, parameter: object) => [
      { type: 'button', sub_type, index: String(index), parameters: [parameter] },
    ]
    if (url !== undefined) {
      const kind = urlEnd(shape?.takes === 'url' ? shape.prefix : '')
      return write('url', { type: 'text', text: fill(`${field}.url`, url, kind) })
    }
    if (payload !== undefined)
      return write('quick_reply', { type: 'payload', payload: fill(`${field}.payload`, payload, PAYLOAD) })
    return write('copy_code', { type: 'coupon_code', coupon_code: fill(`${field}.code`, code ?? '', COUPON) })
  })
}

function writeTexts({ names }: TextShape, values: readonly string[]): object[] {
  const named = !isNumbered(names)
  return values.map((text, n) => ({ type: 'text', ...(named ? { parameter_name: names[n] } : {}), text }))
}

/** Of the text with its values filled in. */
function checkLength(
  { text, names }: TextShape,
  values: readonly string[],
  most: number,
  report: (fault: ValueFault) => void,
): void {
  if (values.length === 0) return
  const of_name = new Map(names.map((name, n) => [name, values[n]?.length ?? 0]))
  let length = 0
  const literals = text.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    length += of_name.get(name.trim()) ?? 0
    return ''
  })
  length += literals.length
  if (length <= most) return
  report({ message: `the text would have ${length} characters, at most ${most} are possible`, type: 'string_too_long' })
}
