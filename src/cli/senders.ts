import { readConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { decideSender, findAllSenders } from '../senders/decide.ts'
import { findSenderByName } from '../senders/store.ts'
import { Refusal } from '../values/refusal.ts'
import { form, type Command } from './terminal/command.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { table } from './terminal/table.ts'
import { whichOrganisation } from './which-organisation.ts'

const ORGANISATION_OPTIONS = { organisation: 'text', reason: 'text' } as const

/** The operator's word on the senders of organisations. */
export const senders: Command = [
  form('', {}, list),
  form('list', {}, list),
  form('approve SENDER', ORGANISATION_OPTIONS, (values, name = '') => decide(values, name, 'approved')),
  form('reject SENDER', ORGANISATION_OPTIONS, (values, name = '') => decide(values, name, 'rejected')),
]

async function list(): Promise<void> {
  const rows = await withDatabase(readConfig(), (db) => findAllSenders({ db }))
  process.stdout.write(
    table(
      ['organisation', 'sender', 'state', 'class', 'name', 'note', 'reason'],
      rows
        .filter(({ mode }) => mode === 'live')
        .map((row) => [
          row.organisation_id,
          row.sender_id,
          row.state,
          row.class,
          row.organisation,
          row.note ?? '',
          row.reason ?? '',
        ]),
    ),
  )
}

async function decide(
  { organisation, reason = null }: { organisation?: string; reason?: string | null },
  name: string,
  wanted: 'approved' | 'rejected',
): Promise<void> {
  const { sender_id, state } = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichOrganisation(db, organisation)
    const decision = { state: wanted, reason }
    return decideSender({ db }, organisation_id, await idOf(db, organisation_id, name), decision).catch(asOperatorFault)
  })
  process.stdout.write(`${sender_id} is ${state}.\n`)
}

async function idOf(db: Db, organisation_id: string, name: string): Promise<string> {
  const found = await findSenderByName(db, organisation_id, name)
  if (!found) throw new OperatorFault(`${organisation_id} has no sender ${name}; gangan senders list shows them.`)
  return found.id
}

function asOperatorFault(fault: unknown): never {
  throw fault instanceof Refusal ? new OperatorFault(fault.message) : fault
}
