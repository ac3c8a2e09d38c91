import type { RuleTarget } from './rule.ts'

/** A message to a number. The operator and the class may be unknown. */
export type Addressed = {
  channel: RuleTarget['channel']
  recipient: string
  country: string
  operator?: string | undefined
  route_class?: RuleTarget['route_class']
}

/**
 * Why a rule is not the one that applied: a more specific one did; or it names another operator or class, or one of the two
 * where it is not known which; or the reason is unknown.
 */
export const OTHER_RESULTS = [
  'less_specific',
  'other_operator',
  'other_class',
  'other_operator_or_class',
  'unknown',
] as const
export type OtherResult = (typeof OTHER_RESULTS)[number]

/** The order in which rules apply: the longest prefix; then the one that names the operator, the country, the class. */
export function compareRules(a: RuleTarget, b: RuleTarget): number {
  return b.prefix.length - a.prefix.length || closeness(b) - closeness(a)
}

/** The rule that applies to a message of which everything is known: what `makeClosestMatch` finds, by its definition. */
export function findWinner<Rule extends RuleTarget>(rules: readonly Rule[], message: Addressed): Rule | undefined {
  return rules
    .filter((rule) => isFor(rule, message) && openConditions(rule, message).length === 0)
    .toSorted(compareRules)[0]
}

/**
 * The rules beside the one that was charged, most specific first: those that were less specific, and those that would have
 * won. A rule of which it is not known whether it would have applied is left out if it is less specific.
 */
export function weighOthers<Rule extends RuleTarget>(
  rules: readonly Rule[],
  charged: RuleTarget,
  message: Addressed,
): { rule: Rule; result: OtherResult }[] {
  return rules
    .filter((rule) => isFor(rule, message))
    .toSorted(compareRules)
    .flatMap((rule): { rule: Rule; result: OtherResult }[] => {
      const open = openConditions(rule, message)
      if (compareRules(rule, charged) <= 0) return [{ rule, result: reasonFor(open) }]
      return open.length === 0 ? [{ rule, result: 'less_specific' }] : []
    })
}

function isFor({ channel, prefix, country }: RuleTarget, message: Addressed): boolean {
  return (
    channel === message.channel &&
    message.recipient.startsWith(prefix) &&
    (country === undefined || country === message.country)
  )
}

/** What the rule names and the message is not known to have; with `is_other` it is known to have another. */
type Condition = { name: 'operator' | 'class'; is_other: boolean }

function openConditions({ operator, route_class }: RuleTarget, message: Addressed): Condition[] {
  const its_operator = message.operator?.toLowerCase()
  const open: Condition[] = []
  if (operator !== undefined && operator.toLowerCase() !== its_operator) {
    open.push({ name: 'operator', is_other: its_operator !== undefined })
  }
  if (route_class !== undefined && route_class !== message.route_class) {
    open.push({ name: 'class', is_other: message.route_class !== undefined })
  }
  return open
}

function reasonFor(open: readonly Condition[]): OtherResult {
  const certain = open.find(({ is_other }) => is_other) ?? (open.length === 1 ? open[0] : undefined)
  if (certain) return certain.name === 'operator' ? 'other_operator' : 'other_class'
  return open.length === 0 ? 'unknown' : 'other_operator_or_class'
}

function closeness({ operator, country, route_class }: RuleTarget): number {
  return (operator === undefined ? 0 : 4) + (country === undefined ? 0 : 2) + (route_class === undefined ? 0 : 1)
}
