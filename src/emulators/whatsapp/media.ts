import { createHash, randomInt, randomUUID } from 'node:crypto'
import { CloudFault } from './errors.ts'

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

type Stored = { id: string; bytes: Buffer; type: string; kind: MediaKind; expires_ms: number }

/** Media types and sizes: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media/ */
const TYPES: Record<string, { kind: MediaKind; most_bytes: number }> = {
  'image/jpeg': { kind: 'image', most_bytes: 5 * 1024 * 1024 },
  'image/png': { kind: 'image', most_bytes: 5 * 1024 * 1024 },
  'image/webp': { kind: 'sticker', most_bytes: 500 * 1024 },
  'video/mp4': { kind: 'video', most_bytes: 16 * 1024 * 1024 },
  'video/3gpp': { kind: 'video', most_bytes: 16 * 1024 * 1024 },
  ...Object.fromEntries(
    ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'].map((type) => [
      type,
      { kind: 'audio' as const, most_bytes: 16 * 1024 * 1024 },
    ]),
  ),
  ...Object.fromEntries(
    [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ].map((type) => [type, { kind: 'document' as const, most_bytes: 100 * 1024 * 1024 }]),
  ),
}

/** The ids of uploaded media expire after 30 days, of received ones after 7. */
const UPLOADED_MS = 30 * 86_400_000
const RECEIVED_MS = 7 * 86_400_000
/** A download URL is valid for five minutes. */
const URL_MS = 5 * 60_000

/** A file as a webhook describes it. */
export type ReceivedMedia = { kind: MediaKind; file: { id: string; mime_type: string; sha256: string } }

export type MediaStore = {
  uploads: number
  downloads: number
  upload(bytes: Buffer, type: string): string
  /** A file that a person sent. */
  receive(bytes: Buffer, type: string): ReceivedMedia
  /** Undefined if the id is unknown or has expired. */
  kindOf(id: string): MediaKind | undefined
  describe(id: string, url: string): object
  download(key: string): { bytes: Buffer; type: string }
  remove(id: string): boolean
  /** As if the lifetime of all ids were over. */
  expireAll(): void
}

export function makeMediaStore(): MediaStore {
  const stored = new Map<string, Stored>()
  const links = new Map<string, { id: string; expires_ms: number }>()

  function find(id: string): Stored {
    const found = stored.get(id)
    if (!found || found.expires_ms <= Date.now()) {
      throw new CloudFault(100, `Unsupported get request. Object with ID '${id}' does not exist`)
    }
    return found
  }

  function store(bytes: Buffer, type: string, kind: MediaKind, lasts_ms: number): Stored {
    const id = `${randomInt(1e9, 9e9)}${stored.size}`
    const one = { id, bytes, type, kind, expires_ms: Date.now() + lasts_ms }
    stored.set(id, one)
    return one
  }

  const media: MediaStore = {
    uploads: 0,
    downloads: 0,
    upload(bytes, type) {
      const allowed = TYPES[type]
      if (!allowed)
        throw new CloudFault(100, `Param file must be a file with one of the following types; received ${type}`)
      if (bytes.length === 0) throw new CloudFault(131053, 'The file is empty.')
      if (bytes.length > allowed.most_bytes) throw new CloudFault(131053, 'The file is too large.')
      media.uploads += 1
      return store(bytes, type, allowed.kind, UPLOADED_MS).id
    },
    receive(bytes, type) {
      const kind = TYPES[type]?.kind ?? 'document'
      const { id } = store(bytes, type, kind, RECEIVED_MS)
      return { kind, file: { id, mime_type: type, sha256: createHash('sha256').update(bytes).digest('base64') } }
    },
    kindOf(id) {
      const found = stored.get(id)
      return found && found.expires_ms > Date.now() ? found.kind : undefined
    },
    describe(id, base) {
      const { bytes, type } = find(id)
      const key = randomUUID()
      links.set(key, { id, expires_ms: Date.now() + URL_MS })
      return {
        messaging_product: 'whatsapp',
        url: `${base}/media-download/${key}`,
        mime_type: type,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        file_size: bytes.length,
        id,
      }
    },
    download(key) {
      const link = links.get(key)
      if (!link || link.expires_ms <= Date.now()) throw new CloudFault(100, 'URL signature expired')
      media.downloads += 1
      return find(link.id)
    },
    remove: (id) => stored.delete(id),
    expireAll() {
      for (const one of stored.values()) one.expires_ms = 0
    },
  }
  return media
}

/** The fields of a form with a file, `multipart/form-data`. */
export function readForm(
  content_type: string,
  body: Buffer,
): { fields: Map<string, string>; file?: { bytes: Buffer; type: string } } {
  const [, boundary] = /boundary="?([^";]+)"?/.exec(content_type) ?? []
  const fields = new Map<string, string>()
  if (boundary === undefined) throw new CloudFault(100, 'The body must be multipart/form-data.')
  let file: { bytes: Buffer; type: string } | undefined
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const head_end = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, head_end).toString()
    const value = part.subarray(head_end + 4)
    const [, name = ''] = /name="([^"]*)"/.exec(head) ?? []
    const [, type = 'application/octet-stream'] = /content-type:\s*([^\s;]+)/i.exec(head) ?? []
    if (/filename="/.test(head)) file = { bytes: Buffer.from(value), type }
    else fields.set(name, value.toString())
    at = next
  }
  return { fields, ...(file ? { file } : {}) }
}
