/** The messages that a rule of a price list applies to, as in `prices:` of the configuration. */
export type RuleTarget = {
  channel: 'sms' | 'whatsapp'
  route_class?: 'transactional' | 'promotional' | undefined
  prefix: string
  country?: string | undefined
  operator?: string | undefined
}

/** One text per target: rules with the same text replace each other. */
export function targetText({ channel, route_class, prefix, country, operator }: RuleTarget): string {
  return [channel, prefix, country ?? '', operator?.toLowerCase() ?? '', route_class ?? ''].join('|')
}
