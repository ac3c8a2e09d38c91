import { CloudFault } from './errors.ts'
import { listIn, objectIn, optionalTextIn, textIn, urlIn, variablesIn, type Given } from './read.ts'

/**
 * Meta's rules for a new or edited template; throws the error (100) with which Meta rejects one.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
 */
export function checkTemplate(given: Given): void {
  if (!/^[a-z0-9_]+$/.test(textIn(given, 'name', 512)))
    throw fault('name: only lowercase letters, numbers and underscores')
  if (!/^[a-z]{2,3}(_[A-Z]{2,4})?$/.test(textIn(given, 'language', 20))) throw fault('language: unknown code')
  const category = textIn(given, 'category', 30)
  if (!['AUTHENTICATION', 'MARKETING', 'UTILITY'].includes(category)) throw fault('category: unknown')
  const format = optionalTextIn(given, 'parameter_format', 20)?.toUpperCase() ?? 'POSITIONAL'
  if (format !== 'POSITIONAL' && format !== 'NAMED') throw fault('parameter_format: named or positional')
  const parts = partsIn(given)
  if (!parts.body) throw fault('components: BODY is required')
  if (category === 'AUTHENTICATION') {
    if (parts.carousel) throw fault('carousel: not in authentication templates')
    return checkAuthentication(parts.body, parts)
  }
  const named = format === 'NAMED'
  checkBody(parts.body, named)
  if (parts.header) checkHeader(parts.header, named)
  if (parts.footer && variablesIn(textIn(parts.footer, 'text', 60)).length > 0) throw fault('footer: no variables')
  if (parts.buttons) checkButtons(listIn(parts.buttons, 'buttons', 10))
  if (!parts.carousel) return
  if (category !== 'MARKETING') throw fault('carousel: of marketing templates only')
  if (parts.header || parts.footer || parts.buttons) throw fault('carousel: only a body is possible besides')
  checkCards(listIn(parts.carousel, 'cards', 10), named)
}

function partsIn(given: Given) {
  const components = listIn(given, 'components', 10)
  const of = (type: string): Given | undefined => {
    const [one, ...more] = components.filter((component) => String(component.type).toUpperCase() === type)
    if (more.length > 0) throw fault(`components: more than one ${type}`)
    return one
  }
  const parts = {
    header: of('HEADER'),
    body: of('BODY'),
    footer: of('FOOTER'),
    buttons: of('BUTTONS'),
    carousel: of('CAROUSEL'),
  }
  const known = Object.values(parts).filter((one) => one !== undefined).length
  if (known !== components.length) throw fault('components: an unknown type')
  return parts
}

/** All cards of a carousel have the same components; each has an image or a video. */
function checkCards(cards: readonly Given[], named: boolean): void {
  if (cards.length < 2) throw fault('carousel: at least two cards')
  const forms = cards.map((card) => {
    const { header, body, footer, buttons, carousel } = partsIn(card)
    if (footer || carousel) throw fault('cards: only header, body and buttons')
    const format = header && textIn(header, 'format', 30).toUpperCase()
    if (!header || (format !== 'IMAGE' && format !== 'VIDEO')) throw fault('cards: an image or a video is required')
    checkHeader(header, named)
    if (body) checkBody(body, named, 160)
    const own = buttons ? listIn(buttons, 'buttons', 2) : []
    checkButtons(own)
    return [format, body !== undefined, ...own.map(({ type }) => String(type).toUpperCase())].join()
  })
  if (new Set(forms).size > 1) throw fault('cards: all cards must have the same components')
}

function fault(details: string): CloudFault {
  return new CloudFault(100, details)
}

function checkBody(body: Given, named: boolean, most = 1_024): void {
  const text = textIn(body, 'text', most)
  const variables = checkVariables('body', text, named)
  if (/^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/.test(text)) throw fault('body: no variable at the start or the end')
  if (variables.length === 0) return
  const example = objectIn(body, 'example')
  if (named) return checkNamedExamples(example.body_text_named_params, variables)
  const rows = example.body_text
  const [row]: unknown[] = Array.isArray(rows) ? rows : []
  if (!Array.isArray(row) || row.length !== variables.length || !row.every(isSample)) {
    throw fault('body: an example for each variable is required')
  }
}

function checkNamedExamples(given: unknown, variables: readonly string[]): void {
  const samples: unknown[] = Array.isArray(given) ? given : []
  const known = new Set(
    samples.flatMap((one) => {
      if (typeof one !== 'object' || one === null || !('param_name' in one) || !('example' in one)) return []
      return isSample(one.example) ? [one.param_name] : []
    }),
  )
  if (samples.length !== variables.length || !variables.every((name) => known.has(name))) {
    throw fault('an example for each named parameter is required')
  }
}

function isSample(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function checkVariables(where: string, text: string, named: boolean): string[] {
  if (/\{\{|\}\}/.test(text.replace(/\{\{[^{}]*\}\}/g, ''))) throw fault(`${where}: a variable is not closed`)
  const variables = variablesIn(text)
  const sound = named ? /^[a-z][a-z0-9_]*$/ : /^\d+$/
  if (!variables.every((name) => sound.test(name))) throw fault(`${where}: a variable has a wrong name`)
  if (!named && variables.some((name, n) => name !== String(n + 1)))
    throw fault(`${where}: variables are not in sequence`)
  return variables
}

function checkHeader(header: Given, named: boolean): void {
  const format = textIn(header, 'format', 30).toUpperCase()
  if (format === 'LOCATION') return
  if (format === 'TEXT') {
    const variables = checkVariables('header', textIn(header, 'text', 60), named)
    if (variables.length > 1) throw fault('header: at most one variable')
    if (variables.length === 0) return
    const example = objectIn(header, 'example')
    if (named) return checkNamedExamples(example.header_text_named_params, variables)
    const samples = example.header_text
    if (!Array.isArray(samples) || samples.length !== 1 || !isSample(samples[0]))
      throw fault('header: an example is required')
    return
  }
  if (!['IMAGE', 'VIDEO', 'DOCUMENT'].includes(format)) throw fault('header: unknown format')
  const handles = objectIn(header, 'example').header_handle
  if (!Array.isArray(handles) || handles.length !== 1 || !isSample(handles[0]))
    throw fault('header: a sample is required')
}

/** How many buttons of a type a template may have. */
const MOST: Record<string, number> = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 }

function checkButtons(buttons: readonly Given[]): void {
  const types = buttons.map((button) => textIn(button, 'type', 30).toUpperCase())
  for (const [type, most] of Object.entries(MOST)) {
    if (types.filter((one) => one === type).length > most) throw fault(`buttons: at most ${most} of ${type}`)
  }
  const replies = types.map((type) => type === 'QUICK_REPLY')
  if (replies.filter((is_reply, n) => n > 0 && is_reply !== replies[n - 1]).length > 1) {
    throw fault('buttons: quick replies must be together')
  }
  for (const [n, button] of buttons.entries()) {
    const type = types[n] ?? ''
    switch (type) {
      case 'QUICK_REPLY':
        textIn(button, 'text', 25)
        break
      case 'PHONE_NUMBER':
        textIn(button, 'text', 25)
        if (!/^\+?\d{5,20}$/.test(textIn(button, 'phone_number', 20))) throw fault('buttons: not a phone number')
        break
      case 'URL': {
        textIn(button, 'text', 25)
        const url = urlIn(button, 'url')
        const variables = variablesIn(url)
        if (variables.length === 0) break
        if (variables.length > 1 || !/\{\{[^{}]*\}\}$/.test(url))
          throw fault('buttons: one variable, at the end of the URL')
        const { example } = button
        if (!Array.isArray(example) || example.length !== 1 || !isSample(example[0]))
          throw fault('buttons: an example is required')
        break
      }
      case 'COPY_CODE':
        textIn(button, 'example', 15)
        break
      default:
        throw fault(`buttons: unknown type ${type}`)
    }
  }
}

function checkAuthentication(
  body: Given,
  { header, footer, buttons }: { header: Given | undefined; footer: Given | undefined; buttons: Given | undefined },
): void {
  if (header) throw fault('header: not in authentication templates')
  if (body.text !== undefined) throw fault('body: the text of authentication templates is fixed')
  if (footer) {
    const minutes = footer.code_expiration_minutes
    if (!Number.isInteger(minutes) || Number(minutes) < 1 || Number(minutes) > 90) {
      throw fault('footer: code_expiration_minutes must be 1 to 90')
    }
  }
  if (!buttons) throw fault('buttons: an OTP button is required')
  const [button, ...more] = listIn(buttons, 'buttons', 10)
  if (!button || more.length > 0 || textIn(button, 'type', 30).toUpperCase() !== 'OTP') {
    throw fault('buttons: exactly one OTP button')
  }
  optionalTextIn(button, 'text', 25)
  const type = textIn(button, 'otp_type', 30).toUpperCase()
  if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(type)) throw fault('buttons: unknown otp_type')
  if (type === 'COPY_CODE') return
  if (type === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true) throw fault('buttons: zero_tap_terms_accepted')
  for (const app of listIn(button, 'supported_apps', 5)) {
    textIn(app, 'package_name', 224)
    if (textIn(app, 'signature_hash', 11).length !== 11) throw fault('buttons: signature_hash has 11 characters')
  }
}
