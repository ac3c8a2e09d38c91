import type { OutgoingMessage } from '../message-carrier.ts'

/**
 * Groups messages into requests: at most `most` each, equal in the fields that the request has once for all (`together`),
 * and never two for one number, which an answer could not distinguish. Promotional messages are separate, because vendors
 * may route them differently. A one-time password goes alone, so that no other message can make it fail.
 */
export function groupMessages<
  M extends Pick<OutgoingMessage, 'recipient' | 'sender_id' | 'text' | 'urgent' | 'promotional'>,
>(messages: readonly M[], most: number, together: readonly ('from' | 'text')[]): M[][] {
  const groups: M[][] = []
  const open = new Map<string, { group: M[]; numbers: Set<string> }>()
  for (const message of messages) {
    const said_once = together.map((what) => (what === 'from' ? message.sender_id : message.text))
    const key = JSON.stringify([message.promotional === true, ...said_once])
    const found = most > 1 && !message.urgent ? open.get(key) : undefined
    if (found && found.group.length < most && !found.numbers.has(message.recipient)) {
      found.group.push(message)
      found.numbers.add(message.recipient)
      continue
    }
    const group = [message]
    groups.push(group)
    if (!message.urgent) open.set(key, { group, numbers: new Set([message.recipient]) })
  }
  return groups
}
