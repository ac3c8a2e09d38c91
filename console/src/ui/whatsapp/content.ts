import type { ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'

type Shown = NonNullable<ConversationMessage['whatsapp']>

/** A card of a carousel. Its text and the titles of its buttons are those of the template at Meta, if it is known. */
export type Card = NonNullable<Shown['cards']>[number] & { text?: string; choices?: Choice[] }

/** What a message on WhatsApp has besides its text, in either direction. `choices`: the buttons of a template, with titles. */
export type Content = Omit<Shown, 'cards'> & { cards?: Card[]; choices?: Choice[] }

export const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type FileKind = (typeof FILES)[number]

export type File = {
  kind: FileKind
  /** A public address. */
  link?: string | undefined
  /** Of a file that the service stores. */
  id?: string | undefined
  filename?: string | undefined
  size?: number | undefined
  state?: 'pending' | 'stored' | 'refused' | 'expired' | undefined
}

/** A file that came with a text. */
export type ReceivedFile = Omit<File, 'kind' | 'link'> & { type: string }

/** The files of a message, also that of its header. */
export function filesOf(content: Content, received?: ReceivedFile): File[] {
  if (received) return [{ ...received, kind: kindOf(content.type, received.type) }]
  return FILES.flatMap((kind) => {
    const file = content[kind] ?? (kind in (content.header ?? {}) ? headerFile(content, kind) : undefined)
    return file ? [{ kind, ...file }] : []
  })
}

/** As WhatsApp calls it; a file of another type is a document. */
function kindOf(type: string | undefined, media_type: string): FileKind {
  return FILES.find((kind) => kind === type || media_type.startsWith(`${kind}/`)) ?? 'document'
}

function headerFile({ header }: Content, kind: FileKind) {
  return kind === 'image' || kind === 'video' || kind === 'document' ? header?.[kind] : undefined
}

/** A button or a row, which a person may choose. */
export type Choice = {
  kind: 'button_reply' | 'list_reply' | 'other'
  id?: string
  title: string
  description?: string | undefined
  url?: string
  /** To be copied. */
  code?: string
}

export function choicesOf({ choices, buttons = [], reply_buttons = [], list, url_button }: Content): Choice[] {
  if (choices) return choices
  return [
    ...buttons.map(untitled),
    ...reply_buttons.map(({ id, title }) => ({ kind: 'button_reply' as const, id, title })),
    ...(list?.sections ?? []).flatMap(({ rows }) =>
      rows.map(({ id, title, description }) => ({ kind: 'list_reply' as const, id, title, description })),
    ),
    ...(url_button ? [{ kind: 'other' as const, title: url_button.title, url: url_button.url }] : []),
  ]
}

/** A button of a template that is not known here: its value stands for its title. */
function untitled({ payload, url, code }: NonNullable<Shown['buttons']>[number]): Choice {
  if (payload !== undefined) return { kind: 'button_reply', id: payload, title: payload }
  return code === undefined ? { kind: 'other', title: url ?? '' } : copyChoice(code)
}

export function copyChoice(code: string): Choice {
  return { kind: 'other', title: t('Copy {code}', { code }), code }
}

const KIND_NAMES: Record<string, string> = {
  image: t('Image'),
  video: t('Video'),
  audio: t('Recording'),
  document: t('Document'),
  sticker: t('Sticker'),
  location: t('Location'),
  contacts: t('Contact'),
  reaction: t('Reaction removed'),
  order: t('Order||of goods, on WhatsApp'),
  unsupported: t('A message that WhatsApp does not pass on'),
}

export function kindName(kind: string): string {
  return KIND_NAMES[kind] ?? kind
}

/** The service writes the type in brackets where a message has no words. */
export function wordsOf(text: string): string {
  const kind = /^\[([a-z_]+)\]$/.exec(text)?.[1]
  return kind === undefined ? text : (KIND_NAMES[kind] ?? text)
}

/** Whether the text only stands for what is shown above it. */
export function isStandIn(text: string | undefined, content: Content | undefined, received?: ReceivedFile): boolean {
  if (text === undefined || !content) return false
  const { location, contacts } = content
  return /^\[[a-z_]+\]$/.test(text)
    ? filesOf(content, received).length > 0 || location !== undefined || contacts !== undefined
    : text === location?.name || text === contacts?.[0]?.name.formatted_name
}
