import type { ConversationMessage } from '../../../../clients/typescript/src/types.ts'

/** The newest reaction of each side to a text; empty: removed. */
export type Reactions = { in?: string; out?: string }

export const FAILED: readonly (string | undefined)[] = ['rejected', 'undelivered', 'failed']

/**
 * A thread as it is shown. A reaction stands on the text it is for; on its own only if that text is not loaded, or if it
 * failed. `rows`: newest first.
 */
export function arrange(rows: readonly ConversationMessage[]) {
  const by_id = new Map(rows.map((row) => [row.id, row]))
  const reactions = new Map<string, Reactions>()
  const shown: ConversationMessage[] = []
  for (const row of rows) {
    const { direction, status, whatsapp: { reaction, reply_to = '' } = {} } = row
    if (reaction === undefined || direction === 'note' || !by_id.has(reply_to) || FAILED.includes(status)) {
      shown.push(row)
      continue
    }
    reactions.set(reply_to, { [direction]: reaction, ...reactions.get(reply_to) })
  }
  return { shown, by_id, reactions }
}
