import type { StoreSales } from '../../billing/charge.ts'
import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { HandsOf } from '../dispatch/hands.ts'
import { intakeQueue, writeWaiting } from '../dispatch/queues.ts'
import type { Draft } from '../draft.ts'
import type { IntakeDepth } from '../intake/depth.ts'
import { holdNew, type HeldRow } from '../intake/held-row.ts'
import { fillRows, type NewRow } from '../intake/row.ts'
import { acceptMessages, type Accepted, type Burst } from './store.ts'

export type AcceptDeps = {
  db: Db
  wakeups: Wakeups
  handsOf: HandsOf
  depth: Pick<IntakeDepth, 'add'>
}

/** Charges messages and puts them into the intake. */
export function makeAcceptMessages(deps: AcceptDeps): StoreSales<Draft> {
  return (organisation_id, sales) =>
    putIn(
      deps,
      organisation_id,
      sales.map(({ item }) => item),
      (burst) => acceptMessages(deps.db, organisation_id, sales, burst, true),
    )
}

/**
 * Stores messages by what `write` does, and sees to it that they go. A row for which this process has room is stored as
 * in hand, and handed over after the commit; should the process die in between, the row's lease ends and somebody else
 * finds it. Of the others those who can hand them over are told.
 */
export async function putIn(
  { wakeups, handsOf, depth }: Omit<AcceptDeps, 'db'>,
  organisation_id: string,
  drafts: readonly Draft[],
  write: (burst: Burst) => Promise<Accepted>,
): Promise<Accepted> {
  const { rows, stored } = fillRows(drafts)
  const held = rows.map((row) => ({ row, hands: handsOf(row.route).find((hands) => hands.reserve(row)) }))
  const burst = { rows: held.map(({ row, hands }) => ({ ...row, in_hand: hands !== undefined })), stored }
  try {
    const accepted = await write(burst)
    for (const { row, hands } of held) {
      const kept = storedOf(row, accepted)
      if (hands) hands.take(row.size, kept && handOver(organisation_id, kept, accepted))
      else if (kept) {
        depth.add(organisation_id, row.size)
        wakeups.wake(intakeQueue(row.route), 0, writeWaiting(row.priority, organisation_id))
      }
    }
    return accepted
  } catch (fault) {
    for (const { row, hands } of held) hands?.take(row.size, undefined)
    throw fault
  }
}

/** What was stored of a row: messages that were not charged are not in it. */
function storedOf(row: NewRow, { charged }: Accepted): NewRow | undefined {
  if (!charged) return row
  const paid = new Set(charged)
  const items = row.items.filter(({ id }) => paid.has(id))
  return items.length === 0 ? undefined : { ...row, items }
}

function handOver(organisation_id: string, row: NewRow, { moment, opted_out }: Accepted): HeldRow {
  return holdNew(organisation_id, row, { accepted: moment, opted_out: new Set(opted_out) })
}
