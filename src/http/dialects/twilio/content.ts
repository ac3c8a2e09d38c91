import type { SendBody } from '../../../messaging/schema.ts'
import { parseJson } from '../../../values/input/parse-json.ts'
import { isRecord } from '../../../values/record.ts'
import { field, type Form } from '../request.ts'
import { TwilioFault } from './errors.ts'
import { idOf } from './resources.ts'

type Content = Pick<SendBody, 'content' | 'template_id' | 'personalisation' | 'whatsapp'>

/** Reads what a message says: `ContentSid` with `ContentVariables`, or `Body` with `MediaUrl`. */
export function readContent(form: Form, to: string): Content {
  const content_sid = field(form, 'ContentSid')
  if (content_sid !== undefined) return readTemplate(content_sid, field(form, 'ContentVariables'), to)
  const text = field(form, 'Body')
  const media = form.get('MediaUrl') ?? []
  if (media.length === 0) {
    if (text === undefined) throw new TwilioFault(21602, 'Message body is required.')
    return { content: text }
  }
  if (!/^whatsapp:/i.test(to)) throw new TwilioFault(21620, 'Media are sent to whatsapp: addresses only.')
  const [link = '', ...more] = media
  if (more.length > 0) throw new TwilioFault(21623, 'A WhatsApp message has one medium.')
  return { ...(text === undefined ? {} : { content: text }), whatsapp: { [kindOf(link)]: { link } } }
}

/** A template's SID is its id, as of all our resources; its placeholders have the names of the variables. */
function readTemplate(sid: string, variables: string | undefined, to: string): Content {
  const template_id = idOf('HX', sid)
  if (template_id === '') throw new TwilioFault(21655, 'The ContentSid is invalid: HX and the id of a template.')
  const given = variables === undefined ? {} : parseJson(variables)
  if (!isRecord(given) || Array.isArray(given) || !Object.values(given).every((value) => typeof value === 'string')) {
    throw new TwilioFault(21656, 'The ContentVariables are invalid: a JSON object of strings.')
  }
  const substitutions = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const recipient = to.replace(/^whatsapp:/i, '')
  return { template_id, ...(variables === undefined ? {} : { personalisation: [{ to: recipient, substitutions }] }) }
}

/** Twilio asks the server for the type; here the end of the path says it, since nothing is fetched before it is charged. */
function kindOf(link: string): 'image' | 'video' | 'audio' | 'sticker' | 'document' {
  const url = URL.parse(link)
  if (url?.protocol !== 'https:') throw new TwilioFault(21620, 'A MediaUrl is a public https address.')
  const extension = /\.([a-z0-9]{2,4})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS, extension) ? (KINDS[extension] ?? 'document') : 'document'
}

const KINDS: Record<string, 'image' | 'video' | 'audio' | 'sticker'> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  webp: 'sticker',
  mp4: 'video',
  '3gp': 'video',
  aac: 'audio',
  amr: 'audio',
  m4a: 'audio',
  mp3: 'audio',
  ogg: 'audio',
}
