import { isAway } from '../../db/cluster/nodes.ts'
import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { claimRows, type Claimed } from '../intake/store.ts'

/**
 * Rows of the intake of one organisation; none when that fails. Others are asked in the same turn, and what was claimed for
 * them is written down as handed over: it has to go, whatever became of this one.
 */
export async function claimRowsOf(
  { db, log }: { db: Db; log: Log },
  organisation_id: string,
  wish: { route: string; priority: number; budget: number },
): Promise<Claimed[]> {
  try {
    if (await isAway(db, organisation_id)) return []
    return await claimRows(db, organisation_id, wish)
  } catch (fault) {
    log.warn({ route: wish.route, organisation_id, err: fault }, 'taking messages of an organisation failed')
    return []
  }
}
