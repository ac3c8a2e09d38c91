import { firstCharacters } from '../keys.ts'
import { choicePattern, type ColumnCondition, type Condition, type Test } from './condition.ts'

/** Collects the values of a statement; returns the placeholder of each. */
export type Bind = (value: string | number) => string

export function makeBind(): { bind: Bind; values: (string | number)[] } {
  const values: (string | number)[] = []
  return {
    values,
    bind(value) {
      values.push(value)
      return `$${values.length}`
    },
  }
}

/** Length of the key's prefix in the btree index of `contact_cells`. */
export const INDEXED_CHARACTERS = 200

/** The conditions on a row `r`, to follow a `where` clause. Values are always bound. */
export function rowSql(conditions: readonly Condition[], bind: Bind): string {
  return conditions
    .map((condition) => {
      if (!('any' in condition)) return ` and ${columnSql(condition, bind)}`
      const parts = condition.any.map((one) => columnSql(one, bind))
      return ` and (${parts.length === 0 ? 'false' : parts.join(' or ')})`
    })
    .join('')
}

function columnSql({ number, test, negated }: ColumnCondition, bind: Bind): string {
  const sql = testSql(test, `(r.keys ->> '${number}') collate "C"`, bind)
  return negated ? `not coalesce(${sql}, false)` : `(${sql})`
}

function testSql(test: Test, key: string, bind: Bind): string {
  switch (test.kind) {
    case 'equal':
      return `${key} in (${list(test.keys, bind)})`
    case 'choice':
      return anyLike(key, test.keys.map(choicePattern), bind)
    case 'like':
      return anyLike(key, test.patterns, bind)
    case 'above':
      return `${key} > ${bind(test.key)}`
    case 'below':
      return `${key} < ${bind(test.key)}`
    case 'present':
      return `${key} is not null`
  }
}

function list(values: readonly string[], bind: Bind): string {
  return values.map((value) => `${bind(value)}::text`).join(', ')
}

function anyLike(key: string, patterns: readonly string[], bind: Bind): string {
  return patterns.length === 0 ? 'false' : patterns.map((pattern) => `${key} like ${bind(pattern)}`).join(' or ')
}

/** An index lookup in `contact_cells` that finds every row that meets a condition on a column, and possibly more. */
export type Way = {
  number: number
  sql: (bind: Bind) => string
  index: 'key' | 'trigram'
}

/** A set of index lookups that together find all matching rows. A group has one for each of its conditions. */
export type Anchor = {
  /** Lower ranks are expected to find fewer entries. */
  rank: number
  ways: readonly Way[]
  /** The only lookup, if its entries are in the order of their rows. */
  ordered?: Way
}

/** The best anchor; undefined if no index helps. */
export function chooseAnchor(conditions: readonly Condition[]): Anchor | undefined {
  const anchors = conditions.flatMap((condition) => anchorOf(condition) ?? [])
  return anchors.toSorted((a, b) => a.rank - b.rank)[0]
}

function anchorOf(condition: Condition): Anchor | undefined {
  if (!('any' in condition)) return columnAnchor(condition)
  const anchors = condition.any.map(columnAnchor)
  const known = anchors.filter((anchor) => anchor !== undefined)
  // A condition without an index may match any row.
  if (known.length < anchors.length || known.length === 0) return undefined
  if (known.length === 1) return known[0]
  return { rank: Math.max(0, ...known.map(({ rank }) => rank)), ways: known.flatMap(({ ways }) => ways) }
}

const SHORT_KEY = `left(c.key, ${INDEXED_CHARACTERS})`

function columnAnchor({ number, test, negated }: ColumnCondition): Anchor | undefined {
  if (negated) return undefined
  switch (test.kind) {
    case 'equal':
    case 'choice': {
      if (test.keys.some((key) => key.startsWith('\n'))) return undefined // several choices
      const [only = ''] = test.keys
      if (test.keys.length === 1) {
        const way: Way = { number, index: 'key', sql: (bind) => `${SHORT_KEY} = ${bind(short(only))}` }
        return { rank: 0, ways: [way], ordered: way }
      }
      return byKey(1, number, (bind) => `${SHORT_KEY} in (${list(test.keys.map(short), bind)})`)
    }
    case 'like':
      return likeAnchor(number, test.patterns)
    case 'above':
      return byKey(4, number, (bind) => `${SHORT_KEY} >= ${bind(short(test.key))}`)
    case 'below':
      return byKey(4, number, (bind) => `${SHORT_KEY} <= ${bind(short(test.key))}`)
    case 'present':
      return byKey(5, number, () => 'true')
  }
}

function short(key: string): string {
  return firstCharacters(key, INDEXED_CHARACTERS)
}

function likeAnchor(number: number, patterns: readonly string[]): Anchor | undefined {
  const [only = '%'] = patterns
  if (patterns.length === 1 && /^[^%]/.test(only) && only.length < INDEXED_CHARACTERS) {
    return byKey(2, number, (bind) => `${SHORT_KEY} like ${bind(only)}`)
  }
  // Without a run of three letters or digits, the trigram index would be read as a whole.
  if (patterns.length === 0 || !patterns.every((pattern) => /[a-z0-9]{3}/.test(pattern))) return undefined
  const sql = (bind: Bind): string => `(${anyLike('c.key', patterns, bind)})`
  return { rank: 3, ways: [{ number, index: 'trigram', sql }] }
}

function byKey(rank: number, number: number, sql: Way['sql']): Anchor {
  return { rank, ways: [{ number, index: 'key', sql }] }
}
