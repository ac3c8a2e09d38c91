import { isBalanced, readPattern } from '../values/placeholders.ts'
import type { Fault } from '../values/refusal.ts'
import { checkStorable } from '../values/input/storable.ts'
import { valuesOf } from './placeholders.ts'
import type { WhatsappTemplate } from './schema.ts'
import { partsOf } from './store.ts'

/** In all parts: they are sent to each recipient, as the text is. */
const MAX_PARTS_CHARACTERS = 8_192

/**
 * The parameters must be placeholders of the text, so that a missing value is reported. Whether the template at Meta takes
 * these values is checked when it is sent: it may be created or changed later.
 */
export function checkWhatsapp(
  whatsapp: WhatsappTemplate | null | undefined,
  content: string | undefined,
  faults: Fault[],
): void {
  const is_sound = !faults.some(({ field }) => field === 'content' || field.startsWith('whatsapp'))
  if (content === undefined || !whatsapp || !is_sound) return
  const placeholders = new Set(readPattern(content).placeholders.map(({ name }) => name))
  for (const [n, parameter] of whatsapp.parameters.entries()) {
    if (placeholders.has(parameter)) continue
    const message = `There is no placeholder {{${parameter}}} in the content.`
    faults.push({ field: `whatsapp.parameters[${n}]`, message, type: 'unknown_placeholder' })
  }
  checkNames(whatsapp, faults)
  checkButtons('whatsapp', whatsapp, faults)
  for (const [n, card] of (whatsapp.cards ?? []).entries()) checkButtons(`whatsapp.cards[${n}]`, card, faults)
  checkFile('whatsapp', whatsapp, faults)
  for (const [n, card] of (whatsapp.cards ?? []).entries()) checkFile(`whatsapp.cards[${n}]`, card, faults)
  for (const { field, text } of valuesOf(whatsapp)) {
    checkStorable(field, text, faults)
    if (isBalanced(text)) continue
    const message = 'A placeholder is not closed: {{name}} has two braces before and two behind.'
    faults.push({ field, message, type: 'invalid' })
  }
  if (JSON.stringify(partsOf(whatsapp)).length <= MAX_PARTS_CHARACTERS) return
  const message = `Its header, buttons and cards have more than ${MAX_PARTS_CHARACTERS.toLocaleString('en')} characters.`
  faults.push({ field: 'whatsapp', message, type: 'string_too_long' })
}

function checkNames(whatsapp: WhatsappTemplate, faults: Fault[]): void {
  const { name, language, fallback_languages = [], parameters, parameter_names } = whatsapp
  checkStorable('whatsapp.name', name, faults)
  checkStorable('whatsapp.language', language, faults)
  for (const [n, one] of fallback_languages.entries()) checkStorable(`whatsapp.fallback_languages[${n}]`, one, faults)
  if (!parameter_names) return
  for (const [n, one] of parameter_names.entries()) {
    const field = `whatsapp.parameter_names[${n}]`
    checkStorable(field, one, faults)
    if (parameter_names.indexOf(one) < n) faults.push({ field, message: 'This is there already.', type: 'invalid' })
  }
  if (parameter_names.length === parameters.length) return
  const message = `There are ${parameter_names.length} names for ${parameters.length} parameters.`
  faults.push({ field: 'whatsapp.parameter_names', message, type: 'invalid' })
}

function checkFile(place: string, { header = {} }: Pick<WhatsappTemplate, 'header'>, faults: Fault[]): void {
  for (const format of ['image', 'video', 'document'] as const) {
    const file = header[format]
    if (!file || (file.id === undefined) !== (file.link === undefined)) continue
    const type = file.id === undefined ? 'missing' : 'invalid'
    faults.push({ field: `${place}.header.${format}`, message: 'A file is named by either id or link.', type })
  }
}

function checkButtons(place: string, { buttons = [] }: Pick<WhatsappTemplate, 'buttons'>, faults: Fault[]): void {
  const seen = new Set<number>()
  for (const [n, { index }] of buttons.entries()) {
    if (seen.has(index)) {
      const message = 'Another item is for this button.'
      faults.push({ field: `${place}.buttons[${n}].index`, message, type: 'invalid' })
    }
    seen.add(index)
  }
}
