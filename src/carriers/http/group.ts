import type { OutgoingMessage } from '../message-carrier.ts'

/**
 * Which messages go in one request: as many as the vendor takes, alike in what the request says once for all of them, and
 * never two to one number, which an answer could not tell apart. Promotional messages go apart from the others, which
 * vendors may send by another route. A one-time password goes alone: it shares no one's fate.
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
