import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { cached } from '../../values/concurrency/cached.ts'
import type { Log } from '../../values/log.ts'
import { describeAvailability, makeAvailability } from '../availability.ts'
import { readAvailability } from '../availability-store.ts'
import { descriptionOf } from '../delivery-codes.ts'
import type { CarrierKind } from '../kind.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome, TakeOptouts } from '../message-carrier.ts'
import { makeRateLimit } from '../rate-limit.ts'
import { describeError, judgeError } from './codes.ts'
import { makeGraph, type SendAnswer } from './graph.ts'
import { makePace } from './pace.ts'
import type { WhatsappSettings } from './schema.ts'
import { isReached, listLimits, listNumbers } from './number-store.ts'
import { isSubmission } from './store.ts'
import { startSync } from './sync.ts'
import { makeUploads, type FoundFiles } from './uploads.ts'
import { placeholderId, writeMessage } from './wire.ts'

export type WhatsappDeps = {
  db: Db
  log: Log
  meters: Meters
  takeOptouts: TakeOptouts
  /** The organisation that a number is assigned to. */
  ownerOf: (digits: string) => Promise<string | undefined>
}

export const whatsappKind: CarrierKind<WhatsappSettings, WhatsappDeps> = {
  start: startWhatsapp,
  async describe({ db }, carriers) {
    const [stored, limits, numbers] = await Promise.all([readAvailability(db), listLimits(db), listNumbers(db)])
    return carriers.map(({ name, kind, account }) => {
      const state = describeAvailability(name, stored)
      const limit = limits.find((one) => one.account === account)
      const quality = numbers.find((one) => one.carrier === name)?.quality
      const trouble = [
        ...(limit && isReached(limit)
          ? [`messaging limit: ${limit.used} of ${limit.recipients} people in 24 hours, so that templates wait`]
          : []),
        ...(quality === 'RED' ? ['Meta rates the quality of the number as low'] : []),
      ]
      if (state.state === 'down' || trouble.length === 0) return { name, kind, ...state }
      return { name, kind, state: 'degraded' as const, detail: trouble.join('; ') }
    })
  },
}

const OWNER_CACHED_MS = 1_000
const UNREAD_S = 1
const NOT_ASSIGNED: SubmitOutcome = {
  kind: 'rejected',
  code: 'number',
  description: descriptionOf('number'),
}

const BATCH = 32
const MAX_IN_FLIGHT = 128
/** Recipients may be offline for days. Without a report in this time a message is `unknown`; a later one still counts. */
const REPORT_DUE_S = 72 * 3_600
const OTP_REPORT_DUE_S = 3_600
/** When a message without an answer becomes `unknown`, unless Meta mentions it before. */
const UNCLEAR_DUE_S = 900
const UNREACHED_S = 5
const STOP_GRACE_MS = 5_000

/** A business number at WhatsApp's Cloud API: one call per message, and reports by webhook. */
function startWhatsapp(deps: WhatsappDeps, settings: WhatsappSettings): MessageCarrier {
  const { name: carrier, account, digits } = settings
  const is_shared = carrier === account
  const readOwner = cached(OWNER_CACHED_MS, () => deps.ownerOf(digits ?? ''))
  const graph = makeGraph(settings)
  const availability = makeAvailability(deps, carrier)
  const pace = makePace({ ...deps, rate_limit: makeRateLimit(deps, settings, availability) }, settings)
  const sync = startSync({ ...deps, graph }, settings)
  const uploads = makeUploads({ ...deps, graph }, settings)
  const in_flight = new Set<Promise<SubmitOutcome>>()
  /** Messages that may be in flight now: halved when Meta asks to slow down, then raised by one per accepted message. */
  let window = MAX_IN_FLIGHT
  let stopping = false

  /**
   * A number may be assigned to another organisation while messages wait or are scheduled. The first one is shared. One that
   * was assigned a moment ago is read again.
   */
  async function mayUse({ organisation_id }: OutgoingMessage): Promise<boolean> {
    if (is_shared || (await readOwner('')) === organisation_id) return true
    return (await deps.ownerOf(digits ?? '')) === organisation_id
  }

  async function submitOne(message: OutgoingMessage, preparing: Promise<Prepared>): Promise<SubmitOutcome> {
    const may_use = await mayUse(message).catch(() => undefined) // the database cannot be reached
    const { wait_s, files } = await preparing
    if (stopping) return { kind: 'held' }
    if (may_use === undefined) return { kind: 'held', retry_after_s: UNREAD_S }
    if (!may_use) return NOT_ASSIGNED
    if (wait_s > 0) return { kind: 'held', retry_after_s: wait_s }
    if (files && files.kind !== 'ready') return withoutFiles(message, files)
    const answer = await graph.send(writeMessage(message, settings.otp_template, files?.ids))
    if (!files || !isUnknownFile(answer)) return outcomeOf(message, answer)
    await uploads.forget(message.organisation_id, files.ids)
    return { kind: 'temporary', code: String(answer.code), description: answer.words ?? '', retry_after_s: 1 }
  }

  /** Only messages whose files are there take part in the number's rates. */
  async function prepare(messages: readonly OutgoingMessage[]): Promise<Prepared[]> {
    if (!messages.some(hasFiles)) return (await pace(messages)).map((wait_s) => ({ wait_s }))
    const files = await Promise.all(
      messages.map(async ({ organisation_id, whatsapp }) =>
        whatsapp?.media ? uploads.find(organisation_id, whatsapp.media) : undefined,
      ),
    )
    const going = messages.filter((_, n) => (files[n]?.kind ?? 'ready') === 'ready')
    const waits = new Map((await pace(going)).map((wait_s, n) => [going[n], wait_s]))
    return messages.map((message, n) => ({ wait_s: waits.get(message) ?? 0, files: files[n] }))
  }

  async function withoutFiles(
    message: OutgoingMessage,
    files: Exclude<FoundFiles, { kind: 'ready' }>,
  ): Promise<SubmitOutcome> {
    switch (files.kind) {
      case 'wait':
        return { kind: 'held', retry_after_s: files.retry_after_s }
      case 'gone':
        return { kind: 'rejected', code: 'media_gone', description: descriptionOf('media_gone') }
      case 'failed': {
        const { answer } = files
        // The message itself was not sent, whatever became of the file.
        if (answer.kind === 'unclear') return { kind: 'temporary', code: 'upload', description: answer.description }
        return outcomeOf(message, answer)
      }
    }
  }

  async function outcomeOf(message: OutgoingMessage, answer: SendAnswer): Promise<SubmitOutcome> {
    switch (answer.kind) {
      case 'taken':
        availability.working()
        window = Math.min(MAX_IN_FLIGHT, window + 1)
        return { kind: 'accepted', carrier_message_id: answer.wamid, report_due_s: reportDue(message) }
      case 'unreached':
        availability.unreached(UNREACHED_S, answer.description)
        deps.log.warn({ carrier, reason: answer.description }, 'WhatsApp cannot be reached')
        return { kind: 'held', retry_after_s: UNREACHED_S }
      case 'unclear':
        return unclearOutcome(message, answer.description)
      case 'refused':
        return refusedOutcome(message, answer)
    }
  }

  /**
   * Meta may have the message, so it is not sent again: it counts as accepted under a placeholder id until a webhook
   * names it by our reference, which may have happened already. A one-time password may be sent again.
   */
  async function unclearOutcome(message: OutgoingMessage, description: string): Promise<SubmitOutcome> {
    if (message.token !== undefined) return { kind: 'unknown', description }
    const carrier_message_id = placeholderId(message)
    const is_known = await isSubmission(deps.db, carrier, carrier_message_id).catch(() => false)
    return { kind: 'accepted', carrier_message_id, report_due_s: is_known ? REPORT_DUE_S : UNCLEAR_DUE_S }
  }

  async function refusedOutcome(
    { attempt, organisation_id, recipient }: OutgoingMessage,
    answer: Extract<SendAnswer, { kind: 'refused' }>,
  ): Promise<SubmitOutcome> {
    const verdict = judgeError(answer.code, answer.status, attempt)
    const code = answer.code === undefined ? `http ${answer.status}` : String(answer.code)
    const description = describeError(answer.code, answer.words)
    switch (verdict.action) {
      case 'fail':
        if (verdict.opted_out) await storeOptout(organisation_id, recipient)
        return { kind: 'rejected', code, description }
      case 'retry':
        if (verdict.slow_down) window = Math.max(1, Math.floor(window / 2))
        return { kind: 'temporary', code, description, retry_after_s: verdict.after_s }
      case 'pause':
        window = 1 // the first message after the pause probes whether it is over
        await availability.pause({ for_s: verdict.for_s, code, reason: description }, verdict.alert)
        return { kind: 'held', retry_after_s: 1 }
    }
  }

  /** If it cannot be stored now, it is stored with the next message: Meta refuses that one as well. */
  async function storeOptout(organisation_id: string, recipient: string): Promise<void> {
    await deps.takeOptouts([{ carrier, recipient, organisation_id }]).catch((fault: unknown) => {
      deps.log.warn({ carrier, err: fault }, 'an opt-out could not be stored')
    })
  }

  return {
    name: carrier,
    batch: BATCH,
    limit: MAX_IN_FLIGHT,
    resubmittable: false,
    freeCapacity: () => (availability.isBackingOff() ? 0 : Math.max(0, window - in_flight.size)),
    downFor: () => availability.downFor(),

    submit(messages) {
      const all = prepare(messages)
      return messages.map((message, n) => {
        const preparing = all.then((prepared) => prepared[n] ?? { wait_s: 0 })
        const outcome = submitOne(message, preparing)
        in_flight.add(outcome)
        return outcome.finally(() => in_flight.delete(outcome))
      })
    },

    download: graph.download,

    async stop() {
      stopping = true
      const grace = setTimeout(() => void graph.stop(), STOP_GRACE_MS)
      await Promise.allSettled(in_flight)
      clearTimeout(grace)
      await graph.stop() // also aborts a template sync and uploads in progress
      await sync.stop()
      await uploads.stop()
    },
  }
}

type Prepared = { wait_s: number; files?: FoundFiles | undefined }

function hasFiles({ whatsapp }: OutgoingMessage): boolean {
  return whatsapp?.media !== undefined
}

const UNKNOWN_FILE = /media (attachment )?id/i

/** Meta does not know the id of a file, which it deletes after 30 days or when asked to. */
function isUnknownFile(answer: SendAnswer): answer is Extract<SendAnswer, { kind: 'refused' }> {
  return (
    answer.kind === 'refused' &&
    (answer.code === 100 || answer.code === 131009) &&
    UNKNOWN_FILE.test(answer.words ?? '')
  )
}

function reportDue({ token }: OutgoingMessage): number {
  return token === undefined ? REPORT_DUE_S : OTP_REPORT_DUE_S
}
