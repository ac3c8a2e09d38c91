import type { Db } from '../../../db/connect.ts'

export type PartKey = { carrier: string; sender: string; destination: string; reference: number; parts: number }
export type InboundPart = PartKey & { part: number; text: string }

/** The parts of a text that are there, in order, and the moment the first of them came. */
export type PartlyReceived = PartKey & { texts: string[]; first_datetime: string }

/** Keeps a part; the same part again changes nothing. */
export async function storePart(db: Db, part: InboundPart): Promise<void> {
  await db`
    insert into inbound_parts (carrier, sender, destination, reference, parts, part, text)
    values (${part.carrier}, ${part.sender}, ${part.destination}, ${part.reference}, ${part.parts}, ${part.part},
      ${part.text})
    on conflict (carrier, sender, destination, reference, parts, part) do nothing`
}

export async function readPartly(db: Db, key: PartKey): Promise<PartlyReceived | undefined> {
  const [row] = await db<PartlyReceived[]>`
    select carrier, sender, destination, reference, parts, array_agg(text order by part) as texts,
      min(received_datetime) as first_datetime
    from inbound_parts
    where carrier = ${key.carrier} and sender = ${key.sender} and destination = ${key.destination}
      and reference = ${key.reference} and parts = ${key.parts}
    group by carrier, sender, destination, reference, parts`
  return row
}

/** Texts that are complete but were left behind by a crash, and texts whose last part has not come in the time. */
export async function findLeftBehind(
  db: Db,
  carrier: string,
  wait_s: number,
  limit: number,
): Promise<PartlyReceived[]> {
  return db<PartlyReceived[]>`
    select carrier, sender, destination, reference, parts, array_agg(text order by part) as texts,
      min(received_datetime) as first_datetime
    from inbound_parts
    where carrier = ${carrier}
    group by carrier, sender, destination, reference, parts
    having count(*) = parts or min(received_datetime) < now() - ${wait_s} * interval '1 s'
    limit ${limit}`
}

export async function forgetParts(db: Db, key: PartKey): Promise<void> {
  await db`
    delete from inbound_parts
    where carrier = ${key.carrier} and sender = ${key.sender} and destination = ${key.destination}
      and reference = ${key.reference} and parts = ${key.parts}`
}
