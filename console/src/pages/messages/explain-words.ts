import { firstWords, recognised, type ValueWords } from '../../text/recognised.ts'
import { number } from '../../text/text.ts'
import { written } from '../../ui/date/formats.ts'
import { deliveryWords } from '../../ui/delivery-words.ts'
import { STATUS_NAMES, STATUSES } from './messages.ts'

/** Sentences of the service's explanations (`src/explain/sentences/`); a test compares them. */
const KNOWN = [
  recognised('The message is part of the campaign {name}.'),
  recognised('The message carries a one-time password: its text is stored without the token.'),
  recognised('The request of the one-time password was charged with {amount}.'),
  recognised('Its verification was charged with {amount}, which was refunded because it was not verified.'),
  recognised('Its verification was charged with {amount}, which is refunded if it ends without being verified.'),
  recognised('WhatsApp has no pages: a message is charged as one.'),
  recognised('The content is binary, and is charged as 1 page.'),
  recognised('The content is binary, and is charged as {pages} pages.'),
  recognised('The text has length {length}: 1 page, which holds {size}.'),
  recognised('The text has length {length}: {pages} pages of up to {size} each.'),
  recognised('All characters of the text are in the GSM alphabet.'),
  recognised('The character {characters} is not in the GSM alphabet, so the text is sent in UCS-2.'),
  recognised('The characters {characters} are not in the GSM alphabet, so the text is sent in UCS-2.'),
  recognised('That is by the present page size of the route; it was charged as {pages}.'),
  recognised('With GSM characters only it would be 1 page.'),
  recognised('With GSM characters only it would be {pages} pages.'),
  recognised('The text is not stored any more; it was charged as 1 page.'),
  recognised('The text is not stored any more; it was charged as {pages} pages.'),
  recognised('Its encoding is unknown.'),
  recognised('Its encoding was GSM.'),
  recognised('Its encoding was UCS-2; which character forced it is unknown.'),
  recognised('Nothing is charged: the message was refused before it was priced.'),
  recognised('The charge is {charge}, at {price} per page.'),
  recognised('The price is one of the configuration file; which one is unknown, because its history is not stored.'),
  recognised('The price list that it was charged by was deleted, so that its rule is unknown.'),
  recognised('The price is that of the configuration file for {rule}: the most specific one that matches.'),
  recognised('The price is that of the rule for {rule}: the most specific one that matched.'),
  recognised(
    'The price is that of rule {id} of the price list {list}, for {rule}: the most specific one that matched.',
  ),
  recognised('Less specific rules did not apply: {rules}.'),
  recognised('Rules for other operators did not apply: {rules}.'),
  recognised('Rules for the other class did not apply: {rules}.'),
  recognised('Rules for another operator or class did not apply: {rules}.'),
  recognised('Why these rules did not apply is unknown: {rules}.'),
  recognised('The route is {name}, which is for {rule}.'),
  recognised('Whether it matched the number is unknown, because the person was erased.'),
  recognised('The route is {name}: it leads from the WhatsApp number of the message.'),
  recognised('The route is {name}, which is for {rule} by the present configuration, and so not for this number.'),
  recognised('The configuration was changed since, or an operator moved the message.'),
  recognised('The route was {name}, which is not configured any more.'),
  recognised('Messages of test keys go to the simulator, over no route of the configuration.'),
  recognised('The recipient has opted out, so that the message is refused before a route is chosen.'),
  recognised('The recipient is on a do-not-disturb list, so that the message is refused before a route is chosen.'),
  recognised(
    'The recipient had not written on WhatsApp in the 24 hours before, so that the message is refused before a route is chosen.',
  ),
  recognised('It was scheduled for {time}, by its send_at or by quiet hours; the price is that of its acceptance.'),
  recognised('The carrier was chosen by the shares of the route.'),
  recognised('The carrier was chosen because it has the lowest cost.'),
  recognised('The carrier was chosen because it is the least expensive one that delivers well enough.'),
  recognised('The carrier was chosen to learn how well it delivers.'),
  recognised('The carrier was chosen because no other one could take the message.'),
  recognised('The carrier was chosen because the preferred one did not deliver at that time.'),
  recognised('The carrier was chosen to keep to the agreed share of a carrier.'),
  recognised('The carrier was chosen to see whether it delivers again.'),
  recognised('The message took the first carrier of the route, because the evidence is not followed for it.'),
  recognised('{which}: advised by the evidence.'),
  recognised('{which}: may be chosen for the message.'),
  recognised('{which}: submits the message first, unless it is down.'),
  recognised('{which}: skipped. A carrier is skipped while it is down or paused; the reason is not stored.'),
  recognised('{which}: may have the message.'),
  recognised('{which}: makes the next attempt.'),
  recognised('{which}: paused at present.'),
  recognised('{which}: takes no new messages at present.'),
  recognised('{which}: did not take the message, so that the next one was tried; its answer is not stored.'),
  recognised('{which}: took the message at {time}.'),
  recognised('{which}: {status} at {time}.'),
  recognised('{which}: {status} at {time}: {reason}.'),
  recognised('It ended as {status} at {time}.'),
  recognised('It ended as {status} at {time}: {reason}.'),
  recognised('No final report of the carrier has arrived so far.'),
  recognised('It is not sent again, because a carrier may have it; a report may still arrive.'),
  recognised('Attempts so far: {attempts}.'),
  recognised('The next attempt is possible at {time}.'),
  recognised('In detail: {detail}.'),
  recognised('It is being submitted.'),
  recognised('It waits for the next attempt.'),
  recognised('It is due, and is submitted in its turn.'),
  recognised('It is due, and other messages are submitted first.'),
  recognised('It waits, but no attempt is scheduled: the operator of the service can requeue it.'),
  recognised('The messages of the organisation are on hold.'),
  recognised('It waits, because its route is not configured any more.'),
  recognised('It waits, because the carrier is not connected.'),
  recognised('It waits, because the carrier limits how fast it takes messages.'),
  recognised('It waits, because its route or its carrier is paused.'),
  recognised('It waits, because its route or its carrier takes no new messages at present.'),
  recognised('It waits, because the rate of its route is limited.'),
  recognised('The charge of {amount} was refunded, because it was canceled before a carrier had it.'),
  recognised('The charge of {amount} was refunded, because it was rejected.'),
  recognised('The charge of {amount} was refunded, because no carrier took it.'),
  recognised('The charge stays: what a carrier takes is charged, whether it arrives or not.'),
  recognised('The charge stays, because a carrier may have the message.'),
  recognised('The cost is {cost}, since the carrier charges for what it accepts; the margin is {margin}.'),
  recognised('The cost is {cost}, since the carrier charges for what is delivered; the margin is {margin}.'),
  recognised('The cost is {cost} if it is delivered, and else nothing; the margin is then {margin}.'),
  recognised('It costs nothing, since the carrier charges only for what is delivered; the margin is {margin}.'),
]
  // The most specific pattern first.
  .sort((a, b) => b.fixed_length - a.fixed_length)

/** What is said of a rule, and of a carrier. */
const PARTS = [
  recognised('prefix {prefix}'),
  recognised('country {country}'),
  recognised('operator {operator}'),
  recognised('promotional messages'),
  recognised('transactional messages'),
  recognised('any number'),
  recognised('A carrier'),
  recognised('Carrier {carrier}'),
  recognised('Carrier {place} of {n}'),
  recognised('Carrier {place} of {n}, {carrier}'),
].sort((a, b) => b.fixed_length - a.fixed_length)

const PRICED = [recognised('{rule} at {price}')]

/** Translates a sentence of an explanation, with its times in a time zone; an unknown one is returned unchanged. */
export function explainWords(sentence: string, zone: string): string {
  const found = firstWords(KNOWN, sentence, { ...VALUES, time: (time) => timeWords(time, zone) })
  return found === sentence ? deliveryWords(sentence) : found
}

const VALUES: ValueWords = {
  charge: numberWords,
  price: numberWords,
  amount: numberWords,
  rule: ruleWords,
  rules: (rules) =>
    rules
      .split('; ')
      .map((one) => firstWords(PRICED, one, { rule: ruleWords, price: numberWords }))
      .join('; '),
  which: (which) => firstWords(PARTS, which),
  status: (given) => {
    const status = STATUSES.find((one) => one === given)
    return status === undefined ? given : STATUS_NAMES[status]
  },
  reason: reasonWords,
}

function ruleWords(rule: string): string {
  return rule
    .split(', ')
    .map((part) => firstWords(PARTS, part))
    .join(', ')
}

/** A description of the carrier, perhaps with its code. */
function reasonWords(reason: string): string {
  const [, description = reason, code = ''] = /^(.*)( \([^()]*\))$/.exec(reason) ?? []
  return `${deliveryWords(description)}${code}`
}

function numberWords(value: string): string {
  return number(Number(value), { maximumFractionDigits: 4 })
}

function timeWords(time: string, zone: string): string {
  const moment = new Date(time.replace(' UTC', 'Z').replace(' ', 'T'))
  return Number.isNaN(moment.getTime()) ? time : written(moment, 'moment', zone)
}
