/**
 * The items of a list that may be given as comma-separated text. Splits at most one item more than `limit`, which is
 * enough to detect too many. A trailing comma is ignored.
 */
export function readListed(given: string | readonly string[], limit: number): readonly string[] {
  if (typeof given !== 'string') return given
  const items = given.split(',', limit + 2)
  if (items.length > 1 && items.at(-1)?.trim() === '') items.pop()
  return items
}
