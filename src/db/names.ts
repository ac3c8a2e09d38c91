import type { Query, Sql } from './sql.ts'

/** Parts of a statement, separated by commas. */
export function list(sql: Sql, parts: readonly Query[]): Query {
  return joined(sql, parts, sql`, `)
}

export function joined(sql: Sql, [first, ...rest]: readonly Query[], between: Query): Query {
  return rest.reduce((whole, part) => sql`${whole}${between}${part}`, first ?? sql``)
}

/** The name of a table or column, from a list of ours, never from input. Quoted, because a column is called `from`. */
export function name(sql: Sql, word: string): Query {
  return plain(sql, `"${word}"`)
}

/** A type or a quoted name. */
export function plain(sql: Sql, text: string): Query {
  if (!/^"?[a-z_]+"?$/.test(text)) throw new Error(`${text} is not the name of a column or table`)
  return sql(Object.assign([text], { raw: [text] }))
}
