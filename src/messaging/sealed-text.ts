/** The context of a delivery's sealed text: it cannot be opened for another delivery. */
export function deliverySeal({ message_id, recipient }: { message_id: string; recipient: string }): string {
  return `delivery ${message_id} ${recipient}`
}

/** A text with its one-time password, separated by a character that no text contains. */
export function joinToken(text: string, token: string | undefined): string {
  return token === undefined ? text : `${token}${BETWEEN}${text}`
}

export function splitToken(joined: string): { text: string; token?: string } {
  const at = joined.indexOf(BETWEEN)
  return at < 0 ? { text: joined } : { text: joined.slice(at + 1), token: joined.slice(0, at) }
}

const BETWEEN = '\u0000'
