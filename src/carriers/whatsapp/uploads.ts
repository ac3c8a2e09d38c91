import type { Db } from '../../db/connect.ts'
import { kindOf } from '../../media/kinds.ts'
import { contentOf, MediaGone } from '../../media/read.ts'
import { extendUpload, findAtMeta, forgetUploaded, leaseUpload, noteUploaded } from '../../media/upload-store.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import type { Graph, UploadAnswer } from './graph.ts'
import type { WhatsappSettings } from './schema.ts'
import type { FileAtMeta } from './wire.ts'

/** The files of ours that messages have, as the Cloud API knows them. */
export type Uploads = {
  /** Meta's ids of files, by ours. Uploads what is not there yet, once, without waiting for it. Never rejects. */
  find(organisation_id: string, media: readonly string[]): Promise<FoundFiles>
  /** Uploads files again when a message needs them next: Meta has said that it does not know their ids. */
  forget(organisation_id: string, ids: ReadonlyMap<string, FileAtMeta>): Promise<void>
  stop(): Promise<void>
}

export type FoundFiles =
  | { kind: 'ready'; ids: ReadonlyMap<string, FileAtMeta> }
  /** Being uploaded by this or another process. */
  | { kind: 'wait'; retry_after_s: number }
  /** The last attempt to upload it has failed. */
  | { kind: 'failed'; answer: Exclude<UploadAnswer, { kind: 'taken' }> }
  /** Deleted or expired. */
  | { kind: 'gone' }

/** Meta keeps an uploaded file for this long. */
const KEPT_DAYS = 30
/** How long this process relies on an id before it reads again whether it is still valid, and the file still there. */
const TRUSTED_MS = 60_000
/** How long a failure counts for all messages that wait for the file; then it is uploaded again. */
const FAILED_MS = 1_000
const LEASE_S = 10
const EXTEND_EVERY_MS = 3_000
const FIRST_WAIT_S = 0.5
const LONGEST_WAIT_S = 60
const MAX_REMEMBERED = 10_000

type Entry =
  | { kind: 'ready'; file: FileAtMeta; until_ms: number }
  | { kind: 'failed'; answer: Exclude<UploadAnswer, { kind: 'taken' }>; until_ms: number }
  | { kind: 'gone'; until_ms: number }
  /** Another process uploads it. */
  | { kind: 'elsewhere'; until_ms: number; waiting: number }

type Upload = { looked: Promise<Entry | undefined>; waiting: number }

/**
 * Uploads a file once per phone number, however many messages have it. Messages do not wait in flight: they are held
 * until the file is there, so that a process which dies meanwhile leaves none of them in doubt. A lease in the database
 * keeps other processes from uploading the same file; if its holder dies, another one uploads it. Meta may then have the
 * file twice, which is harmless.
 */
export function makeUploads(
  { db, log, graph }: { db: Db; log: Log; graph: Graph },
  { name: carrier, phone_number_id, rate_per_s }: WhatsappSettings,
): Uploads {
  const known = makeBoundedCache<string, Entry>(MAX_REMEMBERED)
  const uploads = new Map<string, Upload>()
  const running = new Set<Promise<void>>()
  let stopping = false

  async function findOne(organisation_id: string, media_id: string): Promise<Entry | Upload> {
    const key = `${organisation_id} ${media_id}`
    const entry = known.get(key)
    if (entry && entry.until_ms > Date.now()) return entry
    const upload = uploads.get(key) ?? start(key, organisation_id, media_id)
    return (await upload.looked) ?? upload
  }

  /** Looks the file up. If it has to be uploaded, that goes on after `looked` has resolved. */
  function start(key: string, organisation_id: string, media_id: string): Upload {
    const upload: Upload = { looked: Promise.resolve(undefined), waiting: 0 }
    const keep = (entry: Entry): Entry => {
      known.set(key, entry)
      return entry
    }
    const fail = (fault: unknown): Entry => {
      log.warn({ carrier, media_id, err: fault }, 'a file for WhatsApp could not be uploaded')
      return keep({
        kind: 'failed',
        answer: { kind: 'unclear', description: 'upload failed' },
        until_ms: soon(FAILED_MS),
      })
    }
    const end = (): boolean => uploads.delete(key)
    upload.looked = lookUp(organisation_id, media_id).then(
      (found) => {
        if (found.kind !== 'leased') {
          end()
          return keep(found)
        }
        const work = uploadFile(organisation_id, media_id, found.file).then(keep, fail).then(end)
        track(work)
        return undefined
      },
      (fault: unknown) => {
        end()
        return fail(fault)
      },
    )
    uploads.set(key, upload)
    return upload
  }

  function track(work: Promise<unknown>): void {
    const ended = work.then(() => void running.delete(ended))
    running.add(ended)
  }

  async function lookUp(
    organisation_id: string,
    media_id: string,
  ): Promise<Entry | { kind: 'leased'; file: { type: string; filename: string | null; size: number } }> {
    const file = await findAtMeta(db, organisation_id, media_id, phone_number_id)
    if (!file) return { kind: 'gone', until_ms: soon(FAILED_MS) }
    if (file.carrier_media_id !== null) return ready(file.carrier_media_id, file)
    const is_leased = await leaseUpload(db, organisation_id, media_id, phone_number_id, LEASE_S)
    if (!is_leased) return { kind: 'elsewhere', until_ms: soon(1_000 * FIRST_WAIT_S), waiting: 0 }
    return { kind: 'leased', file: { ...file, size: Number(file.size) } }
  }

  async function uploadFile(
    organisation_id: string,
    media_id: string,
    { type, filename, size }: { type: string; filename: string | null; size: number },
  ): Promise<Entry> {
    const extend = (lease_s: number) => extendUpload(db, organisation_id, media_id, phone_number_id, lease_s)
    const lease = startPeriodicJob(
      EXTEND_EVERY_MS,
      () => extend(LEASE_S),
      () => {}, // without a lease another process may upload it, too
    )
    try {
      const content = contentOf(db, organisation_id, media_id, size)
      const answer = await graph.upload({ type, filename: filename ?? media_id, size, content })
      if (answer.kind !== 'taken') {
        log.warn({ carrier, media_id, ...shownAnswer(answer) }, 'a file for WhatsApp could not be uploaded')
        return { kind: 'failed', answer, until_ms: soon(FAILED_MS) }
      }
      await noteUploaded(db, organisation_id, media_id, phone_number_id, {
        carrier_media_id: answer.id,
        days: KEPT_DAYS,
      })
      return ready(answer.id, { type, filename })
    } catch (fault) {
      if (fault instanceof MediaGone) return { kind: 'gone', until_ms: soon(FAILED_MS) }
      throw fault
    } finally {
      await lease.stop()
      await extend(0).catch(() => {}) // without it the lease expires
    }
  }

  /** At the rate at which they can be sent, so that those which wait are not claimed again all at once. */
  function waitOf(upload: { waiting: number }): number {
    upload.waiting += 1
    return Math.min(LONGEST_WAIT_S, FIRST_WAIT_S + upload.waiting / rate_per_s)
  }

  return {
    async find(organisation_id, media) {
      if (stopping) return { kind: 'wait', retry_after_s: FIRST_WAIT_S }
      const ids = new Map<string, FileAtMeta>()
      const all = await Promise.all(media.map((media_id) => findOne(organisation_id, media_id)))
      for (const [n, found] of all.entries()) {
        if (!('kind' in found)) return { kind: 'wait', retry_after_s: waitOf(found) }
        if (found.kind === 'elsewhere') return { kind: 'wait', retry_after_s: waitOf(found) }
        if (found.kind !== 'ready') return found
        ids.set(media[n] ?? '', found.file)
      }
      return { kind: 'ready', ids }
    },

    async forget(organisation_id, ids) {
      for (const [media_id, { id: carrier_media_id }] of ids) {
        known.delete(`${organisation_id} ${media_id}`)
        await forgetUploaded(db, organisation_id, media_id, phone_number_id, carrier_media_id).catch(
          (fault: unknown) => {
            log.warn({ carrier, media_id, err: fault }, 'the id of a file could not be forgotten')
          },
        )
      }
    },

    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}

function soon(ms: number): number {
  return Date.now() + ms
}

function ready(id: string, { type, filename }: { type: string; filename: string | null }): Entry {
  const named = filename !== null && kindOf(type) === 'document'
  return { kind: 'ready', file: { id, ...(named ? { filename } : {}) }, until_ms: soon(TRUSTED_MS) }
}

function shownAnswer(answer: Exclude<UploadAnswer, { kind: 'taken' }>): object {
  return answer.kind === 'refused'
    ? { status: answer.status, code: answer.code, reason: answer.words }
    : { reason: answer.description }
}
