import type { Db, Tx } from '../../db/connect.ts'

/** Slices of which something may still wait to be handed over. */
export async function listOnTheWay(
  db: Db,
  organisation_id: string,
  campaign_id: string,
): Promise<{ number: number; message_id: string }[]> {
  return db<{ number: number; message_id: string }[]>`
    select number, message_id from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and status = 'accepted' and waiting > 0
    order by number`
}

/** What is left of the slice is counted anew at once. */
export async function noteTakenBack(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  slice: { number: number; people: number; given_back: bigint },
): Promise<void> {
  await tx`
    update campaign_slices set status = 'taken_back', count_at = now()
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${slice.number}
      and status = 'accepted'`
  await tx`
    update campaigns
    set taken_back = taken_back + ${slice.people}, given_back = given_back + ${String(slice.given_back)}::bigint,
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${campaign_id}`
}
