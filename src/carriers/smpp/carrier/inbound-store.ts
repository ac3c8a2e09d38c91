import type { Db } from '../../../db/connect.ts'

export type SegmentKey = { carrier: string; sender: string; destination: string; reference: number; segments: number }
export type InboundSegment = SegmentKey & { segment: number; text: string }

/** The segments of a text that are there, in order, and the moment the first of them came. */
export type PartialText = SegmentKey & { texts: string[]; first_datetime: string }

/** Keeps a segment; the same segment again changes nothing. */
export async function storeSegment(db: Db, segment: InboundSegment): Promise<void> {
  await db`
    insert into inbound_segments (carrier, sender, destination, reference, segments, segment, text)
    values (${segment.carrier}, ${segment.sender}, ${segment.destination}, ${segment.reference}, ${segment.segments}, ${segment.segment},
      ${segment.text})
    on conflict (carrier, sender, destination, reference, segments, segment) do nothing`
}

export async function readPartial(db: Db, key: SegmentKey): Promise<PartialText | undefined> {
  const [row] = await db<PartialText[]>`
    select carrier, sender, destination, reference, segments, array_agg(text order by segment) as texts,
      min(received_datetime) as first_datetime
    from inbound_segments
    where carrier = ${key.carrier} and sender = ${key.sender} and destination = ${key.destination}
      and reference = ${key.reference} and segments = ${key.segments}
    group by carrier, sender, destination, reference, segments`
  return row
}

/** Texts that are complete but were left behind by a crash, and texts whose last segment has not come in the time. */
export async function findLeftBehind(db: Db, carrier: string, wait_s: number, limit: number): Promise<PartialText[]> {
  return db<PartialText[]>`
    select carrier, sender, destination, reference, segments, array_agg(text order by segment) as texts,
      min(received_datetime) as first_datetime
    from inbound_segments
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
