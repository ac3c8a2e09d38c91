import type { DownloadMedia, ReceivedFile } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { kindOf, type MediaKind } from '../../media/kinds.ts'
import { contentOf } from '../../media/read.ts'
import { findMedia } from '../../media/store.ts'
import { isId } from '../../values/id.ts'
import { present } from '../../values/record.ts'

/** Virtual handsets as a carrier; configured names cannot contain a colon. */
export const HANDSETS = 'sandbox:handset'

export type HandsetFile = { kind: MediaKind; media: ReceivedFile }

/** A stored file as a handset sends it; undefined if there is none. Without a kind, WhatsApp does not take its type. */
export async function fileFromHandset(
  db: Db,
  organisation_id: string,
  id: string,
): Promise<{ kind: MediaKind | undefined; media: ReceivedFile } | undefined> {
  const file = isId(id) ? await findMedia(db, organisation_id, id) : undefined
  if (file?.state !== 'stored') return undefined
  const { type, filename } = file
  const carrier_media_id = `${organisation_id}/${file.id}`
  return { kind: kindOf(type), media: { carrier_media_id, type, ...present('filename', filename) } }
}

/** Received files of handsets are copies of the organisation's: downloaded like those of a carrier. */
export function makeHandsetDownload(db: Db): DownloadMedia {
  return async (carrier_media_id, read) => {
    const [organisation_id = '', id = ''] = carrier_media_id.split('/')
    const file = await findMedia(db, organisation_id, id)
    if (file?.state !== 'stored') return { kind: 'gone' }
    const size = Number(file.size)
    return { kind: 'read', value: await read({ size, content: contentOf(db, organisation_id, id, size) }) }
  }
}
