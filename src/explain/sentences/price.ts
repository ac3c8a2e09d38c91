import type { ExplainedPrice } from '../schema.ts'
import { say, type Values } from './say.ts'

/** What is charged, and by which rule. */
export function ofPrice({ charge, price, source, price_list, rule_id, rule, other_rules }: ExplainedPrice): string[] {
  if (source === 'none') return [say('Nothing is charged: the message was refused before it was priced.')]
  const values = { charge, price, list: price_list ?? '', id: rule_id ?? 0, rule: rule ? ruleText(rule) : '' }
  const costs = say('The charge is {charge}, at {price} per page.', values)
  if (!rule) {
    return [
      costs,
      source === 'file'
        ? say('The price is one of the configuration file; which one is unknown, because its history is not stored.')
        : say('The price list that it was charged by was deleted, so that its rule is unknown.'),
    ]
  }
  const which =
    source === 'file'
      ? say('The price is that of the configuration file for {rule}: the most specific one that matches.', values)
      : price_list === undefined
        ? say('The price is that of the rule for {rule}: the most specific one that matched.', values)
        : say(
            'The price is that of rule {id} of the price list {list}, for {rule}: the most specific one that matched.',
            values,
          )
  return [costs, which, ...ofOthers(other_rules)]
}

function ofOthers(others: ExplainedPrice['other_rules']): string[] {
  const said = (result: (typeof others)[number]['result'], words: (values: Values) => string): string[] => {
    const own = others.filter((one) => one.result === result)
    return own.length === 0 ? [] : [words({ rules: own.map(pricedText).join('; ') })]
  }
  return [
    ...said('less_specific', (values) => say('Less specific rules did not apply: {rules}.', values)),
    ...said('other_operator', (values) => say('Rules for other operators did not apply: {rules}.', values)),
    ...said('other_class', (values) => say('Rules for the other class did not apply: {rules}.', values)),
    ...said('other_operator_or_class', (values) =>
      say('Rules for another operator or class did not apply: {rules}.', values),
    ),
    ...said('unknown', (values) => say('Why these rules did not apply is unknown: {rules}.', values)),
  ]
}

type Target = { prefix?: string; country?: string; operator?: string; route_class?: string }

/** What a rule or a route is for. */
export function ruleText({ prefix = '', country, operator, route_class }: Target): string {
  const parts = [
    ...(prefix === '' ? [] : [say('prefix {prefix}', { prefix })]),
    ...(country === undefined ? [] : [say('country {country}', { country })]),
    ...(operator === undefined ? [] : [say('operator {operator}', { operator })]),
    ...(route_class === 'promotional' ? [say('promotional messages')] : []),
    ...(route_class === 'transactional' ? [say('transactional messages')] : []),
  ]
  return parts.length === 0 ? say('any number') : parts.join(', ')
}

function pricedText({ price, ...rule }: Target & { price: number }): string {
  return say('{rule} at {price}', { rule: ruleText(rule), price })
}
