import { smppForm } from '../callbacks/formats/address.ts'
import { DEST_FLAG, type Destination, type Unsuccess } from '../carriers/codec/pdu.ts'
import { STATUS } from '../carriers/codec/status.ts'
import type { SendDeps } from '../messaging/accept/send.ts'
import { receiveSegment, type LongTextDeps } from '../messaging/long-texts/long-texts.ts'
import { sendText, sendTo, type WholeText } from '../messaging/long-texts/send-text.ts'
import type { Caller } from '../organisations/store.ts'
import { newId } from '../values/id.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { Refusal } from '../values/refusal.ts'
import type { Account } from './account.ts'
import {
  readMulti,
  readSubmit,
  recipientOf,
  type Content,
  type MultiSubmit,
  type Submit,
  type SubmitPdu,
} from './read-submit.ts'
import { OptedOut, OWN_STATUS, statusOfFault } from './refusal-status.ts'
import { segmentId } from './write-delivery.ts'

export type SubmitAnswer = {
  command_status: number
  message_id: string
  /** Of submit_multi: the destinations it is not sent to. */
  unsuccess_sme?: Unsuccess[]
}

/** Sends the submitted message, or stores a segment until the others arrive. Resolves after the commit; never rejects. */
export async function takeSubmit(deps: LongTextDeps, account: Account, pdu: SubmitPdu): Promise<SubmitAnswer> {
  const { alphabet } = account.row
  const read =
    pdu.command === 'submit_multi' ? readMulti(pdu, alphabet, Date.now()) : readSubmit(pdu, alphabet, Date.now())
  if ('command_status' in read) return { command_status: read.command_status, message_id: '' }
  return account.organisation.run(() => take(deps, account, read), longTextKey(account, read))
}

/** Identifies the long text that a segment belongs to. */
function longTextKey({ row }: Account, submit: Submit | MultiSubmit): string | undefined {
  if ('destinations' in submit || !submit.concatenation) return undefined
  const { reference, total } = submit.concatenation
  return JSON.stringify([row.id, submit.sender, submit.recipient, reference, total])
}

async function take(deps: LongTextDeps, account: Account, submit: Submit | MultiSubmit): Promise<SubmitAnswer> {
  try {
    const caller = await account.caller()
    if (!caller) return { command_status: STATUS.RINVBNDSTS, message_id: '' }
    if ('destinations' in submit) return await sendMulti(deps, caller, account.row.id, submit)
    return { command_status: STATUS.ROK, message_id: await sendOne(deps, caller, account.row.id, submit) }
  } catch (fault) {
    const { command_status, ours } = statusOfFault(fault)
    if (ours) deps.log.error({ system_id: account.row.system_id, err: fault }, 'a submit failed')
    return { command_status, message_id: '' }
  }
}

/** Returns the message_id to answer with. */
async function sendOne(deps: LongTextDeps, caller: Caller, account_id: string, submit: Submit): Promise<string> {
  const { concatenation } = submit
  if (concatenation) {
    const id = await receiveSegment(deps, caller, { ...submit, account_id, concatenation }, sendUnlessOptedOut)
    return segmentId(id, concatenation.segment)
  }
  const whole = wholeText(account_id, submit)
  await sendUnlessOptedOut(deps, caller, { ...submit, ...whole })
  return whole.id
}

/** Reports go to the account's receivers, if the client asked for any. */
function wholeText(account_id: string, { wants, user_reference }: Content) {
  const address = { account_id, wants, segments: [], user_references: [user_reference] }
  return {
    id: newId(),
    callback: wants === 0 ? undefined : smppForm(address),
    is_bulk: false,
    may_repeat: false,
  }
}

async function sendUnlessOptedOut(deps: SendDeps, caller: Caller, whole: WholeText): Promise<void> {
  const recipient = caller.has_optouts ? cleanPhone(whole.recipient, dialPlan(caller.default_country)) : undefined
  if (recipient !== undefined) {
    const opted_out = await deps.findOptedOut(caller.organisation_id, [recipient])
    if (opted_out.has(recipient)) throw new OptedOut()
  }
  await sendText(deps, caller, whole)
}

/** A destination with its number, and the status if it is not sent to. */
type Checked = { destination: Destination; recipient: string; refused: number | undefined }

/**
 * Sends one message to all valid destinations, charged once for each number, even if it is listed twice. The invalid ones
 * are returned in unsuccess_sme.
 */
async function sendMulti(
  deps: SendDeps,
  caller: Caller,
  account_id: string,
  submit: MultiSubmit,
): Promise<SubmitAnswer> {
  const checked = await checkDestinations(deps, caller, submit.destinations)
  const message_id = await sendToValid(deps, caller, account_id, submit, checked)
  return {
    command_status: message_id === '' ? STATUS.RSUBMITFAIL : STATUS.ROK,
    message_id,
    unsuccess_sme: checked.flatMap(({ destination, refused }) =>
      refused === undefined ? [] : unsuccessOf(destination, refused),
    ),
  }
}

async function checkDestinations(
  deps: SendDeps,
  caller: Caller,
  destinations: readonly Destination[],
): Promise<Checked[]> {
  const plan = dialPlan(caller.default_country)
  const checked = distinct(destinations).map((destination): Checked => {
    if (destination.dest_flag === DEST_FLAG.list) return { destination, recipient: '', refused: STATUS.RINVDLNAME }
    const recipient = cleanPhone(recipientOf(destination), plan)
    return { destination, recipient: recipient ?? '', refused: recipient === undefined ? STATUS.RINVDSTADR : undefined }
  })
  const opted_out = caller.has_optouts
    ? await deps.findOptedOut(caller.organisation_id, validRecipients(checked))
    : new Set<string>()
  return checked.map((one) => (opted_out.has(one.recipient) ? { ...one, refused: OWN_STATUS.opted_out } : one))
}

function distinct(destinations: readonly Destination[]): Destination[] {
  const seen = new Map(
    destinations.map((one) => [`${one.dest_flag} ${one.dest_addr_ton} ${one.destination_addr}`, one]),
  )
  return [...seen.values()]
}

function validRecipients(checked: readonly Checked[]): string[] {
  return [...new Set(checked.flatMap(({ recipient, refused }) => (refused === undefined ? recipient : [])))]
}

/** Returns the message's id; empty: no destination is valid. Marks numbers without price or route as refused. */
async function sendToValid(
  deps: SendDeps,
  caller: Caller,
  account_id: string,
  content: Content,
  checked: Checked[],
): Promise<string> {
  const recipients = validRecipients(checked)
  if (recipients.length === 0) return ''
  const whole = wholeText(account_id, content)
  try {
    await sendTo(deps, caller, recipients, { ...content, ...whole })
    return whole.id
  } catch (fault) {
    const unreachable = new Set(refusedPositions(fault).flatMap((n) => recipients[n] ?? []))
    if (unreachable.size === 0) throw fault
    for (const one of checked) if (unreachable.has(one.recipient)) one.refused ??= STATUS.RINVDSTADR
    return sendToValid(deps, caller, account_id, content, checked)
  }
}

/** The positions of refused recipients, if nothing else was refused. */
function refusedPositions(fault: unknown): number[] {
  if (!(fault instanceof Refusal)) return []
  const positions = fault.faults.map(({ field }) => /^recipients\[(\d+)\]$/.exec(field)?.[1])
  return positions.every((position) => position !== undefined) ? positions.map(Number) : []
}

const MAX_ADDRESS = 20

function unsuccessOf({ dest_addr_ton, dest_addr_npi, destination_addr }: Destination, status: number): Unsuccess {
  const address = destination_addr.slice(0, MAX_ADDRESS)
  return { dest_addr_ton, dest_addr_npi, destination_addr: address, error_status_code: status }
}
