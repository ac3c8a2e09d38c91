import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { decideSender, findAllSenders } from '../senders/decide.ts'
import { findSenderByName } from '../senders/store.ts'
import { Refusal } from '../values/refusal.ts'
import { withDatabase } from './database.ts'
import { OperatorFault } from './operator-fault.ts'
import { table } from './table.ts'
import { whichOrganisation } from './which-organisation.ts'

/** The operator's word on the senders of organisations. */
export async function senders(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { organisation: { type: 'string' }, reason: { type: 'string' } },
  })
  const [action = 'list', sender_id] = positionals
  if (action === 'list') return list()
  if ((action === 'approve' || action === 'reject') && sender_id !== undefined) {
    const state = action === 'approve' ? 'approved' : 'rejected'
    return decide(values.organisation, sender_id, { state, reason: values.reason ?? null })
  }
  throw new OperatorFault('Say gangan senders list, senders approve SENDER, or senders reject SENDER.')
}

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

type Decision = { state: 'approved' | 'rejected'; reason: string | null }

async function decide(organisation: string | undefined, name: string, decision: Decision): Promise<void> {
  const { sender_id, state } = await withDatabase(readConfig(), async (db) => {
    const organisation_id = await whichOrganisation(db, organisation)
    return decideSender({ db }, organisation_id, await idOf(db, organisation_id, name), decision).catch(tellOperator)
  })
  process.stdout.write(`${sender_id} is ${state}.\n`)
}

async function idOf(db: Db, organisation_id: string, name: string): Promise<string> {
  const found = await findSenderByName(db, organisation_id, name)
  if (!found) throw new OperatorFault(`${organisation_id} has no sender ${name}; gangan senders list shows them.`)
  return found.id
}

function tellOperator(fault: unknown): never {
  throw fault instanceof Refusal ? new OperatorFault(fault.message) : fault
}
