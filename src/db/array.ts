/**
 * An array as PostgreSQL reads it, or the array itself where it holds something else than texts, numbers and nothing.
 * The driver would scan every element twice for characters to escape and copy each; hardly any needs it.
 */
export function arrayLiteral(values: readonly unknown[]): string | readonly unknown[] {
  let text = '{'
  for (let n = 0; n < values.length; n++) {
    const value = values[n]
    if (n > 0) text += ','
    if (value === null || value === undefined) text += 'NULL'
    else if (typeof value === 'string') text += `"${SPECIAL.test(value) ? value.replace(EACH_SPECIAL, '\\$&') : value}"`
    else if (typeof value === 'number' || typeof value === 'bigint') text += value
    else return values
  }
  return `${text}}`
}

const SPECIAL = /["\\]/
const EACH_SPECIAL = /["\\]/g

/** An array of ids, numbers or names from source code: none needs quotes, so none is scanned. */
export function idArray(ids: readonly (string | number | bigint)[]): string {
  return `{${ids.join(',')}}`
}

/** For a column of `unnest` that hardly a row has a value in: an empty array counts as nothing in every row. */
export function sparse<T>(values: readonly (T | null)[]): readonly (T | null)[] {
  return values.some((value) => value !== null) ? values : []
}
