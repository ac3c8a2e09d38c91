import * as fc from 'fast-check'
import type { FileAtMeta } from '../../src/carriers/whatsapp/wire.ts'
import type { Db } from '../../src/db/connect.ts'
import { rows } from '../../src/db/rows.ts'
import { makeMediaStore, type MediaKind, type MediaStore } from '../../src/emulators/whatsapp/media.ts'

type File = { id: string; type: string; kind?: MediaKind; state?: string; expires_datetime?: string }

const idOf = (n: number): string => `019a8475-0000-7000-8000-00000000000${n}`

/** Files that can be sent. */
const SENDABLE: readonly (File & { kind: MediaKind })[] = [
  { id: idOf(1), type: 'image/jpeg', kind: 'image' },
  { id: idOf(2), type: 'image/png', kind: 'image' },
  { id: idOf(3), type: 'video/mp4', kind: 'video' },
  { id: idOf(4), type: 'audio/ogg', kind: 'audio' },
  { id: idOf(5), type: 'application/pdf', kind: 'document' },
  { id: idOf(6), type: 'image/webp', kind: 'sticker' },
]
const OTHERS: readonly File[] = [
  { id: idOf(7), type: 'image/png', state: 'pending' },
  { id: idOf(8), type: 'image/png', expires_datetime: '2020-01-01' },
  { id: idOf(9), type: 'application/octet-stream' },
]
const NOT_STORED = [idOf(0), 'photo.jpg', '']

/** The same files as rows of an organisation and, if they can be sent, at the emulator: its ids by ours. */
export async function storeFiles(
  db: Db,
  organisation_id: string,
): Promise<{ media: MediaStore; at_meta: ReadonlyMap<string, FileAtMeta> }> {
  await db`
    insert into media (organisation_id, id, direction, state, type, size, sha256, expires_datetime)
    select ${organisation_id}, id, 'out', state, type, 1, '\\x00', expires_datetime
    from ${rows(db, [...SENDABLE, ...OTHERS], 'file', {
      id: 'uuid',
      state: ['text', ({ state = 'stored' }) => state],
      type: 'text',
      expires_datetime: ['timestamptz', ({ expires_datetime = null }) => expires_datetime],
    })}`
  const media = makeMediaStore()
  const at_meta = SENDABLE.map(({ id, type }) => [id, { id: media.upload(Buffer.from('x'), type) }] as const)
  return { media, at_meta: new Map(at_meta) }
}

/** The id of a file that can be sent as `kind`; now and then another. */
export function fileIds(kind: MediaKind): fc.Arbitrary<string> {
  const fitting = SENDABLE.filter((file) => file.kind === kind).map(({ id }) => id)
  const wrong = [...SENDABLE.filter((file) => file.kind !== kind), ...OTHERS].map(({ id }) => id)
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fitting, ...fitting.map((id) => id.toUpperCase())) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong, ...NOT_STORED) },
  )
}
