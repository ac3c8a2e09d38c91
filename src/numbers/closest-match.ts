import type { Origin } from './prefix-table.ts'

/** The numbers and messages that a price or a route applies to. */
export type MatchRule = {
  channel: string
  prefix: string
  country?: string | undefined
  operator?: string | undefined
  class?: string | undefined
}

/** Facts about a message and its recipient: the current operator, where it is not that of the prefix. */
export type MatchFacts = { operator?: string | undefined; route_class?: string | undefined }

export type ClosestMatch<V, R> = {
  /** Replaces the value of a rule that applies to the same. */
  add: (rule: MatchRule, value: V) => void
  /** The value of a rule that applies to exactly the same. */
  get: (rule: MatchRule) => V | undefined
  find: (channel: string, recipient: string, facts?: MatchFacts) => R | undefined
  /** Whether a rule of the channel names an operator, so that ported numbers matter. */
  namesOperator: (channel: string) => boolean
}

/** The rules with prefixes of one length that name the same of operator, country and class. */
type Shape<V> = {
  length: number
  names_operator: boolean
  names_country: boolean
  names_class: boolean
  values: Map<string, V>
}

/**
 * Finds the most specific rule: the longest prefix; then one that names the operator, the country, the class. A rule whose
 * value reads as undefined does not apply. There is one lookup per shape, so the cost per recipient grows with the number of
 * prefix lengths, not of rules.
 */
export function makeClosestMatch<V extends {}, R>(
  originOf: (msisdn: string) => Origin,
  read: (value: V) => R | undefined,
): ClosestMatch<V, R> {
  /** By channel, most specific first. */
  const shapes = new Map<string, Shape<V>[]>()

  function shapeOf(rule: MatchRule): Shape<V> {
    const of_channel = shapes.get(rule.channel) ?? []
    shapes.set(rule.channel, of_channel)
    const shape = emptyShape<V>(rule)
    const known = of_channel.find((one) => compareShapes(one, shape) === 0)
    if (known) return known
    of_channel.push(shape)
    of_channel.sort(compareShapes)
    return shape
  }

  return {
    add(rule, value) {
      const shape = shapeOf(rule)
      shape.values.set(keyOfRule(shape, rule), value)
    },

    get(rule) {
      const shape = shapeOf(rule)
      return shape.values.get(keyOfRule(shape, rule))
    },

    find(channel, recipient, facts = {}) {
      for (const shape of shapes.get(channel) ?? NONE) {
        const prefix = recipient.slice(0, shape.length)
        let key = prefix
        if (shape.names_operator || shape.names_country || shape.names_class) {
          const origin = originOf(recipient)
          const operator = (facts.operator ?? origin.operator).toLowerCase()
          key = keyOf(shape, prefix, operator, origin.country, facts.route_class ?? 'transactional')
        }
        const value = shape.values.get(key)
        const found = value === undefined ? undefined : read(value)
        if (found !== undefined) return found
      }
      return undefined
    },

    namesOperator: (channel) => (shapes.get(channel) ?? NONE).some(({ names_operator }) => names_operator),
  }
}

const NONE: readonly never[] = []

function emptyShape<V>({ prefix, operator, country, class: route_class }: MatchRule): Shape<V> {
  return {
    length: prefix.length,
    names_operator: operator !== undefined,
    names_country: country !== undefined,
    names_class: route_class !== undefined,
    values: new Map(),
  }
}

function compareShapes(a: Shape<unknown>, b: Shape<unknown>): number {
  return b.length - a.length || closeness(b) - closeness(a)
}

function closeness({ names_operator, names_country, names_class }: Shape<unknown>): number {
  return (names_operator ? 4 : 0) + (names_country ? 2 : 0) + (names_class ? 1 : 0)
}

function keyOfRule(shape: Shape<unknown>, { prefix, operator, country, class: route_class }: MatchRule): string {
  return keyOf(shape, prefix, operator?.toLowerCase(), country, route_class)
}

function keyOf(shape: Shape<unknown>, prefix: string, operator = '', country = '', route_class = ''): string {
  const { names_operator, names_country, names_class } = shape
  if (!names_operator && !names_country && !names_class) return prefix
  return `${prefix}|${names_country ? country : ''}|${names_class ? route_class : ''}|${names_operator ? operator : ''}`
}
