/**
 * The items of a list that may be written as text with commas in between. One more than `limit` is enough to tell that
 * there are too many: a megabyte of commas is not taken apart. A comma behind the last item does not count.
 */
export function readListed(given: string | readonly string[], limit: number): readonly string[] {
  if (typeof given !== 'string') return given
  const items = given.split(',', limit + 2)
  if (items.length > 1 && items.at(-1)?.trim() === '') items.pop()
  return items
}
