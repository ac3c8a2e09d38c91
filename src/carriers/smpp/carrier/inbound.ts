import { createHash } from 'node:crypto'
import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../values/id.ts'
import type { Log } from '../../../values/log.ts'
import type { TakeTexts } from '../../message-carrier.ts'
import type { InboundText } from '../codec/decode-text.ts'
import { joinSegments } from '../codec/join-segments.ts'
import { asKept, asWritten } from '../codec/kept-text.ts'
import { findLeftBehind, forgetSegments, readPartial, storeSegment, type PartialText } from './inbound-store.ts'

export type Inbound = {
  /** Resolves once it is stored: the text handed on, or the segment kept until the others are here. */
  take(from: string, to: string, text: InboundText): Promise<void>
  stop(): Promise<void>
}

type Deps = { db: Db; log: Log; takeTexts: TakeTexts; wait_s?: number; sweep_every_ms?: number }

/** The segments that have come by then are handed on as they are. */
const WAIT_S = 2 * 3_600
const SWEEP_EVERY_MS = 30_000
const SWEEP_LIMIT = 100

/** Puts the texts of handsets together and hands them on. Segments wait in the database, so that a crash loses none. */
export function startInbound(deps: Deps, carrier: string): Inbound {
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping.then(() =>
      sweep().catch((fault: unknown) => deps.log.warn({ carrier, err: fault }, 'sweeping segments of texts failed')),
    )
  }, deps.sweep_every_ms ?? SWEEP_EVERY_MS)

  /** Its id is made of what it is, so that handing it on twice, after a crash, is handing it on once. */
  async function handOn(whole: PartialText): Promise<void> {
    const { sender: from, destination: to, reference, segments, texts, first_datetime } = whole
    const known_by = JSON.stringify([carrier, from, to, reference, segments, first_datetime])
    const received_id = createHash('sha256').update(known_by).digest('base64url')
    await deps.takeTexts([
      { carrier, from, to, text: asWritten(joinSegments(texts, segments)), channel: 'sms', received_id },
    ])
    await forgetSegments(deps.db, whole)
  }

  async function sweep(): Promise<void> {
    for (const one of await findLeftBehind(deps.db, carrier, deps.wait_s ?? WAIT_S, SWEEP_LIMIT)) await handOn(one)
  }

  return {
    async take(from, to, { text, concatenation }) {
      if (!concatenation || concatenation.total < 2) {
        await deps.takeTexts([{ carrier, from, to, text, channel: 'sms', received_id: newId() }])
        return
      }
      const { reference, total: segments, segment } = concatenation
      const key = { carrier, sender: from, destination: to, reference, segments }
      await storeSegment(deps.db, { ...key, segment, text: asKept(text) })
      const partial = await readPartial(deps.db, key)
      if (partial?.texts.length !== segments) return
      // It is stored: should handing it on fail, the sweep does it.
      await handOn(partial).catch((fault: unknown) => {
        deps.log.warn({ carrier, err: fault }, 'a text could not be handed on yet')
      })
    },
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
