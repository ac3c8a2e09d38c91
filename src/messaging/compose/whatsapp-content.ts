import type { OutgoingContent } from '../../carriers/message-carrier.ts'
import { isId } from '../../values/id.ts'
import { keysOf } from '../../values/record.ts'
import type { Fault } from '../../values/refusal.ts'
import { checkStorableIn } from '../../values/input/storable.ts'
import { isEmoji } from '../../values/emoji.ts'
import { MAX_WHATSAPP_CHARACTERS, type SendBody } from '../schema.ts'
import type { WhatsappContent } from '../../carriers/whatsapp/content-schema.ts'
import { LINK } from './whatsapp-values.ts'

/** A kind of message: how long its text may be (0: it has none) and what it may have besides. */
type Kind = { type: string; most: number; needs_text?: true; is_interactive?: true; header?: 'any' | 'text' }

const CAPTION = 1_024
const BUTTONS = { type: 'interactive', most: 1_024, needs_text: true, is_interactive: true, header: 'any' } as const
const TEXT: Kind = { type: 'text', most: MAX_WHATSAPP_CHARACTERS, needs_text: true }

const KINDS = {
  image: { type: 'image', most: CAPTION },
  video: { type: 'video', most: CAPTION },
  document: { type: 'document', most: CAPTION },
  audio: { type: 'audio', most: 0 },
  sticker: { type: 'sticker', most: 0 },
  location: { type: 'location', most: 0 },
  contacts: { type: 'contacts', most: 0 },
  reaction: { type: 'reaction', most: 0 },
  reply_buttons: BUTTONS,
  url_button: BUTTONS,
  list: { ...BUTTONS, most: MAX_WHATSAPP_CHARACTERS, header: 'text' },
} as const satisfies Partial<Record<keyof WhatsappContent, Kind>>
type KindName = keyof typeof KINDS
const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name)

/** The `whatsapp` of a request, checked. */
export type SessionContent = {
  outgoing: OutgoingContent
  /** The id of the received text that it quotes or reacts to. */
  reply_to?: string
  /** Stored as the text of a message that has none. */
  stand_in: string
  /** The longest text that it may have. */
  most: number
  /** It is a text, which may be sent by SMS instead. */
  is_text: boolean
  /** Its files of ours. */
  files: readonly ContentFile[]
}

/** A file of a message, and the field that names it. */
export type ContentFile = { field: string; as: string; id?: string | undefined; link?: string | undefined }

/** Reads `whatsapp`, whose shape was checked. Limits: docs/whatsapp.md. */
export function readContent(
  given: WhatsappContent,
  { content, template_id }: Partial<SendBody>,
  channel: string,
  faults: Fault[],
): SessionContent | undefined {
  const before = faults.length
  const add = (field: string, message: string, type: Fault['type'] = 'invalid'): void => {
    faults.push({ field: field === 'content' ? field : `whatsapp${field}`, message, type })
  }
  if (channel !== 'whatsapp') add('', 'This is for the channel `whatsapp` only.')
  const names = keysOf(given).filter(isKind)
  const [name, another] = names
  if (another !== undefined) add('', `A message has at most one of these: ${names.join(', ')}.`)
  const kind: Kind = name === undefined ? TEXT : KINDS[name]
  const has_text = content !== undefined || template_id !== undefined
  if (kind.most === 0 && has_text) {
    add(content === undefined ? '' : 'content', `A message with \`${name}\` has no text.`)
  } else if (kind.needs_text && !has_text) {
    add('content', 'This message needs a text: either content or template_id.', 'missing')
  }
  if (given.preview_url !== undefined && kind.type !== 'text') add('.preview_url', 'Only texts have previews.')
  checkAround(kind, given, add)
  checkLists(given, add)
  const files = filesIn(given)
  checkLinks(files, given, add)
  checkReply(given, add)
  checkStorableIn('', given, add)
  if (faults.length > before) return undefined
  const media = files.flatMap(({ id }) => id?.toLowerCase() ?? [])
  return {
    outgoing: {
      type: kind.type,
      value: writeValue(name, given),
      has_text: has_text && kind.most > 0,
      ...(media.length > 0 ? { media } : {}),
    },
    files: files.filter(({ id }) => id !== undefined),
    ...(given.reply_to === undefined ? {} : { reply_to: given.reply_to }),
    stand_in: given.reaction || (given.location?.name ?? `[${name ?? 'text'}]`),
    most: kind.most,
    is_text: kind.type === 'text',
  }
}

type Add = (field: string, message: string, type?: Fault['type']) => void

function checkAround(kind: Kind, { header, footer }: WhatsappContent, add: Add): void {
  const needs = 'This is for messages with `reply_buttons`, `url_button` or `list`.'
  if (footer !== undefined && !kind.is_interactive) add('.footer', needs)
  if (header === undefined) return
  if (kind.header === undefined) add('.header', needs)
  else if (kind.header === 'text' && header.text === undefined) add('.header', 'The header of a list is a text.')
}

function checkLists({ reply_buttons = [], list, contacts = [] }: WhatsappContent, add: Add): void {
  checkDistinct('.reply_buttons', reply_buttons, ['id', 'title'], add)
  const sections = list?.sections ?? []
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length > MAX_ROWS) {
    add('.list.sections', `A list has at most ${MAX_ROWS} rows in all sections.`, 'less_than_equal')
  }
  checkDistinct('.list.sections', rows, ['id'], add)
  for (const [n, { title }] of sections.entries()) {
    if (sections.length > 1 && title === undefined) {
      add(`.list.sections[${n}].title`, 'Each of several sections needs a title.', 'missing')
    }
  }
  for (const [n, { name }] of contacts.entries()) {
    if (name.first_name !== undefined || name.last_name !== undefined) continue
    add(`.contacts[${n}].name.first_name`, 'A part of the name is required besides formatted_name.', 'missing')
  }
}

const MAX_ROWS = 10

function checkDistinct<T extends object>(
  place: string,
  items: readonly T[],
  keys: readonly (keyof T)[],
  add: Add,
): void {
  for (const key of keys) {
    const values = items.map((item) => item[key])
    if (new Set(values).size < values.length) add(place, `Two have the same ${String(key)}.`)
  }
}

function filesIn({ image, video, audio, document, sticker, header }: WhatsappContent): ContentFile[] {
  const given = {
    '.image': image,
    '.video': video,
    '.audio': audio,
    '.document': document,
    '.sticker': sticker,
    '.header.image': header?.image,
    '.header.video': header?.video,
    '.header.document': header?.document,
  }
  return Object.entries(given).flatMap(([field, file]) =>
    file ? [{ field, as: field.split('.').at(-1) ?? '', id: file.id, link: file.link }] : [],
  )
}

function checkLinks(files: readonly ContentFile[], { url_button }: WhatsappContent, add: Add): void {
  for (const { field, id, link } of files) {
    if ((id === undefined) === (link === undefined)) {
      add(field, 'A file is named by either id or link.', id === undefined ? 'missing' : 'invalid')
    } else if (id !== undefined && !isId(id)) add(`${field}.id`, 'This is not the id of a file.')
    checkLink(`${field}.link`, link, add)
  }
  checkLink('.url_button.url', url_button?.url, add)
}

function checkLink(field: string, link: string | undefined, add: Add): void {
  if (link !== undefined && LINK.check(link)) add(field, 'This is not an https address.', 'url_parsing')
}

function checkReply({ reaction, reply_to }: WhatsappContent, add: Add): void {
  if (reply_to !== undefined && !isId(reply_to)) add('.reply_to', 'This is not the id of a received text.')
  if (reaction === undefined) return
  if (reply_to === undefined) add('.reply_to', 'A reaction is to a received text.', 'missing')
  if (reaction !== '' && !isEmoji(reaction)) add('.reaction', 'This is not an emoji.')
}

/** As Meta's API takes it; the carrier adds the text. */
function writeValue(name: KindName | undefined, given: WhatsappContent): object {
  const { preview_url = false, reply_buttons = [], list, url_button, reaction } = given
  switch (name) {
    case undefined:
      return { preview_url }
    case 'reaction':
      return { emoji: reaction }
    case 'reply_buttons':
      return interactive('button', { buttons: reply_buttons.map((reply) => ({ type: 'reply', reply })) }, given)
    case 'list':
      return interactive('list', list ?? {}, given)
    case 'url_button': {
      const parameters = { display_text: url_button?.title, url: url_button?.url }
      return interactive('cta_url', { name: 'cta_url', parameters }, given)
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return writeFile(given[name])
    case 'location':
    case 'contacts':
      return given[name] ?? {}
  }
}

/** Meta's id of a file of ours is known when the message is sent. */
function writeFile({ id, ...others }: { id?: string; link?: string; filename?: string } = {}): object {
  return id === undefined ? others : { media_id: id.toLowerCase(), ...others }
}

function interactive(type: string, action: object, { header, footer }: WhatsappContent): object {
  const [format] = header ? keysOf(header) : []
  const value = format && header?.[format]
  return {
    type,
    ...(format && value !== undefined
      ? { header: { type: format, [format]: typeof value === 'string' ? value : writeFile(value) } }
      : {}),
    ...(footer === undefined ? {} : { footer: { text: footer } }),
    action,
  }
}
