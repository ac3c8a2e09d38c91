import { isRecord } from '../../values/record.ts'
import { checkLocation, checkMedia } from './check-parts.ts'
import { checkTemplateMessage } from './check-template-message.ts'
import { CloudFault } from './errors.ts'
import type { MediaStore } from './media.ts'
import { listIn, objectIn, optionalTextIn, textIn, urlIn, type Given } from './read.ts'
import type { CloudTemplate } from './templates.ts'

export type MessageChecks = {
  media: Pick<MediaStore, 'kindOf'>
  templates: readonly CloudTemplate[]
}

/** Limits of https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/, by message type. */
const TEXT = 4_096
const FOOTER = 60
const HEADER = 60
const OPAQUE = 512

/** Throws the error that Meta answers, or returns the type of the message. */
export function checkMessage(checks: MessageChecks, body: unknown): string {
  if (!isRecord(body)) throw new CloudFault(100, 'The body must be a JSON object.')
  if (body.messaging_product !== 'whatsapp') throw new CloudFault(100, 'Param messaging_product must be whatsapp.')
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    throw new CloudFault(100, 'Param recipient_type must be individual.')
  }
  const to = textIn(body, 'to', 20)
  if (!/^\+?\d{7,15}$/.test(to)) throw new CloudFault(131009, 'Param to is not a phone number.')
  optionalTextIn(body, 'biz_opaque_callback_data', OPAQUE)
  if (body.context !== undefined) textIn(objectIn(body, 'context'), 'message_id', 1_000)
  const type = body.type === undefined ? 'text' : textIn(body, 'type', 30)
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined
  if (type === 'contacts') checkContacts(body)
  else if (check) check(objectIn(body, type), checks)
  else throw new CloudFault(100, `Param type must be one of ${Object.keys(CHECKS).join(', ')}, contacts.`)
  return type
}

type Check = (given: Given, checks: MessageChecks) => void

const CHECKS: Record<string, Check> = {
  text(given) {
    textIn(given, 'body', TEXT)
    if (given.preview_url !== undefined && typeof given.preview_url !== 'boolean') {
      throw new CloudFault(100, 'Param preview_url must be a boolean.')
    }
  },
  image: (given, checks) => checkMedia('image', given, checks),
  video: (given, checks) => checkMedia('video', given, checks),
  audio: (given, checks) => checkMedia('audio', given, checks),
  sticker: (given, checks) => checkMedia('sticker', given, checks),
  document: (given, checks) => checkMedia('document', given, checks),
  location: checkLocation,
  reaction(given) {
    textIn(given, 'message_id', 1_000)
    const { emoji } = given
    if (typeof emoji !== 'string' || emoji.length > 40) throw new CloudFault(131009, 'Param emoji must be an emoji.')
  },
  interactive: checkInteractive,
  template: (given, { templates, media }) => checkTemplateMessage(templates, media, given),
}

/** `contacts` is the only type whose value is a list. */
function checkContacts(body: Given): void {
  for (const contact of listIn(body, 'contacts', 257)) {
    const name = objectIn(contact, 'name')
    textIn(name, 'formatted_name', 1_000)
    const parts = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']
    for (const part of parts) optionalTextIn(name, part, 1_000)
    if (!parts.some((part) => typeof name[part] === 'string' && name[part] !== '')) {
      throw new CloudFault(131008, 'At least one part of the name is required besides formatted_name.')
    }
    if (contact.phones !== undefined) for (const phone of listIn(contact, 'phones', 20)) textIn(phone, 'phone', 30)
    if (contact.emails !== undefined) for (const email of listIn(contact, 'emails', 20)) textIn(email, 'email', 320)
  }
}

function checkInteractive(given: Given, checks: MessageChecks): void {
  const type = textIn(given, 'type', 30)
  const action = objectIn(given, 'action')
  const body = objectIn(given, 'body')
  if (given.footer !== undefined) textIn(objectIn(given, 'footer'), 'text', FOOTER)
  if (type === 'button') {
    textIn(body, 'text', 1_024)
    checkHeader(given, checks, ['text', 'image', 'video', 'document'])
    const replies = listIn(action, 'buttons', 3).map((button) => {
      if (button.type !== 'reply') throw new CloudFault(131009, 'Param type of a button must be reply.')
      const reply = objectIn(button, 'reply')
      return { id: textIn(reply, 'id', 256), title: textIn(reply, 'title', 20) }
    })
    checkDistinct('id', replies)
    checkDistinct('title', replies)
  } else if (type === 'list') {
    textIn(body, 'text', TEXT)
    checkHeader(given, checks, ['text'])
    textIn(action, 'button', 20)
    checkSections(listIn(action, 'sections', 10))
  } else if (type === 'cta_url') {
    textIn(body, 'text', 1_024)
    checkHeader(given, checks, ['text', 'image', 'video', 'document'])
    if (action.name !== 'cta_url') throw new CloudFault(131009, 'Param name of the action must be cta_url.')
    const parameters = objectIn(action, 'parameters')
    textIn(parameters, 'display_text', 20)
    urlIn(parameters, 'url')
  } else {
    throw new CloudFault(131009, `Param type of an interactive message is not ${type}.`)
  }
}

function checkHeader(given: Given, checks: MessageChecks, types: readonly string[]): void {
  if (given.header === undefined) return
  const header = objectIn(given, 'header')
  const type = textIn(header, 'type', 30)
  if (!types.includes(type))
    throw new CloudFault(131009, `Param type of the header must be one of ${types.join(', ')}.`)
  if (type === 'text') textIn(header, 'text', HEADER)
  else checkMedia(type, objectIn(header, type), checks)
}

function checkSections(sections: readonly Given[]): void {
  const rows = sections.flatMap((section) => {
    if (sections.length > 1) textIn(section, 'title', 24)
    else optionalTextIn(section, 'title', 24)
    return listIn(section, 'rows', 10).map((row) => {
      optionalTextIn(row, 'description', 72)
      return { id: textIn(row, 'id', 200), title: textIn(row, 'title', 24) }
    })
  })
  if (rows.length > 10) throw new CloudFault(131009, 'A list must have at most 10 rows in all sections.')
  checkDistinct('id', rows)
}

function checkDistinct(field: 'id' | 'title', given: readonly { id: string; title: string }[]): void {
  if (new Set(given.map((one) => one[field])).size < given.length) {
    throw new CloudFault(131009, `Duplicated ${field}.`)
  }
}
