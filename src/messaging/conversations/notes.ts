import type { Db } from '../../db/connect.ts'
import { findUserNames } from '../../users/assignees.ts'
import { isId, newId } from '../../values/id.ts'
import { isStorable } from '../../values/input/storable.ts'
import { present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import type { InboxDeps } from './close.ts'
import { deleteNote, insertNote, listNotes, type NoteRow } from './inbox-store.ts'
import { requireConversation, type Owner } from './require.ts'
import { MAX_NOTES, type ConversationMessage, type NoteBody } from './schema.ts'

/** Adds an internal note; `author_id` is null for an API key. It does not move the conversation up the list. */
export async function addNote(
  deps: InboxDeps,
  owner: Owner & { author_id: string | null },
  given: string,
  { text }: NoteBody,
): Promise<ConversationMessage> {
  const { organisation_id, author_id } = owner
  const { phone } = await requireConversation(deps.db, owner, given)
  if (text.trim() === '') refuseIfFaulty([{ field: 'text', message: 'A note needs a text.', type: 'missing' }])
  if (!isStorable(text)) {
    const message = 'This holds a character that cannot be saved.'
    refuseIfFaulty([{ field: 'text', message, type: 'invalid' }])
  }
  const note = await insertNote(deps.db, organisation_id, phone, { id: newId(), author_id, text: text.trim() })
  if (!note) {
    const message = `A conversation has at most ${MAX_NOTES.toLocaleString('en')} notes.`
    throw new Refusal('conflict', message)
  }
  deps.live.notifyTexts(organisation_id, [phone])
  const [shown] = await withAuthors(deps.db, organisation_id, [note])
  if (!shown) throw new Error('a note was not returned')
  return shown
}

export async function removeNote(deps: InboxDeps, organisation_id: string, id: string): Promise<void> {
  const phone = isId(id) ? await deleteNote(deps.db, organisation_id, id) : undefined
  if (phone === undefined) throw new Refusal('not_found', 'There is no such note.')
  deps.live.notifyTexts(organisation_id, [phone])
}

/** Notes as entries of the thread, newest first. */
export async function readNotes(
  db: Db,
  organisation_id: string,
  phone: string,
  part: { before: string | undefined; limit: number },
): Promise<ConversationMessage[]> {
  return withAuthors(db, organisation_id, await listNotes(db, organisation_id, phone, part))
}

async function withAuthors(db: Db, organisation_id: string, notes: readonly NoteRow[]): Promise<ConversationMessage[]> {
  const names = await findUserNames(
    db,
    organisation_id,
    notes.flatMap(({ author_id }) => author_id ?? []),
  )
  return notes.map(({ id, author_id, text, created_datetime }) => {
    const author = author_id === null ? undefined : names.get(author_id)
    return { id, direction: 'note' as const, text, ...present('author', author), created_datetime }
  })
}
