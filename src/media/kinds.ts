/** What a file may be in a message on WhatsApp. */
export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

const MB = 1024 * 1024
const KB = 1024

/** Meta's limits (docs/whatsapp.md). */
const MOST_BYTES: Record<MediaKind, number> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  document: 100 * MB,
  sticker: 100 * KB,
}
const ANIMATED_STICKER_BYTES = 500 * KB
/** The largest file of any kind. */
export const MAX_MEDIA_BYTES = MOST_BYTES.document

/** The types that WhatsApp sends, and what each of them is there. */
const KIND_OF: Record<string, MediaKind> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'sticker',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'text/plain': 'document',
  'application/pdf': 'document',
  'application/msword': 'document',
  'application/vnd.ms-excel': 'document',
  'application/vnd.ms-powerpoint': 'document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document',
}

/** Of a file whose content is of no known type: a person may send any document. It is only ever downloaded. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Undefined for a type that cannot be sent. */
export function kindOf(type: string): MediaKind | undefined {
  return Object.hasOwn(KIND_OF, type) ? KIND_OF[type] : undefined
}

export function mostBytes(type: string, is_animated: boolean): number {
  const kind = kindOf(type) ?? 'document'
  return kind === 'sticker' && is_animated ? ANIMATED_STICKER_BYTES : MOST_BYTES[kind]
}
