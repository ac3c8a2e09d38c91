import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId } from '../values/id.ts'
import { present } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import { endKeyAfter, listKeys, lockKey, revokeKey, type KeyRow } from './key-store.ts'
import { issueKey } from './keys.ts'
import type { IssuedKey, KeyBody, RotatedKey, ShownKey } from './schema.ts'
import { findOrganisation } from './store.ts'

/** Records a change of keys in the same transaction. */
export type AlsoNote = (
  tx: Tx,
  deed: { action: string; subject: string; after: Record<string, unknown> },
) => Promise<void>

/** The keys of an organisation and its test twin, whichever of the two is named; newest first. */
export async function findKeys(deps: { db: Db }, organisation_id: string): Promise<ShownKey[]> {
  const rows = await listKeys(deps.db, await ownerOf(deps.db, organisation_id))
  return rows.map(shownKey).reverse()
}

export async function addKey(
  deps: { db: Db },
  organisation_id: string,
  body: Partial<KeyBody>,
  shape_faults: readonly Fault[],
  note: AlsoNote,
): Promise<IssuedKey> {
  const faults = [...shape_faults]
  const expires_datetime = readExpiry(body.expires_datetime, faults)
  refuseIfFaulty(faults)
  const owner = await ownerOf(deps.db, organisation_id)
  return transaction(deps.db, async (tx) => {
    const options = {
      name: body.name ?? null,
      scopes: body.scopes ?? null,
      expires_datetime,
    }
    const { id, key } = await issueKey(tx, owner, body.mode ?? 'test', options)
    const shown = await requireKey(tx, owner, id)
    await note(tx, { action: 'key.create', subject: id, after: { ...shown } })
    return { key: shown, secret: key }
  })
}

/** Issues a new key with the rights of the old one, which stays valid for a while. */
export async function rotateKey(
  deps: { db: Db },
  organisation_id: string,
  id: string,
  overlap_hours: number,
  note: AlsoNote,
): Promise<RotatedKey> {
  const owner = await ownerOf(deps.db, organisation_id)
  return transaction(deps.db, async (tx) => {
    const old = isId(id) ? await lockKey(tx, owner, id) : undefined
    if (!old || old.revoked_datetime !== null || old.expired) throw unknownKey()
    const { name, scopes, expires_datetime } = old
    const issued = await issueKey(tx, owner, old.mode, { name, scopes, expires_datetime })
    await endKeyAfter(tx, old.id, overlap_hours)
    const shown = await requireKey(tx, owner, issued.id)
    const now_old = await requireKey(tx, owner, old.id)
    await note(tx, { action: 'key.rotate', subject: old.id, after: { key_id: issued.id, overlap_hours } })
    return { key: shown, secret: issued.key, old: now_old }
  })
}

export async function endKey(deps: { db: Db }, organisation_id: string, id: string, note: AlsoNote): Promise<void> {
  const owner = await ownerOf(deps.db, organisation_id)
  await transaction(deps.db, async (tx) => {
    const key = isId(id) ? await lockKey(tx, owner, id) : undefined
    if (!key || !(await revokeKey(tx, owner, key.id))) throw unknownKey()
    await note(tx, { action: 'key.revoke', subject: key.id, after: { hint: key.hint } })
  })
}

/** The id of the live organisation, given it or its test twin. */
async function ownerOf(db: Db, organisation_id: string): Promise<string> {
  return (await findOrganisation(db, organisation_id))?.twin_of ?? organisation_id
}

async function requireKey(tx: Tx, owner: string, id: string): Promise<ShownKey> {
  const row = await lockKey(tx, owner, id)
  if (!row) throw new Error(`key ${id} does not exist`)
  return shownKey(row)
}

function shownKey(row: KeyRow): ShownKey {
  return {
    id: row.id,
    hint: row.hint,
    mode: row.mode,
    ...present('name', row.name),
    ...present('scopes', row.scopes),
    state: row.revoked_datetime !== null ? 'revoked' : row.expired ? 'expired' : 'active',
    ...present('expires_datetime', row.expires_datetime),
    ...present('revoked_datetime', row.revoked_datetime),
    created_datetime: row.created_datetime,
    ...present('last_used_datetime', row.last_used_datetime),
  }
}

/** A date-time with an offset, or a date, whose start is meant. */
function readExpiry(given: unknown, faults: Fault[]): string | null {
  if (typeof given !== 'string') return null // absent, or its type is a fault already
  const field = 'expires_datetime'
  const at = readMoment(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given)
  if (at === undefined) {
    faults.push({ field, message: 'This is not a date-time with an offset.', type: 'date_invalid' })
  } else if (at <= Date.now()) {
    faults.push({ field, message: 'This time is in the past.', type: 'expired' })
  }
  return at === undefined ? null : answerTime(at)
}

function unknownKey(): Refusal {
  return new Refusal('not_found', 'There is no such active key.')
}
