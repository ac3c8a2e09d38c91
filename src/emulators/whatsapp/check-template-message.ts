import { isRecord } from '../../values/record.ts'
import { checkLocation, checkMedia } from './check-parts.ts'
import { CloudFault } from './errors.ts'
import type { MediaStore } from './media.ts'
import { listIn, objectIn, textIn, textOr, variablesIn, type Given } from './read.ts'
import { buttonsOf, cardsOf, componentOf, type CloudTemplate } from './templates.ts'

/** Meta: "Template Hydrated Text Too Long" (132005). */
const BODY = 1_024
const CARD_BODY = 160
const HEADER = 60
const PAYLOAD = 128
const COUPON = 15
/** The code of an authentication template. */
const CODE = 15
const URL_LENGTH = 2_000

/** Throws the error with which Meta rejects a message of type `template`. */
export function checkTemplateMessage(
  templates: readonly CloudTemplate[],
  media: Pick<MediaStore, 'kindOf'>,
  given: Given,
): void {
  const name = textIn(given, 'name', 512)
  const code = textIn(objectIn(given, 'language'), 'code', 20)
  const template = templates.find((one) => one.name === name && one.language === code)
  if (template?.status === 'PAUSED') throw new CloudFault(132015, `Template ${name} is paused.`)
  if (template?.status === 'DISABLED') throw new CloudFault(132016, `Template ${name} is disabled.`)
  if (template?.status !== 'APPROVED') {
    throw new CloudFault(132001, `template name (${name}) does not exist in ${code}`)
  }
  const parts = partsIn(given, ['header', 'body', 'button', 'carousel'])
  checkHeader(template, media, parts.get('header')?.[0])
  checkBody(template, parts.get('body')?.[0], BODY)
  checkButtons(template, parts.get('button') ?? [])
  checkCards(template, media, parts.get('carousel')?.[0])
}

/** The components of a message or of a card, by type. Of buttons there may be several. */
function partsIn(given: Given, types: readonly string[]): Map<string, Given[]> {
  const parts = new Map<string, Given[]>()
  for (const component of given.components === undefined ? [] : componentsIn(given)) {
    const type = textIn(component, 'type', 30).toLowerCase()
    if (!types.includes(type)) throw new CloudFault(132012, `Component ${type} is not a component of the template.`)
    if (type !== 'button' && parts.has(type)) throw new CloudFault(132012, 'A component is given twice.')
    parts.set(type, [...(parts.get(type) ?? []), component])
  }
  return parts
}

/** A message has all cards of the template, each with its own components. */
function checkCards(template: CloudTemplate, media: Pick<MediaStore, 'kindOf'>, given: Given | undefined): void {
  const cards = cardsOf(template)
  const list = given === undefined ? [] : listIn(given, 'cards', 10)
  if (list.length !== cards.length) throw countMismatch('carousel', list.length, cards.length)
  const by_index = new Map(list.map((card) => [Number(card.card_index), card]))
  for (const [index, card] of cards.entries()) {
    const own = by_index.get(index)
    if (!own) throw new CloudFault(132012, `Card ${index} is missing.`)
    const parts = partsIn(own, ['header', 'body', 'button'])
    checkHeader(card, media, parts.get('header')?.[0])
    checkBody(card, parts.get('body')?.[0], CARD_BODY)
    checkButtons(card, parts.get('button') ?? [])
  }
}

function componentsIn(given: Given): Given[] {
  if (Array.isArray(given.components) && given.components.length === 0) return []
  return listIn(given, 'components', 20)
}

function parametersOf(component: Given | undefined): Given[] {
  if (component === undefined || (Array.isArray(component.parameters) && component.parameters.length === 0)) return []
  return listIn(component, 'parameters', 200)
}

function checkHeader(template: CloudTemplate, media: Pick<MediaStore, 'kindOf'>, given: Given | undefined): void {
  const header = componentOf(template, 'HEADER')
  const format = header === undefined ? undefined : textOr(header, 'format', 'TEXT').toLowerCase()
  const parameters = parametersOf(given)
  if (format === undefined || format === 'text') {
    const text = typeof header?.text === 'string' ? header.text : ''
    checkTexts('header', template, text, parameters, HEADER)
    return
  }
  const [parameter] = parameters
  if (!parameter || parameters.length !== 1 || parameter.type !== format) {
    throw new CloudFault(132012, `header: Format mismatch, expected ${format}, received ${String(parameter?.type)}`)
  }
  const value = objectIn(parameter, format)
  if (format === 'location') checkLocation(value)
  else checkMedia(format, value, { media })
}

function checkBody(template: CloudTemplate, given: Given | undefined, most: number): void {
  const body = componentOf(template, 'BODY')
  const parameters = parametersOf(given)
  if (template.category !== 'AUTHENTICATION') {
    checkTexts('body', template, typeof body?.text === 'string' ? body.text : '', parameters, most)
    return
  }
  if (parameters.length !== 1) throw countMismatch('body', parameters.length, 1)
  checkText(parameters[0] ?? {}, CODE)
}

/** Texts for the variables of a component: as many as it has, by name if it has names, and not too long once filled in. */
function checkTexts(where: string, template: CloudTemplate, text: string, given: readonly Given[], most: number): void {
  const variables = variablesIn(text)
  if (given.length !== variables.length) throw countMismatch(where, given.length, variables.length)
  const named = variables.some((name) => !/^\d+$/.test(name))
  const values = new Map<string, string>()
  for (const [n, parameter] of given.entries()) {
    const value = checkText(parameter, 32_768)
    if (!named) {
      values.set(String(n + 1), value)
      continue
    }
    const name = textIn(parameter, 'parameter_name', 100)
    if (!variables.includes(name)) {
      throw new CloudFault(132012, `Parameter name ${name} is not in the ${where} of ${template.name}.`)
    }
    if (values.has(name)) throw new CloudFault(132012, `Parameter name ${name} is given twice.`)
    values.set(name, value)
  }
  const length = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => values.get(name) ?? '').length
  if (given.length > 0 && length > most) {
    throw new CloudFault(132005, `${where}: the translated text is too long: ${length} of ${most} characters.`)
  }
}

function checkText(parameter: Given, most: number): string {
  if (parameter.type !== 'text') {
    throw new CloudFault(132012, `Format mismatch, expected text, received ${String(parameter.type)}`)
  }
  const text = textIn(parameter, 'text', most)
  if (/[\n\r\t]| {5,}/.test(text)) {
    throw new CloudFault(132018, 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
  }
  return text
}

function countMismatch(where: string, given: number, expected: number): CloudFault {
  return new CloudFault(
    132000,
    `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  )
}

function checkButtons(template: CloudTemplate, given: readonly Given[]): void {
  const buttons = buttonsOf(template)
  const by_index = new Map<number, Given>()
  for (const one of given) {
    const index = Number(one.index)
    if (!Number.isInteger(index) || index < 0 || index > 9) throw new CloudFault(131009, 'Param index must be 0 to 9.')
    if (by_index.has(index)) throw new CloudFault(132012, `Button ${index} is given twice.`)
    if (index >= buttons.length) throw new CloudFault(132012, `There is no button at index ${index}.`)
    by_index.set(index, one)
  }
  for (const [index, button] of buttons.entries()) checkButton(button, by_index.get(index), index)
}

function checkButton(button: Given, given: Given | undefined, index: number): void {
  const type = String(button.type).toUpperCase()
  const is_code = type === 'OTP' || isCodeUrl(button)
  const takes_url = is_code || (type === 'URL' && variablesIn(String(button.url)).length > 0)
  const required = takes_url || type === 'COPY_CODE'
  if (!given) {
    if (required) throw new CloudFault(131008, `Button at index ${index} of type ${type} requires a parameter`)
    return
  }
  const sub_type = textIn(given, 'sub_type', 30).toLowerCase()
  const expected = takes_url ? 'url' : { QUICK_REPLY: 'quick_reply', COPY_CODE: 'copy_code' }[type]
  if (sub_type !== expected) throw new CloudFault(132012, `Button at index ${index} is not of the type ${sub_type}.`)
  const [parameter, ...more] = listIn(given, 'parameters', 10)
  if (!isRecord(parameter) || more.length > 0) throw countMismatch(`button ${index}`, 1 + more.length, 1)
  if (sub_type === 'url') {
    const text = checkText(parameter, is_code ? CODE : URL_LENGTH)
    const url = (textOr(button, 'url', '').split('{{')[0] ?? '') + text
    if (!is_code && (url.length > URL_LENGTH || /\s/.test(text))) {
      throw new CloudFault(131009, `The URL of the button at index ${index} is not valid.`)
    }
  } else if (sub_type === 'quick_reply') {
    if (parameter.type !== 'payload') throw new CloudFault(132012, 'Format mismatch, expected payload')
    textIn(parameter, 'payload', PAYLOAD)
  } else {
    if (parameter.type !== 'coupon_code') throw new CloudFault(132012, 'Format mismatch, expected coupon_code')
    textIn(parameter, 'coupon_code', COUPON)
  }
}

/** How the list of templates shows the button of an authentication template. */
function isCodeUrl(button: Given): boolean {
  return String(button.url).startsWith('https://www.whatsapp.com/otp/')
}
