import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { decideSender, findAllSenders } from '../../senders/decide.ts'
import { findSenderByName } from '../../senders/store.ts'
import { withDatabase } from '../database.ts'
import { form, valued, type Command } from '../terminal/command.ts'
import { notFound } from '../terminal/operator-fault.ts'
import { done, rows, type Result } from '../terminal/result.ts'
import { ORGANISATION, withAccount } from './which-organisation.ts'

const DECISION = { ...ORGANISATION, reason: valued('TEXT', 'the reason, shown to the organisation') }
const LIST = 'list senders of all organisations, pending ones first'

/** The operator's decisions on the senders of organisations. */
export const senders: Command = [
  form('', LIST, {}, list),
  form('list', LIST, {}, list),
  form('approve SENDER', 'approve a sender', DECISION, (given, name = '') => decide(given, name, 'approved')),
  form('reject SENDER', 'reject a sender', DECISION, (given, name = '') => decide(given, name, 'rejected'), [
    "gangan senders reject MyBank --reason 'a trademark of another company'",
  ]),
]

async function list(): Promise<Result> {
  const all = await withDatabase(readConfig(), (db) => findAllSenders({ db }))
  const live = all.filter(({ mode }) => mode === 'live')
  return rows(live, {
    organisation: (one) => one.organisation_id,
    sender: (one) => one.sender_id,
    state: (one) => one.state,
    class: (one) => one.class,
    name: (one) => one.organisation,
    note: (one) => one.note,
    reason: (one) => one.reason,
  })
}

async function decide(
  { reason = null, ...given }: { organisation?: string; reason?: string | null },
  name: string,
  wanted: 'approved' | 'rejected',
): Promise<Result> {
  const { sender_id, state } = await withAccount(given, async (db, organisation_id) =>
    decideSender({ db }, organisation_id, await idOf(db, organisation_id, name), { state: wanted, reason }),
  )
  return done(`${sender_id} is ${state}.`, { sender_id, state })
}

async function idOf(db: Db, organisation_id: string, name: string): Promise<string> {
  const found = await findSenderByName(db, organisation_id, name)
  if (!found) throw notFound(`${organisation_id} has no sender ${name}; gangan senders list shows them.`)
  return found.id
}
