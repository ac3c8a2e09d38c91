import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import type { TakeTexts } from '../message-carrier.ts'
import type { InboundText } from '../smpp/codec/decode-text.ts'
import { fromStorable, joinSegments, toStorable } from '../smpp/codec/join-segments.ts'
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
   * Resolves once it is stored: the text handed on, or the segment kept until the others are here. A PDU or post with the
   * digest of one before it is that one, come again.
   */
  take(from: string, to: string, text: Pick<InboundText, 'text' | 'concatenation'>, digest: Buffer): Promise<void>
  /** Our answer to it was read: what is alike from now on is another text. */
  forget(digest: Buffer): void
}

export type Inbound = Joiner & { stop(): Promise<void> }

type Deps = {
  db: Db
  log: Log
  takeTexts: TakeTexts
  wait_s?: number
  /** How long the carrier may deliver a PDU or post again whose answer it did not read. */
  known_s?: number
  sweep_every_ms?: number
}

/** The segments that have come by then are handed on as they are. */
const WAIT_S = 2 * 3_600
const SWEEP_EVERY_MS = 30_000
const SWEEP_LIMIT = 100
const KNOWN_S = 3_600

/**
 * Joins the segments of texts. They wait in the database, so that a crash loses none and any process may receive them;
 * `startInbound` must run somewhere for what is left behind.
 */
export function makeJoiner(deps: Pick<Deps, 'db' | 'log' | 'takeTexts'>, carrier: string): Joiner {
  const forgetBurst = makeBatchWriter<Buffer, undefined>(
    { items: 500 },
    async (digests) => {
      await forgetPdus(deps.db, carrier, digests)
      return digests.map(() => undefined)
    },
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
      // It is stored: should handing it on fail, the sweep does it.
      await advanceRow(deps, whole).catch((fault: unknown) => {
        deps.log.warn({ carrier, err: fault }, 'a text could not be handed on yet')
      })
    },
    forget(digest) {
      forgetBurst(digest).catch((fault: unknown) => {
        deps.log.warn({ carrier, err: fault }, 'that an answer was read could not be written down')
      })
    },
  }
}

/** Joins segments, and sweeps: hands on texts that were left behind, and forgets PDUs and posts that do not come again. */
export function startInbound(deps: Deps, carrier: string): Inbound {
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping.then(() =>
      sweep().catch((fault: unknown) => deps.log.warn({ carrier, err: fault }, 'sweeping segments of texts failed')),
    )
  }, deps.sweep_every_ms ?? SWEEP_EVERY_MS)

  async function sweep(): Promise<void> {
    await forgetOldPdus(deps.db, carrier, deps.known_s ?? KNOWN_S)
    for (const one of await findLeftBehind(deps.db, carrier, deps.wait_s ?? WAIT_S, SWEEP_LIMIT)) {
      const left = await readPartial(deps.db, one, 1)
      if (left) await advanceRow(deps, left)
    }
  }

  return {
    ...makeJoiner(deps, carrier),
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}

/** Its id is made of what it is, so that handing it on twice, after a crash, is handing it on once. */
async function advanceRow({ db, takeTexts }: Pick<Deps, 'db' | 'takeTexts'>, whole: PartialText): Promise<void> {
  const { carrier, sender: from, destination: to, reference, segments, texts, first_datetime } = whole
  const known_by = JSON.stringify([carrier, from, to, reference, segments, first_datetime])
  const received_id = createHash('sha256').update(known_by).digest('base64url')
  const text = fromStorable(joinSegments(texts, segments))
  await takeTexts([{ carrier, from, to, text, channel: 'sms', received_id }])
  await forgetSegments(db, whole)
}
