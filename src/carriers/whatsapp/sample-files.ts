import type { Db } from '../../db/connect.ts'
import { contentOf } from '../../media/read.ts'
import { findMedia, findUsable } from '../../media/store.ts'
import type { HttpAnswer } from '../../values/http/client.ts'
import { isId } from '../../values/id.ts'
import type { Fault } from '../../values/refusal.ts'
import type { OutgoingFile } from './graph.ts'
import type { Component } from './template-schema.ts'

type Part = Omit<Component, 'cards'>
/** A component, of the template or of a card, with the name of its field. */
type Placed = { place: string; part: Part }
/** A header whose sample is a file of the organisation. */
type Use = { field: string; format: string; media_id: string }

/** The types that Meta's resumable upload takes, by the format of the header (docs/whatsapp.md). */
const SAMPLE_TYPES: Record<string, readonly string[]> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
}

/** Checks the files that headers name as samples: they exist, and are of a type that Meta reviews in such a header. */
export async function checkSampleFiles(
  db: Db,
  organisation_id: string,
  components: readonly Component[],
  faults: Fault[],
): Promise<void> {
  const uses = usesIn(components)
  if (uses.length === 0) return
  const ids = [...new Set(uses.map(({ media_id }) => media_id))].filter(isId)
  const known = new Map((await findUsable(db, organisation_id, ids, undefined)).map((one) => [one.id, one]))
  for (const { field, format, media_id } of uses) {
    const file = known.get(media_id)
    const types = SAMPLE_TYPES[format] ?? []
    if (!file) faults.push({ field, message: 'There is no such file.', type: 'not_found' })
    else if (file.state !== 'stored' || !file.lasts) {
      faults.push({ field, message: 'The content of this file is not stored.', type: 'invalid' })
    } else if (!types.includes(file.type)) {
      const message = `The file is ${file.type}: Meta reviews a header with ${types.join(' or ')}.`
      faults.push({ field, message, type: 'invalid' })
    }
  }
}

export type SampleUpload =
  | { kind: 'uploaded'; handles: ReadonlyMap<string, string> }
  /** The file was deleted meanwhile. */
  | { kind: 'gone'; field: string }
  | { kind: 'failed'; field: string; answer: HttpAnswer }

/** Uploads each file that headers name as sample once, for Meta's review. Nothing is stored of it: a retry uploads again. */
export async function uploadSampleFiles(
  { db, uploadSample }: { db: Db; uploadSample: (file: OutgoingFile) => Promise<HttpAnswer & { handle?: string }> },
  organisation_id: string,
  components: readonly Component[],
): Promise<SampleUpload> {
  const uses = new Map(usesIn(components).map((use) => [use.media_id, use]))
  const handles = new Map<string, string>()
  for (const { media_id, field } of uses.values()) {
    const file = await findMedia(db, organisation_id, media_id)
    if (file?.state !== 'stored') return { kind: 'gone', field }
    const { type, filename } = file
    const size = Number(file.size)
    const content = contentOf(db, organisation_id, media_id, size)
    const answer = await uploadSample({ type, filename: filename ?? media_id, size, content })
    if (answer.handle === undefined) return { kind: 'failed', field, answer }
    handles.set(media_id, answer.handle)
  }
  return { kind: 'uploaded', handles }
}

/** The components as Meta takes them: with the handles of files in place of our ids. */
export function withHandles<C extends Part & { cards?: Component['cards'] }>(
  components: readonly C[],
  handles: ReadonlyMap<string, string>,
): C[] {
  return components.map((component) => {
    const { header_media_id, ...example } = component.example ?? {}
    const handle = handles.get(header_media_id?.toLowerCase() ?? '')
    const { cards } = component
    return {
      ...component,
      ...(handle === undefined ? {} : { example: { ...example, header_handle: [handle] } }),
      ...(cards ? { cards: cards.map((card) => ({ components: withHandles(card.components, handles) })) } : {}),
    }
  })
}

function usesIn(components: readonly Component[]): Use[] {
  return placedIn(components).flatMap(({ place, part: { format = '', example } }) => {
    const media_id = example?.header_media_id?.toLowerCase()
    if (media_id === undefined) return []
    return [{ field: `${place}.example.header_media_id`, format: format.toUpperCase(), media_id }]
  })
}

function placedIn(components: readonly Component[]): Placed[] {
  return components.flatMap((part, n) => {
    const place = `components[${n}]`
    const of_cards = (part.cards ?? []).flatMap((card, at) =>
      card.components.map((one, k) => ({ place: `${place}.cards[${at}].components[${k}]`, part: one })),
    )
    return [{ place, part }, ...of_cards]
  })
}
