import { checkStorableIn } from '../../values/input/storable.ts'
import type { Fault } from '../../values/refusal.ts'
import type { ButtonComponent, Component, MetaTemplateBody } from './template-schema.ts'

type Add = (field: string, message: string, type?: Fault['type']) => void
type Part = Omit<Component, 'cards'>

/** Meta's limits (docs/whatsapp.md). */
const MAX_HEADER = 60
const MAX_BODY = 1_024
const MAX_CARD_BODY = 160
const MAX_FOOTER = 60
const MAX_BUTTON = 25
const MAX_CARD_BUTTONS = 2
const MAX_COUPON = 15
const MAX_ALL_CHARACTERS = 32_768

/** Checks a template by Meta's rules, before it is submitted; its shape was checked. */
export function checkTemplate(template: MetaTemplateBody, faults: Fault[]): void {
  const add: Add = (field, message, type = 'invalid') => {
    faults.push({ field, message, type })
  }
  const { name, language, category, parameter_format = 'positional', components } = template
  if (!/^[a-z0-9_]+$/.test(name)) add('name', 'Only lowercase letters, digits and underscores.')
  if (!/^[a-z]{2,3}(_[A-Z]{2,4})?$/.test(language))
    add('language', 'This is not a language code such as `en` or `pt_BR`.')
  const kind = category.toUpperCase()
  if (!['AUTHENTICATION', 'MARKETING', 'UTILITY'].includes(kind)) {
    add('category', 'The category is `marketing`, `utility` or `authentication`.', 'enum')
  }
  const format = parameter_format.toUpperCase()
  if (format !== 'POSITIONAL' && format !== 'NAMED') {
    add('parameter_format', 'The format is `positional` or `named`.', 'enum')
  }
  const written = JSON.stringify(components)
  if (written.length > MAX_ALL_CHARACTERS) add('components', 'The components are too long.', 'string_too_long')
  checkStorableIn('components', components, add)
  checkPlacesOfFiles(components, add)
  const parts = partsOf('components', components, ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL'], add)
  const body = parts.get('BODY')
  if (!body) return add('components', 'A component of the type BODY is required.', 'missing')
  if (kind === 'AUTHENTICATION') return checkAuthentication(parts, add)
  const check = { is_named: format === 'NAMED', add }
  checkBody(body, MAX_BODY, check)
  const [header, footer, buttons, carousel] = ['HEADER', 'FOOTER', 'BUTTONS', 'CAROUSEL'].map((type) => parts.get(type))
  if (header) checkHeader(header, ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'], check)
  if (footer) checkFooter(footer, add)
  if (buttons) checkButtons(buttons, add)
  if (!carousel) return undefined
  if (kind !== 'MARKETING') add(carousel.place, 'Only marketing templates have a carousel.')
  if (header || footer || buttons) add(carousel.place, 'Besides a carousel there is only a body.')
  return checkCards(carousel, check)
}

/** A component with the name of its field. */
type Placed<P extends Part = Component> = { place: string; part: P }
type Check = { is_named: boolean; add: Add }

/** The components by type, each at most once. */
function partsOf<P extends Part>(
  place: string,
  all: readonly P[],
  types: readonly string[],
  add: Add,
): Map<string, Placed<P>> {
  const parts = new Map<string, Placed<P>>()
  for (const [n, part] of all.entries()) {
    const type = part.type.toUpperCase()
    const own = `${place}[${n}]`
    if (!types.includes(type)) add(`${own}.type`, `The type is one of ${types.join(', ')}.`, 'enum')
    else if (parts.has(type)) add(own, `There is another component of the type ${type}.`)
    else parts.set(type, { place: own, part })
  }
  return parts
}

function checkText({ place, part: { text = '' } }: Placed<Part>, most: number, add: Add): string {
  checkLength(`${place}.text`, text, most, add)
  return text
}

function checkLength(field: string, text: string | undefined, most: number, add: Add): void {
  if (text === undefined || text === '') add(field, 'This field is required.', 'missing')
  else if (text.length > most) add(field, `This is too long: at most ${most} characters.`, 'string_too_long')
}

function checkBody(body: Placed<Part>, most: number, { is_named, add }: Check): void {
  const text = checkText(body, most, add)
  const names = checkParameters(`${body.place}.text`, text, is_named, add)
  if (/^\s*\{\{[^{}]*\}\}/.test(text) || /\{\{[^{}]*\}\}\s*$/.test(text)) {
    add(`${body.place}.text`, 'A parameter stands neither at the start nor at the end.')
  }
  if (names.length === 0) return
  const { body_text, body_text_named_params } = body.part.example ?? {}
  if (is_named)
    return checkNamedSamples(`${body.place}.example.body_text_named_params`, body_text_named_params, names, add)
  checkSamples(`${body.place}.example.body_text`, body_text?.[0], names.length, add)
}

function checkSamples(field: string, samples: readonly string[] = [], count: number, add: Add): void {
  if (samples.length === count && samples.every((sample) => sample !== '')) return
  add(field, `A sample for each parameter is required: ${count}.`, samples.length === 0 ? 'missing' : 'invalid')
}

function checkNamedSamples(
  field: string,
  samples: readonly { param_name: string; example: string }[] = [],
  names: readonly string[],
  add: Add,
): void {
  const known = new Set(samples.filter(({ example }) => example !== '').map(({ param_name }) => param_name))
  if (samples.length === names.length && names.every((name) => known.has(name))) return
  add(
    field,
    `A sample for each parameter is required: ${names.join(', ')}.`,
    samples.length === 0 ? 'missing' : 'invalid',
  )
}

const PARAMETER = /\{\{([^{}]*)\}\}/g

/** The distinct parameters of a text, in order. */
function checkParameters(field: string, text: string, is_named: boolean, add: Add): string[] {
  if (/\{\{|\}\}/.test(text.replace(PARAMETER, ''))) add(field, 'A parameter is not closed: {{1}}.')
  const names = [...new Set([...text.matchAll(PARAMETER)].map(([, name = '']) => name.trim()))]
  if (is_named) {
    if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) {
      add(field, 'Names of parameters are lowercase letters, digits and underscores.')
    }
  } else if (names.some((name, n) => name !== String(n + 1))) {
    add(field, 'Parameters are numbered in order: {{1}}, {{2}}, …; or the parameter_format is `named`.')
  }
  return names
}

function checkHeader(header: Placed<Part>, formats: readonly string[], { is_named, add }: Check): void {
  const { place, part } = header
  const format = part.format?.toUpperCase() ?? ''
  if (!formats.includes(format)) return add(`${place}.format`, `The format is one of ${formats.join(', ')}.`, 'enum')
  if (format === 'LOCATION') return undefined
  const { header_text, header_text_named_params } = part.example ?? {}
  if (format !== 'TEXT') return checkSampleFile(header, add)
  const names = checkParameters(`${place}.text`, checkText(header, MAX_HEADER, add), is_named, add)
  if (names.length > 1) return add(`${place}.text`, 'A header has at most one parameter.')
  if (names.length === 0) return undefined
  if (is_named)
    return checkNamedSamples(`${place}.example.header_text_named_params`, header_text_named_params, names, add)
  return checkSamples(`${place}.example.header_text`, header_text, 1, add)
}

const WITH_FILE = ['IMAGE', 'VIDEO', 'DOCUMENT']

/** Only a header with a file has one as its sample. */
function checkPlacesOfFiles(components: readonly Component[], add: Add, within = ''): void {
  for (const [n, { type, format = '', example, cards = [] }] of components.entries()) {
    const place = `${within}components[${n}]`
    const takes_file = type.toUpperCase() === 'HEADER' && WITH_FILE.includes(format.toUpperCase())
    if (example?.header_media_id !== undefined && !takes_file) {
      add(`${place}.example.header_media_id`, 'Only a header with an image, a video or a document has a file.')
    }
    for (const [at, card] of cards.entries()) checkPlacesOfFiles(card.components, add, `${place}.cards[${at}].`)
  }
}

function checkSampleFile({ place, part: { example = {} } }: Placed<Part>, add: Add): void {
  const { header_media_id, header_handle } = example
  const field = `${place}.example.header_handle`
  if (header_media_id !== undefined) {
    if (header_handle) add(field, 'A sample is either a file or a handle.')
    return undefined
  }
  const [handle = '', ...more] = header_handle ?? []
  if (handle === '' || more.length > 0) {
    return add(`${place}.example.header_media_id`, 'One sample file is required.', 'missing')
  }
  if (URL_START.test(handle)) {
    add(field, 'This is an address. Name a file by its id in `header_media_id`, or by the handle of an upload.')
  }
  return undefined
}

/** Meta lists templates with the address of their sample, which it does not take as one. */
const URL_START = /^https?:/i

function checkFooter(footer: Placed<Part>, add: Add): void {
  const text = checkText(footer, MAX_FOOTER, add)
  if (text.search(PARAMETER) >= 0) add(`${footer.place}.text`, 'A footer has no parameters.')
}

/** How many buttons of a type a template may have. */
const MOST: Record<string, number> = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 }

function checkButtons({ place, part: { buttons = [] } }: Placed<Part>, add: Add): void {
  if (buttons.length === 0) return add(`${place}.buttons`, 'This field is required.', 'missing')
  const types = buttons.map(({ type }) => type.toUpperCase())
  for (const [type, most] of Object.entries(MOST)) {
    const count = types.filter((one) => one === type).length
    if (count > most)
      add(`${place}.buttons`, `There are at most ${most} buttons of the type ${type}.`, 'less_than_equal')
  }
  const changes = types.filter((type, n) => n > 0 && (type === 'QUICK_REPLY') !== (types[n - 1] === 'QUICK_REPLY'))
  if (changes.length > 1) add(`${place}.buttons`, 'Quick replies stand together.')
  for (const [n, button] of buttons.entries()) checkButton(`${place}.buttons[${n}]`, button, add)
  return undefined
}

function checkButton(place: string, button: ButtonComponent, add: Add): void {
  const type = button.type.toUpperCase()
  const { text, url = '', phone_number = '', example } = button
  if (!Object.hasOwn(MOST, type))
    return add(`${place}.type`, `The type is one of ${Object.keys(MOST).join(', ')}.`, 'enum')
  if (type === 'COPY_CODE') {
    return checkLength(`${place}.example`, typeof example === 'string' ? example : undefined, MAX_COUPON, add)
  }
  checkLength(`${place}.text`, text, MAX_BUTTON, add)
  if ((type === 'PHONE_NUMBER' && !/^\+?\d{5,20}$/.test(phone_number.slice(0, 21))) || phone_number.length > 20) {
    add(`${place}.phone_number`, 'This is not a phone number.', 'phone_invalid')
  }
  if (type !== 'URL') return undefined
  if (!/^https?:\/\/\S+$/.test(url)) add(`${place}.url`, 'This is not an http or https address.', 'url_parsing')
  const parameters = new Set([...url.matchAll(PARAMETER)].map(([, name = '']) => name.trim()))
  if (parameters.size === 0) return undefined
  if (parameters.size > 1 || !/\{\{[^{}]*\}\}$/.test(url)) {
    add(`${place}.url`, 'A URL has one parameter, at its end.')
  }
  return checkSamples(`${place}.example`, Array.isArray(example) ? example : undefined, 1, add)
}

/** Each card has an image or a video; all have the same components. */
function checkCards({ place, part: { cards = [] } }: Placed, { is_named, add }: Check): void {
  if (cards.length < 2) return add(`${place}.cards`, 'A carousel has at least two cards.', 'greater_than_equal')
  const forms = cards.map(({ components }, n) => {
    const own = `${place}.cards[${n}].components`
    const parts = partsOf(own, components, ['HEADER', 'BODY', 'BUTTONS'], add)
    const [header, body, buttons] = ['HEADER', 'BODY', 'BUTTONS'].map((type) => parts.get(type))
    if (header) checkHeader(header, ['IMAGE', 'VIDEO'], { is_named, add })
    else add(own, 'A component of the type HEADER is required.', 'missing')
    if (body) checkBody(body, MAX_CARD_BODY, { is_named, add })
    if (buttons) checkButtons(buttons, add)
    const list = buttons?.part.buttons ?? []
    if (buttons && list.length > MAX_CARD_BUTTONS) {
      add(`${buttons.place}.buttons`, `A card has at most ${MAX_CARD_BUTTONS} buttons.`, 'less_than_equal')
    }
    return [
      header?.part.format?.toUpperCase(),
      body !== undefined,
      ...list.map(({ type }) => type.toUpperCase()),
    ].join()
  })
  if (new Set(forms).size > 1) add(`${place}.cards`, 'All cards have the same components.')
  return undefined
}

function checkAuthentication(parts: ReadonlyMap<string, Placed>, add: Add): void {
  const [header, body, footer, buttons, carousel] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL'].map((type) =>
    parts.get(type),
  )
  for (const one of [header, carousel]) if (one) add(one.place, 'An authentication template has none.')
  if (body?.part.text !== undefined) add(`${body.place}.text`, 'The text of authentication templates is Meta’s.')
  const minutes = footer?.part.code_expiration_minutes ?? 0
  if (footer && (minutes < 1 || minutes > 90)) {
    add(`${footer.place}.code_expiration_minutes`, 'This is 1 to 90 minutes.')
  }
  const list = buttons?.part.buttons ?? []
  const [button] = list
  const place = buttons ? `${buttons.place}.buttons` : 'components'
  if (!button || list.length > 1 || button.type.toUpperCase() !== 'OTP') {
    return add(place, 'Exactly one button of the type OTP is required.', button ? 'invalid' : 'missing')
  }
  if (button.text !== undefined) checkLength(`${place}[0].text`, button.text, MAX_BUTTON, add)
  const type = button.otp_type?.toUpperCase() ?? ''
  if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(type)) {
    return add(`${place}[0].otp_type`, 'The type is `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`.', 'enum')
  }
  if (type === 'COPY_CODE') return undefined
  if (type === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true) {
    add(`${place}[0].zero_tap_terms_accepted`, 'Meta’s terms for zero-tap have to be accepted.')
  }
  const apps = button.supported_apps ?? []
  if (apps.length === 0) add(`${place}[0].supported_apps`, 'This field is required.', 'missing')
  for (const [n, { package_name, signature_hash }] of apps.entries()) {
    checkLength(`${place}[0].supported_apps[${n}].package_name`, package_name, 224, add)
    if (signature_hash.length !== 11) {
      add(`${place}[0].supported_apps[${n}].signature_hash`, 'A signature hash has 11 characters.')
    }
  }
  return undefined
}
