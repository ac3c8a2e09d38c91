import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import type { TakeTexts } from '../message-carrier.ts'
import type { InboundText } from '../codec/decode-text.ts'
import { fromStorable, joinSegments, toStorable } from '../codec/join-segments.ts'
import {
  findLeftBehind,
  forgetOldPdus,
  forgetPdus,
  forgetSegments,
  knowPdu,
  readPartial,
  storeSegment,
  type PartialText,
} from './store.ts'

export type Joiner = {
  /**
   * Resolves once it is stored: the text itself, or a segment that waits for the others. A PDU or post with the digest of
   * an earlier one is a redelivery.
   */
  take(from: string, to: string, text: Pick<InboundText, 'text' | 'concatenation'>, digest: Buffer): Promise<void>
  /** The carrier has read our answer: an equal PDU from now on is another text. */
  forget(digest: Buffer): void
}

export type Inbound = Joiner & { stop(): Promise<void> }

type Deps = {
  db: Db
  log: Log
  takeTexts: TakeTexts
  wait_s?: number
  /** How long the carrier may redeliver a PDU or post whose answer it did not read. */
  known_s?: number
  sweep_every_ms?: number
}

/** After this time an incomplete text is passed on without the missing segments. */
const WAIT_S = 2 * 3_600
const SWEEP_INTERVAL_MS = 30_000
const SWEEP_LIMIT = 100
const KNOWN_S = 3_600

/**
 * Joins the segments of texts. Segments are stored in the database, so that a crash loses none and any process may receive
 * them; `startInbound` must run in some process to pass on texts that were left incomplete.
 */
export function makeJoiner(deps: Pick<Deps, 'db' | 'log' | 'takeTexts'>, carrier: string): Joiner {
  const forgetDigest = makeBatchWriter<Buffer>(
    { items: 500 },
    (digests) => forgetPdus(deps.db, carrier, digests),
    isDatabaseUnreachable,
  )

  return {
    async take(from, to, { text, concatenation }, digest) {
      if (!concatenation || concatenation.total < 2) {
        const received_id = await knowPdu(deps.db, carrier, digest, newId())
        await deps.takeTexts([{ carrier, from, to, text, channel: 'sms', received_id }])
        return
      }
      const { reference, total: segments, segment } = concatenation
      const key = { carrier, sender: from, destination: to, reference, segments }
      await storeSegment(deps.db, { ...key, segment, text: toStorable(text) }, digest)
      const whole = await readPartial(deps.db, key, segments)
      if (!whole) return
      // It is stored: if this fails, the sweep passes it on.
      await passOn(deps, whole).catch((fault: unknown) => {
        deps.log.warn({ carrier, err: fault }, 'a joined text could not be stored yet')
      })
    },
    forget(digest) {
      forgetDigest(digest).catch((fault: unknown) => {
        deps.log.warn({ carrier, err: fault }, 'a read answer could not be stored')
      })
    },
  }
}

/** Joins segments, passes on texts that were left incomplete, and deletes digests that cannot be redelivered any more. */
export function startInbound(deps: Deps, carrier: string): Inbound {
  async function sweep(): Promise<void> {
    await forgetOldPdus(deps.db, carrier, deps.known_s ?? KNOWN_S)
    for (const one of await findLeftBehind(deps.db, carrier, deps.wait_s ?? WAIT_S, SWEEP_LIMIT)) {
      const left = await readPartial(deps.db, one, 1)
      if (left) await passOn(deps, left)
    }
  }

  const job = startPeriodicJob(deps.sweep_every_ms ?? SWEEP_INTERVAL_MS, sweep, (fault) =>
    deps.log.warn({ carrier, err: fault }, 'sweeping segments of texts failed'),
  )
  return { ...makeJoiner(deps, carrier), stop: () => job.stop() }
}

/** The id is derived from the text's key, so that passing it on again after a crash has no effect. */
async function passOn({ db, takeTexts }: Pick<Deps, 'db' | 'takeTexts'>, whole: PartialText): Promise<void> {
  const { carrier, sender: from, destination: to, reference, segments, texts, first_datetime } = whole
  const known_by = JSON.stringify([carrier, from, to, reference, segments, first_datetime])
  const received_id = createHash('sha256').update(known_by).digest('base64url')
  const text = fromStorable(joinSegments(texts, segments))
  await takeTexts([{ carrier, from, to, text, channel: 'sms', received_id }])
  await forgetSegments(db, whole)
}
