/**
 * An array of ids or numbers as PostgreSQL reads it. They need no quotes, and looking for characters that would is most
 * of what the driver does for a long array.
 */
export function idArray(ids: readonly (string | number | bigint)[]): string {
  return `{${ids.join(',')}}`
}
