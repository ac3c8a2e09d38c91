import type { DataSm, SubmitMulti, SubmitSm, Unsuccess } from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import type { Caller } from '../organisations/store.ts'
import { newId } from '../values/id.ts'
import type { Account } from './account.ts'
import { takeSegment, type LongTextDeps } from './long-texts.ts'
import { readSubmit, type Refused } from './read-submit.ts'
import { statusOfFault } from './refusal-status.ts'
import { sendText } from './send-submit.ts'
import { takeMulti } from './submit-multi.ts'

export type SubmitPdu = SubmitSm | DataSm | SubmitMulti

export type SubmitAnswer = {
  command_status: number
  message_id: string
  /** Of submit_multi: the destinations it is not sent to. */
  unsuccess_sme?: Unsuccess[]
}

/** Sends what was submitted, or keeps it until the rest has come. It resolves after the commit, and never rejects. */
export async function takeSubmit(deps: LongTextDeps, account: Account, pdu: SubmitPdu): Promise<SubmitAnswer> {
  try {
    const caller = await account.caller()
    if (!caller) return { command_status: STATUS.RINVBNDSTS, message_id: '' }
    const taken =
      pdu.command === 'submit_multi'
        ? await takeMulti(deps, caller, account.row, pdu)
        : await takeOne(deps, caller, account, pdu)
    return { message_id: '', ...taken }
  } catch (fault) {
    const { command_status, ours } = statusOfFault(fault)
    if (ours) deps.log.error({ system_id: account.row.system_id, err: fault }, 'a submit failed')
    return { command_status, message_id: '' }
  }
}

async function takeOne(
  deps: LongTextDeps,
  caller: Caller,
  { row }: Account,
  pdu: SubmitSm | DataSm,
): Promise<SubmitAnswer | Refused> {
  const submit = readSubmit(pdu, row.alphabet, Date.now())
  if ('command_status' in submit) return submit
  const { concatenation, user_reference } = submit
  if (concatenation) {
    const message_id = await takeSegment(deps, caller, row.id, { ...submit, concatenation })
    return { command_status: STATUS.ROK, message_id }
  }
  const id = newId()
  const reports = { account_id: row.id, segments: [], user_references: [user_reference] }
  await sendText(deps, caller, { ...submit, ...reports, id, may_repeat: false })
  return { command_status: STATUS.ROK, message_id: id }
}
