/** Encodes a position in a list as an opaque `query_id`. */
export function encodeCursor(position: string): string {
  return Buffer.from(position).toString('base64url')
}

/** The position that was encoded; undefined for text that `encodeCursor` did not produce. */
export function decodeCursor(query_id: string): string | undefined {
  const position = Buffer.from(query_id, 'base64url').toString()
  return encodeCursor(position) === query_id ? position : undefined
}
