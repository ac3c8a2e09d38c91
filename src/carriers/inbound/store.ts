import type { Db } from '../../db/connect.ts'

export type SegmentKey = { carrier: string; sender: string; destination: string; reference: number; segments: number }
export type InboundSegment = SegmentKey & { segment: number; text: string }

/** The stored segments of a text, in order, and when the first arrived. */
export type PartialText = SegmentKey & { texts: string[]; first_datetime: string }

/** Returns the id under which a PDU's text is stored: the given one, or that of an earlier delivery of the PDU. */
export async function knowPdu(db: Db, carrier: string, digest: Buffer, received_id: string): Promise<string> {
  const [row] = await db<{ received_id: string }[]>`
    insert into inbound_pdus (carrier, digest, received_id) values (${carrier}, ${digest}, ${received_id})
    on conflict (carrier, digest) do update set received_id = inbound_pdus.received_id
    returning received_id`
  return row?.received_id ?? received_id
}

export async function forgetPdus(db: Db, carrier: string, digests: readonly Buffer[]): Promise<void> {
  await db`delete from inbound_pdus where carrier = ${carrier} and digest = any (${digests}::bytea[])`
}

export async function forgetOldPdus(db: Db, carrier: string, older_than_s: number): Promise<void> {
  await db`
    delete from inbound_pdus
    where carrier = ${carrier} and received_datetime < now() - ${older_than_s} * interval '1 s'`
}

/** Stores a segment; a redelivery changes nothing, even after the joined text was passed on. */
export async function storeSegment(db: Db, segment: InboundSegment, digest: Buffer): Promise<void> {
  const { carrier, sender, destination, reference, segments, segment: number, text } = segment
  await db`
    with fresh as (
      insert into inbound_pdus (carrier, digest, received_id) values (${carrier}, ${digest}, '')
      on conflict (carrier, digest) do nothing
      returning 1
    )
    insert into inbound_segments (carrier, sender, destination, reference, segments, segment, text)
    select ${carrier}::text, ${sender}::text, ${destination}::text, ${reference}::integer, ${segments}::smallint,
      ${number}::smallint, ${text}::text
    from fresh
    on conflict (carrier, sender, destination, reference, segments, segment) do nothing`
}

/** Undefined if fewer than `least` of its segments are stored. */
export async function readPartial(db: Db, key: SegmentKey, least: number): Promise<PartialText | undefined> {
  const [row] = await db<PartialText[]>`
    select carrier, sender, destination, reference, segments, array_agg(text order by segment) as texts,
      min(received_datetime) as first_datetime
    from inbound_segments
    where carrier = ${key.carrier} and sender = ${key.sender} and destination = ${key.destination}
      and reference = ${key.reference} and segments = ${key.segments}
    group by carrier, sender, destination, reference, segments
    having count(*) >= ${least}`
  return row
}

/**
 * Texts that are complete but not passed on, after a crash, and texts that have been incomplete for `wait_s`. Only their
 * keys: they are read one by one.
 */
export async function findLeftBehind(db: Db, carrier: string, wait_s: number, limit: number): Promise<SegmentKey[]> {
  return db<SegmentKey[]>`
    select carrier, sender, destination, reference, segments from inbound_segments
    where carrier = ${carrier}
    group by carrier, sender, destination, reference, segments
    having count(*) = segments or min(received_datetime) < now() - ${wait_s} * interval '1 s'
    limit ${limit}`
}

export async function forgetSegments(db: Db, key: SegmentKey): Promise<void> {
  await db`
    delete from inbound_segments
    where carrier = ${key.carrier} and sender = ${key.sender} and destination = ${key.destination}
      and reference = ${key.reference} and segments = ${key.segments}`
}
