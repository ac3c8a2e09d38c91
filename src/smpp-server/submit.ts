import type { DataSm, SubmitMulti, SubmitSm, Unsuccess } from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import { takeSegment, type LongTextDeps } from '../messaging/long-texts/long-texts.ts'
import type { Caller } from '../organisations/store.ts'
import { newId } from '../values/id.ts'
import type { Account } from './account.ts'
import { readSubmit, type Submit } from './read-submit.ts'
import { statusOfFault } from './refusal-status.ts'
import { callbackOf, sendSubmit } from './send-submit.ts'
import { readMulti, takeMulti, type MultiSubmit } from './submit-multi.ts'
import { segmentId } from './write-delivery.ts'

export type SubmitPdu = SubmitSm | DataSm | SubmitMulti

export type SubmitAnswer = {
  command_status: number
  message_id: string
  /** Of submit_multi: the destinations it is not sent to. */
  unsuccess_sme?: Unsuccess[]
}

/** Sends what was submitted, or keeps it until the rest has come. It resolves after the commit, and never rejects. */
export async function takeSubmit(deps: LongTextDeps, account: Account, pdu: SubmitPdu): Promise<SubmitAnswer> {
  const { alphabet } = account.row
  const read =
    pdu.command === 'submit_multi' ? readMulti(pdu, alphabet, Date.now()) : readSubmit(pdu, alphabet, Date.now())
  if ('command_status' in read) return { command_status: read.command_status, message_id: '' }
  return account.organisation.run(() => take(deps, account, read), textOf(account, read))
}

/** What the segments of one long text have in common. */
function textOf({ row }: Account, submit: Submit | MultiSubmit): string | undefined {
  if ('destinations' in submit || !submit.concatenation) return undefined
  const { reference, total } = submit.concatenation
  return JSON.stringify([row.id, submit.sender, submit.recipient, reference, total])
}

async function take(deps: LongTextDeps, account: Account, submit: Submit | MultiSubmit): Promise<SubmitAnswer> {
  try {
    const caller = await account.caller()
    if (!caller) return { command_status: STATUS.RINVBNDSTS, message_id: '' }
    if ('destinations' in submit) return await takeMulti(deps, caller, account.row.id, submit)
    return { command_status: STATUS.ROK, message_id: await takeOne(deps, caller, account.row.id, submit) }
  } catch (fault) {
    const { command_status, ours } = statusOfFault(fault)
    if (ours) deps.log.error({ system_id: account.row.system_id, err: fault }, 'a submit failed')
    return { command_status, message_id: '' }
  }
}

/** Returns the id to answer with. */
async function takeOne(deps: LongTextDeps, caller: Caller, account_id: string, submit: Submit): Promise<string> {
  const { concatenation, wants, user_reference } = submit
  if (concatenation) {
    const id = await takeSegment(deps, caller, { ...submit, account_id, concatenation }, sendSubmit)
    return segmentId(id, concatenation.segment)
  }
  const id = newId()
  const callback = callbackOf({ account_id, wants, segments: [], user_references: [user_reference] })
  await sendSubmit(deps, caller, { ...submit, id, callback, in_no_hurry: false, may_repeat: false })
  return id
}
