import type { BindSettings } from './bind-settings.ts'
import type { Link } from './link.ts'
import { makePace } from './pace.ts'
import { makePdu, TAG, type Pdu, type SubmitSm, type PduFields } from '../../codec/pdu.ts'
import { SubmitFault, type SessionLoad, type SubmitAnswer } from './session.ts'
import { STATUS } from '../../codec/status.ts'

/** Queue of submits, bounded by window and pace. A throttled submit is requeued. */
export function makeOutbox(bind: BindSettings, onBindLost: () => void): Outbox {
  const pace = makePace(bind.rate)
  const waiting: Entry[] = []
  let link: Link | null = null
  let takes_tlvs = false
  let inflight = 0
  let submitted = 0
  let timer: NodeJS.Timeout | null = null

  function submit(fields: PduFields<'submit_sm'>, segments: number): Promise<SubmitAnswer> {
    return new Promise((resolve, reject) => {
      const refuse = (sentence: string) => reject(new SubmitFault('not_sent', sentence))
      if (link === null) return refuse('The bind is not up.')
      if (waiting.length >= MAX_WAITING) return refuse('The queue of this bind is full.')
      const sm = makePdu('submit_sm', fields)
      if (!takes_tlvs && sm.tlvs.length > 0) sm.tlvs = sm.tlvs.filter(({ tag }) => REQUIRED_TAGS.includes(tag))
      const deadline = performance.now() + bind.response_timeout_ms
      waiting.push({ sm, segments, deadline, order: submitted++, was_throttled: false, resolve, reject })
      pump()
    })
  }

  function pump(): void {
    while (link !== null && waiting.length > 0 && inflight < bind.window) {
      const now = performance.now()
      const entry = waiting[0]!
      if (now < entry.deadline) {
        const wait_ms = pace.take(entry.segments)
        if (wait_ms > 0) return pumpLater(wait_ms)
        void send(link, entry, now)
      } else giveUp(entry)
      waiting.shift()
    }
  }

  function pumpLater(wait_ms: number): void {
    timer ??= setTimeout(() => {
      timer = null
      pump()
    }, wait_ms)
  }

  async function send(via: Link, entry: Entry, sent_at: number): Promise<void> {
    inflight++
    try {
      settle(entry, await via.request(entry.sm, bind.response_timeout_ms), sent_at)
    } catch (fault) {
      entry.reject(fault)
    }
    inflight--
    pump()
  }

  function settle(entry: Entry, answer: Pdu, sent_at: number): void {
    if (answer.command_status === STATUS.RTHROTTLED) {
      pace.throttled(sent_at)
      entry.was_throttled = true
      return requeue(entry)
    }
    if (answer.command_status === STATUS.RINVBNDSTS) {
      entry.reject(new SubmitFault('not_sent', 'The SMSC refused the submit: it no longer knows our bind.'))
      if (link !== null) onBindLost()
      return
    }
    pace.accepted(sent_at)
    entry.resolve(submitAnswer(answer))
  }

  /** At its original position: the segments of a text keep their order. */
  function requeue(entry: Entry): void {
    if (link === null || performance.now() >= entry.deadline) return giveUp(entry)
    const place = waiting.findIndex(({ order }) => order > entry.order)
    waiting.splice(place < 0 ? waiting.length : place, 0, entry)
  }

  function detach(reason: string): void {
    link = null
    if (timer !== null) clearTimeout(timer)
    timer = null
    for (const entry of waiting.splice(0)) giveUp(entry, reason)
  }

  return {
    submit,
    detach,
    attach: (to: Link, with_tlvs: boolean) => {
      link = to
      takes_tlvs = with_tlvs
    },
    load: () => ({ inflight, waiting: waiting.length, rate: pace.rate, paused_ms: pace.pausedFor() }),
  }
}

export type Outbox = {
  submit(fields: PduFields<'submit_sm'>, segments: number): Promise<SubmitAnswer>
  attach(link: Link, with_tlvs: boolean): void
  /** Sends nothing more; submits in flight may still be answered. */
  detach(reason: string): void
  load(): SessionLoad
}

export function submitAnswer(answer: Pdu): SubmitAnswer {
  const message_id = answer.command === 'submit_sm_resp' ? answer.message_id : ''
  return { command_status: answer.command_status, message_id: message_id === '' ? null : message_id }
}

type Entry = {
  sm: SubmitSm
  segments: number
  deadline: number
  order: number
  was_throttled: boolean
  resolve(answer: SubmitAnswer): void
  reject(fault: unknown): void
}

const MAX_WAITING = 10_000

/**
 * Parameters without which a text would arrive incomplete. They are sent even to an SMSC that does not announce 3.4:
 * the operator chose them in the carrier's profile.
 */
const REQUIRED_TAGS: readonly number[] = [
  TAG.message_payload,
  TAG.sar_msg_ref_num,
  TAG.sar_total_segments,
  TAG.sar_segment_seqnum,
]

/** A throttled submit was refused by the SMSC: that counts as its answer. */
function giveUp(entry: Entry, reason = 'It could not be sent in time.'): void {
  if (entry.was_throttled) entry.resolve({ command_status: STATUS.RTHROTTLED, message_id: null })
  else entry.reject(new SubmitFault('not_sent', reason))
}
