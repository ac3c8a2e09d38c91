import {
  DEST_FLAG,
  MAX_DESTINATIONS,
  type Destination,
  type SubmitMulti,
  type Unsuccess,
} from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import { sendTo } from '../messaging/long-texts/send-text.ts'
import type { Caller } from '../organisations/store.ts'
import type { Alphabet } from '../smpp-accounts/schema.ts'
import { newId } from '../values/id.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { Refusal } from '../values/refusal.ts'
import { readContent, recipientOf, type Content, type Refused } from './read-submit.ts'
import { OWN_STATUS } from './refusal-status.ts'
import { callbackOf } from './send-submit.ts'

/** One text to several destinations. */
export type MultiSubmit = Content & { destinations: readonly Destination[] }

/** Reads a submit_multi, or says why none of it can be sent. */
export function readMulti(pdu: SubmitMulti, alphabet: Alphabet, now_ms: number): MultiSubmit | Refused {
  const { length } = pdu.dest_address
  if (length === 0 || length > MAX_DESTINATIONS) return { command_status: STATUS.RINVNUMDESTS }
  const content = readContent(pdu, alphabet, now_ms)
  if ('command_status' in content) return content
  // A segment is kept for one recipient; a long text comes in one piece here.
  if (content.concatenation) return { command_status: STATUS.RINVESMCLASS }
  return { ...content, destinations: pdu.dest_address }
}

type MultiAnswer = { command_status: number; message_id: string; unsuccess_sme: Unsuccess[] }

/** A destination, the number it stands for, and why it is not sent to, if it is not. */
type Judged = { destination: Destination; recipient: string; refused: number | undefined }

/**
 * Sends one text to all destinations that can be sent to, as one message: charged once for each number, however often it
 * is named. The others are answered one by one.
 */
export async function takeMulti(
  deps: SendDeps,
  caller: Caller,
  account_id: string,
  submit: MultiSubmit,
): Promise<MultiAnswer> {
  const judged = await judge(deps, caller, submit.destinations)
  const id = await send(deps, caller, account_id, submit, judged)
  return {
    command_status: id === '' ? STATUS.RSUBMITFAIL : STATUS.ROK,
    message_id: id,
    unsuccess_sme: judged.flatMap(({ destination, refused }) =>
      refused === undefined ? [] : told(destination, refused),
    ),
  }
}

async function judge(deps: SendDeps, caller: Caller, destinations: readonly Destination[]): Promise<Judged[]> {
  const plan = dialPlan(caller.default_country)
  const judged = distinct(destinations).map((destination): Judged => {
    if (destination.dest_flag === DEST_FLAG.list) return { destination, recipient: '', refused: STATUS.RINVDLNAME }
    const recipient = cleanPhone(recipientOf(destination), plan)
    return { destination, recipient: recipient ?? '', refused: recipient === undefined ? STATUS.RINVDSTADR : undefined }
  })
  const opted_out = caller.has_optouts
    ? await deps.findOptedOut(caller.organisation_id, recipientsOf(judged))
    : new Set<string>()
  return judged.map((one) => (opted_out.has(one.recipient) ? { ...one, refused: OWN_STATUS.opted_out } : one))
}

function distinct(destinations: readonly Destination[]): Destination[] {
  const seen = new Map(
    destinations.map((one) => [`${one.dest_flag} ${one.dest_addr_ton} ${one.destination_addr}`, one]),
  )
  return [...seen.values()]
}

function recipientsOf(judged: readonly Judged[]): string[] {
  return [...new Set(judged.flatMap(({ recipient, refused }) => (refused === undefined ? recipient : [])))]
}

/** Gives the message's id; empty: there is nothing to send. Numbers that have no price or route are refused in `judged`. */
async function send(
  deps: SendDeps,
  caller: Caller,
  account_id: string,
  content: Content,
  judged: Judged[],
): Promise<string> {
  const recipients = recipientsOf(judged)
  if (recipients.length === 0) return ''
  const id = newId()
  const { wants, user_reference } = content
  const callback = callbackOf({ account_id, wants, segments: [], user_references: [user_reference] })
  try {
    await sendTo(deps, caller, recipients, { ...content, id, callback, in_no_hurry: false, may_repeat: false })
    return id
  } catch (fault) {
    const unreachable = new Set(faultyOf(fault).flatMap((n) => recipients[n] ?? []))
    if (unreachable.size === 0) throw fault
    for (const one of judged) if (unreachable.has(one.recipient)) one.refused ??= STATUS.RINVDSTADR
    return send(deps, caller, account_id, content, judged) // with fewer of them
  }
}

/** The places of recipients that were refused, where nothing else was. */
function faultyOf(fault: unknown): number[] {
  if (!(fault instanceof Refusal)) return []
  const places = fault.faults.map(({ field }) => /^recipients\[(\d+)\]$/.exec(field)?.[1])
  return places.every((place) => place !== undefined) ? places.map(Number) : []
}

const LONGEST_ADDRESS = 20

function told({ dest_addr_ton, dest_addr_npi, destination_addr }: Destination, error_status_code: number): Unsuccess {
  return {
    dest_addr_ton,
    dest_addr_npi,
    destination_addr: destination_addr.slice(0, LONGEST_ADDRESS),
    error_status_code,
  }
}
