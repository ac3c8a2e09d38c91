import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { SimUse } from './capacity.ts'
import type { GivenSim, Health } from './read-requests.ts'

export type Phone = { id: string; carrier: string }

/** Serialises the assignment of messages to a carrier's phones. */
export async function lockCarrier(tx: Tx, carrier: string): Promise<void> {
  await tx`
    insert into phone_carriers (carrier) values (${carrier})
    on conflict (carrier) do update set carrier = excluded.carrier`
}

/** The number of a carrier's current pairing token. */
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

/** Deletes phones that never called after their registration: its answer was lost. */
export async function deleteUnseenPhones(tx: Tx, carrier: string): Promise<void> {
  await tx`
    delete from phones
    where carrier = ${carrier} and seen_datetime is null and registered_datetime < now() - interval '10 minutes'`
}

/** False if the carrier has `most` phones already. */
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

/** Replaces the SIMs of a phone; what is known of one that stays is kept. */
export async function replaceSims(tx: Tx, phone_id: string, sims: readonly GivenSim[]): Promise<void> {
  await tx`delete from phone_sims where phone_id = ${phone_id} and sim <> all(${sims.map(({ sim }) => sim)}::smallint[])`
  await tx`
    insert into phone_sims (phone_id, sim, operator, number_end)
    select ${phone_id}, sim, operator, number_end
    from ${rows(tx, sims, 'given', { sim: 'smallint', operator: 'text', number_end: 'text' })}
    on conflict (phone_id, sim) do update set operator = excluded.operator, number_end = excluded.number_end`
}

/** Finds the phone of a token, and marks it as seen. */
export async function touchPhone(db: Db, token_hash: Buffer): Promise<Phone | undefined> {
  const [row] = await db<Phone[]>`
    update phones set seen_datetime = now() where token_hash = ${token_hash} returning id, carrier`
  return row
}

export async function touchPhoneById(db: Db, id: string): Promise<Phone | undefined> {
  const [row] = await db<Phone[]>`update phones set seen_datetime = now() where id = ${id} returning id, carrier`
  return row
}

/** The phones did not fetch messages that were assigned to them. */
export async function markUnresponsive(db: Db, ids: readonly string[]): Promise<void> {
  await db`update phones set missed_datetime = now() where id = any(${ids}::uuid[])`
}

export async function forgetPhone(db: Db | Tx, carrier: string, id: string): Promise<boolean> {
  const gone = await db`delete from phones where carrier = ${carrier} and id = ${id}`
  return gone.count === 1
}

export async function storeHealth(db: Db, id: string, { battery, charging, network }: Health): Promise<void> {
  await db`
    update phones set battery = ${battery}, charging = ${charging}, network = ${network}, health_datetime = now()
    where id = ${id}`
}

/** Stores the number of a SIM, if given, and returns the known one. */
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

/** Consecutive failures after which a SIM rests, and for how long at first and at most. */
const MAX_FAILURES = 3
const REST_MINUTES = 5
const MAX_REST_MINUTES = 60

/** A SIM has sent a message: its failures are over. */
export async function resetSimFailures(db: Db, phone_id: string, sims: readonly number[]): Promise<void> {
  await db`
    update phone_sims set failures = 0, rests_until = null
    where phone_id = ${phone_id} and sim = any(${sims}::smallint[]) and failures > 0`
}

export async function countSimFailures(db: Db, phone_id: string, sims: readonly number[]): Promise<void> {
  await db`
    update phone_sims set failures = failures + 1,
      rests_until = case when failures + 1 >= ${MAX_FAILURES} then now() + interval '1 minute' * least(
        ${MAX_REST_MINUTES}, ${REST_MINUTES} * power(2, least(10, failures + 1 - ${MAX_FAILURES}))) end
    where phone_id = ${phone_id} and sim = any(${sims}::smallint[])`
}

/** The SIMs of a carrier with their use. Messages in `own` do not count as `in_flight`. */
export async function readSimUse(
  db: Db | Tx,
  carrier: string,
  silent_after_s: number,
  own: readonly string[] = [],
): Promise<SimUse[]> {
  return db<SimUse[]>`
    select phones.id as phone_id, sim, phone_is_present(phones, ${silent_after_s}) as present,
      coalesce(rests_until > now(), false) as resting, used_minute, used_hour, used_day, in_flight
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
  in_flight: number
  rests_until: string | null
}

/** All phones, one line per SIM. */
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
      coalesce(used_day, 0) as used_day, coalesce(in_flight, 0) as in_flight
    from ${rows(db, carriers, 'given', { name: 'text', silent_after_s: 'float8' })}
    join phones on phones.carrier = given.name
    left join phone_sims on phone_sims.phone_id = phones.id
    left join lateral phone_sim_use(phones.id, sim, '{}') as use on true
    order by phones.carrier, phones.registered_datetime, phones.id, sim`
}
