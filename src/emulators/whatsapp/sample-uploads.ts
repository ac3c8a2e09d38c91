import { randomBytes } from 'node:crypto'
import { isRecord } from '../../values/record.ts'
import { CloudFault } from './errors.ts'
import { textIn, type Given } from './read.ts'

/** https://developers.facebook.com/docs/graph-api/guides/upload */
const FORMATS: Record<string, string> = {
  'image/jpeg': 'IMAGE',
  'image/jpg': 'IMAGE',
  'image/png': 'IMAGE',
  'video/mp4': 'VIDEO',
  'application/pdf': 'DOCUMENT',
}
const MOST_BYTES: Record<string, number> = { IMAGE: 5 << 20, VIDEO: 16 << 20, DOCUMENT: 100 << 20 }

type Session = { type: string; length: number; received: Buffer }

/** The resumable upload of samples for the headers of templates. */
export type SampleUploads = {
  /** Samples by their handles. */
  samples: ReadonlyMap<string, { type: string; bytes: Buffer }>
  /** The uploads that were started. */
  started: { app: string; file_name: string | null }[]
  start(app: string, query: URLSearchParams): { id: string }
  /** Takes bytes from an offset on. The handle comes with the last byte. */
  append(id: string, offset: string | undefined, bytes: Buffer): object
  progress(id: string): object
  /** Throws unless the header of a template has a sample that was uploaded, of its format. */
  check(template: Given): void
}

export function makeSampleUploads(): SampleUploads {
  const sessions = new Map<string, Session>()
  const samples = new Map<string, { type: string; bytes: Buffer }>()
  const started: SampleUploads['started'] = []

  function find(id: string): Session {
    const session = sessions.get(id)
    if (!session) throw new CloudFault(100, 'The upload session does not exist.')
    return session
  }

  function checkHeader(header: Given): void {
    const format = textIn(header, 'format', 30).toUpperCase()
    if (!Object.hasOwn(MOST_BYTES, format)) return
    const handles = isRecord(header.example) ? header.example.header_handle : undefined
    const [handle]: unknown[] = Array.isArray(handles) ? handles : []
    const sample = samples.get(String(handle))
    if (!sample) throw new CloudFault(100, 'header: the handle of the sample is not valid')
    if (FORMATS[sample.type] !== format) throw new CloudFault(100, `header: the sample is ${sample.type}`)
  }

  function check(template: Given): void {
    for (const part of recordsIn(template.components)) {
      if (String(part.type).toUpperCase() === 'HEADER') checkHeader(part)
      for (const card of recordsIn(part.cards)) check(card)
    }
  }

  return {
    samples,
    started,
    check,
    start(app, query) {
      const [type, length] = [query.get('file_type') ?? '', Number(query.get('file_length'))]
      const format = FORMATS[type]
      if (format === undefined) throw new CloudFault(100, `file_type: ${type} is not supported`)
      if (!Number.isInteger(length) || length < 1)
        throw new CloudFault(100, 'file_length: the size in bytes is required')
      if (length > (MOST_BYTES[format] ?? 0)) throw new CloudFault(100, 'file_length: the file is too large')
      const random = (): string => randomBytes(12).toString('base64url')
      const id = `upload:${random()}?sig=${random()}`
      started.push({ app, file_name: query.get('file_name') })
      sessions.set(id, { type, length, received: Buffer.alloc(0) })
      return { id }
    },
    append(id, offset, bytes) {
      const session = find(id)
      if (offset !== String(session.received.length)) throw new CloudFault(100, 'file_offset: this is another one')
      if (session.received.length + bytes.length > session.length) throw new CloudFault(100, 'The file is too long.')
      session.received = Buffer.concat([session.received, bytes])
      if (session.received.length < session.length) return { id, file_offset: session.received.length }
      sessions.delete(id)
      const handle = `4::${Buffer.from(session.type).toString('base64url')}:${randomBytes(200).toString('base64url')}`
      samples.set(handle, { type: session.type, bytes: session.received })
      return { h: handle }
    },
    progress: (id) => ({ id, file_offset: find(id).received.length }),
  }
}

function recordsIn(value: unknown): Given[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
