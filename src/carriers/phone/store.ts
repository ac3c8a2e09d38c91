import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { SimUse } from './place.ts'
import type { GivenSim, Health } from './read-calls.ts'

export type Phone = { id: string; carrier: string }

/** Waits for whoever puts messages on the lists of this carrier's phones. */
export async function lockCarrier(tx: Tx, carrier: string): Promise<void> {
  await tx`
    insert into phone_carriers (carrier) values (${carrier})
    on conflict (carrier) do update set carrier = excluded.carrier`
}

/** Which of a carrier's pairing tokens is the present one. */
export async function readPairing(db: Db, carrier: string): Promise<number> {
  const [row] = await db<{ pairing: number }[]>`select pairing from phone_carriers where carrier = ${carrier}`
  return row?.pairing ?? 1
}

export async function nextPairing(db: Db | Tx, carrier: string): Promise<number> {
  const [row] = await db<{ pairing: number }[]>`
    insert into phone_carriers (carrier, pairing) values (${carrier}, 2)
    on conflict (carrier) do update set pairing = phone_carriers.pairing + 1
    returning pairing`
  return row?.pairing ?? 1
}

/** Registrations whose answer never arrived leave phones behind that nobody is. */
export async function forgetStillborn(tx: Tx, carrier: string): Promise<void> {
  await tx`
    delete from phones
    where carrier = ${carrier} and seen_datetime is null and registered_datetime < now() - interval '10 minutes'`
}

/** False when the carrier has as many phones as it may. */
export async function insertPhone(
  tx: Tx,
  phone: Phone & { name: string; app: string; token_hash: Buffer },
  most: number,
): Promise<boolean> {
  const added = await tx`
    insert into phones (id, carrier, name, app, token_hash)
    select ${phone.id}, ${phone.carrier}, ${phone.name}, ${phone.app}, ${phone.token_hash}
    where (select count(*) from phones where carrier = ${phone.carrier}) < ${most}`
  return added.count === 1
}

/** The phone has these SIMs and no others; what is known of one that stays is kept. */
export async function replaceSims(tx: Tx, phone_id: string, sims: readonly GivenSim[]): Promise<void> {
  await tx`delete from phone_sims where phone_id = ${phone_id} and sim <> all(${sims.map(({ sim }) => sim)}::smallint[])`
  await tx`
    insert into phone_sims (phone_id, sim, operator, number_end)
    select ${phone_id}, sim, operator, number_end
    from ${rows(tx, sims, 'given', { sim: 'smallint', operator: 'text', number_end: 'text' })}
    on conflict (phone_id, sim) do update set operator = excluded.operator, number_end = excluded.number_end`
}

/** Whose token it is; being asked is being seen. */
export async function seePhone(db: Db, token_hash: Buffer): Promise<Phone | undefined> {
  const [row] = await db<Phone[]>`
    update phones set seen_datetime = now() where token_hash = ${token_hash} returning id, carrier`
  return row
}

export async function seePhoneById(db: Db, id: string): Promise<Phone | undefined> {
  const [row] = await db<Phone[]>`update phones set seen_datetime = now() where id = ${id} returning id, carrier`
  return row
}

/** They did not fetch what was on their lists. */
export async function missPhones(db: Db, ids: readonly string[]): Promise<void> {
  await db`update phones set missed_datetime = now() where id = any(${ids}::uuid[])`
}

export async function forgetPhone(db: Db | Tx, carrier: string, id: string): Promise<boolean> {
  const gone = await db`delete from phones where carrier = ${carrier} and id = ${id}`
  return gone.count === 1
}

export async function noteHealth(db: Db, id: string, { battery, charging, network }: Health): Promise<void> {
  await db`
    update phones set battery = ${battery}, charging = ${charging}, network = ${network}, health_datetime = now()
    where id = ${id}`
}

/** The number of a SIM, as a received text told it; what was known before, where this one did not tell. */
export async function learnNumber(
  db: Db,
  phone_id: string,
  sim: number | null,
  number: string | null,
): Promise<string | null> {
  const [row] = await db<{ number: string | null }[]>`
    update phone_sims set number = coalesce(${number}, number)
    where phone_id = ${phone_id} and (sim = ${sim} or sim = 0)
    returning number`
  return row?.number ?? number
}

/** Failures in a row after which a SIM rests, and for how long at first and at most. */
const PATIENCE = 3
const REST_MINUTES = 5
const LONGEST_REST_MINUTES = 60

/** A SIM has sent something: what was wrong with it is over. */
export async function noteWorking(db: Db, phone_id: string, sims: readonly number[]): Promise<void> {
  await db`
    update phone_sims set failures = 0, rests_until = null
    where phone_id = ${phone_id} and sim = any(${sims}::smallint[]) and failures > 0`
}

export async function noteFailing(db: Db, phone_id: string, sims: readonly number[]): Promise<void> {
  await db`
    update phone_sims set failures = failures + 1,
      rests_until = case when failures + 1 >= ${PATIENCE} then now() + interval '1 minute' * least(
        ${LONGEST_REST_MINUTES}, ${REST_MINUTES} * power(2, least(10, failures + 1 - ${PATIENCE}))) end
    where phone_id = ${phone_id} and sim = any(${sims}::smallint[])`
}

/** The SIMs of a carrier and what they do. What is in `own` hands is not counted as in hand. */
export async function readSimUse(
  db: Db | Tx,
  carrier: string,
  silent_after_s: number,
  own: readonly string[] = [],
): Promise<SimUse[]> {
  return db<SimUse[]>`
    select phones.id as phone_id, sim, phone_is_present(phones, ${silent_after_s}) as present,
      coalesce(rests_until > now(), false) as resting, used_minute, used_hour, used_day, in_hand
    from phones
    join phone_sims on phone_sims.phone_id = phones.id
    cross join lateral phone_sim_use(phones.id, sim, ${own}::uuid[])
    where carrier = ${carrier}
    order by phones.id, sim`
}

export type PhoneLine = {
  carrier: string
  id: string
  name: string
  app: string
  present: boolean
  registered_datetime: string
  seen_datetime: string | null
  battery: number | null
  charging: boolean | null
  network: string | null
  sim: number | null
  operator: string | null
  number: string | null
  used_minute: number
  used_hour: number
  used_day: number
  in_hand: number
  rests_until: string | null
}

/** Every phone with its SIMs, a line for each of them. */
export async function listPhoneLines(
  db: Db,
  carriers: readonly { name: string; silent_after_s: number }[],
): Promise<PhoneLine[]> {
  return db<PhoneLine[]>`
    select phones.carrier, phones.id, phones.name, app, phone_is_present(phones, silent_after_s) as present,
      registered_datetime, seen_datetime, battery, charging, network, sim, operator,
      coalesce(number, number_end) as number,
      case when rests_until > now() then rests_until end as rests_until,
      coalesce(used_minute, 0) as used_minute, coalesce(used_hour, 0) as used_hour,
      coalesce(used_day, 0) as used_day, coalesce(in_hand, 0) as in_hand
    from ${rows(db, carriers, 'given', { name: 'text', silent_after_s: 'float8' })}
    join phones on phones.carrier = given.name
    left join phone_sims on phone_sims.phone_id = phones.id
    left join lateral phone_sim_use(phones.id, sim, '{}') as use on true
    order by phones.carrier, phones.registered_datetime, phones.id, sim`
}
