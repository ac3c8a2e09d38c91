import type { DataSm, SubmitSm } from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import { smppForm } from '../callbacks/formats/address.ts'
import { takeSegment, type LongTextDeps } from '../messaging/long-texts/long-texts.ts'
import { newId } from '../values/id.ts'
import type { Account } from './account.ts'
import { readSubmit } from './read-submit.ts'
import { statusOfFault } from './refusal-status.ts'
import { sendSubmit } from './send-submit.ts'
import { segmentId } from './write-delivery.ts'

export type SubmitAnswer = { command_status: number; message_id: string }

/** Sends what was submitted, or keeps it until the rest has come. It resolves after the commit, and never rejects. */
export async function takeSubmit(deps: LongTextDeps, account: Account, pdu: SubmitSm | DataSm): Promise<SubmitAnswer> {
  const submit = readSubmit(pdu, account.row.alphabet, Date.now())
  if ('command_status' in submit) return refused(submit.command_status)
  try {
    const caller = await account.caller()
    if (!caller) return refused(STATUS.RINVBNDSTS)
    const { concatenation } = submit
    const account_id = account.row.id
    if (concatenation) {
      const id = await takeSegment(deps, caller, { ...submit, account_id, concatenation }, sendSubmit)
      return { command_status: STATUS.ROK, message_id: segmentId(id, concatenation.segment) }
    }
    const id = newId()
    const { wants } = submit
    const callback = wants === 0 ? undefined : smppForm({ account_id, wants, segments: [] })
    await sendSubmit(deps, caller, { ...submit, id, callback, in_no_hurry: false, may_repeat: false })
    return { command_status: STATUS.ROK, message_id: id }
  } catch (fault) {
    const { command_status, ours } = statusOfFault(fault)
    if (ours) deps.log.error({ system_id: account.row.system_id, err: fault }, 'a submit failed')
    return refused(command_status)
  }
}

function refused(command_status: number): SubmitAnswer {
  return { command_status, message_id: '' }
}
