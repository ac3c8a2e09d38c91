import type { Db } from '../../db/connect.ts'
import { kindOf } from '../../media/kinds.ts'
import { findUsable } from '../../media/store.ts'
import type { Fault } from '../../values/refusal.ts'
import type { ContentFile } from './whatsapp-content.ts'
import type { ValueFault } from './whatsapp-values.ts'

/** A file of ours in a message: what it is sent as, and how to report that it cannot be. */
export type MediaUse = { id: string; as: string; report: (fault: ValueFault) => void }

/** Checks files before a charge: they exist, are of the right kind, and are not deleted before the message is sent. */
export async function checkMedia(
  { db }: { db: Db },
  organisation_id: string,
  uses: readonly MediaUse[],
  send_at: string | undefined,
): Promise<void> {
  if (uses.length === 0) return
  const ids = [...new Set(uses.map(({ id }) => id))]
  const known = new Map((await findUsable(db, organisation_id, ids, send_at)).map((one) => [one.id, one]))
  for (const { id, as, report } of uses) {
    const file = known.get(id)
    const fault = file ? faultOf(file, as) : UNKNOWN
    if (fault) report(fault)
  }
}

/** The same for the content of a message. */
export async function checkFiles(
  deps: { db: Db },
  organisation_id: string,
  files: readonly ContentFile[],
  send_at: string | undefined,
  faults: Fault[],
): Promise<void> {
  const uses = files.map(({ field, as, id = '' }) => ({
    id: id.toLowerCase(),
    as,
    report: ({ message, type }: ValueFault) =>
      void faults.push({ field: `whatsapp${field}.id`, message: `This file cannot be sent: ${message}.`, type }),
  }))
  await checkMedia(deps, organisation_id, uses, send_at)
}

type Usable = Awaited<ReturnType<typeof findUsable>>[number]

const UNKNOWN: ValueFault = { message: 'there is no such file', type: 'not_found' }

function faultOf({ type, state, lasts }: Usable, as: string): ValueFault | undefined {
  if (state !== 'stored') return { message: 'its content is not stored', type: 'invalid' }
  if (!lasts) return { message: 'it is deleted before the message is sent', type: 'expired' }
  if (kindOf(type) === as) return undefined
  const kind = kindOf(type)
  const fitting = kind === undefined ? 'which WhatsApp does not send' : `which is sent as ${kind}`
  return { message: `it is ${type}, ${fitting}`, type: 'invalid' }
}
