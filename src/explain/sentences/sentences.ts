import type { ExplainedCost } from '../cost.ts'
import type { ExplainedFees } from '../fees.ts'
import type { ExplainedRefund } from '../refund.ts'
import type { ExplainedDelivery, ExplainedEstimate, ExplainedRoute, ExplainedWait, Explanation } from '../schema.ts'
import { ofAttempt, ofCarriers, ofChoice } from './carriers.ts'
import { ofPrice, ruleText } from './price.ts'
import { momentText, say } from './say.ts'
import { ofText } from './text.ts'

/** What is true of all deliveries of a message. */
export function messageSentences({
  is_otp,
  fees,
  campaign,
}: Pick<Explanation, 'is_otp' | 'fees' | 'campaign'>): string[] {
  return [
    ...(campaign ? [say('The message is part of the campaign {name}.', campaign)] : []),
    ...(is_otp ? [say('The message carries a one-time password: its text is stored without the token.')] : []),
    ...(fees ? ofFees(fees) : []),
  ]
}

function ofFees({ per_request, per_verified, refunded }: ExplainedFees): string[] {
  return [
    ...(per_request === undefined
      ? []
      : [say('The request of the one-time password was charged with {amount}.', { amount: per_request })]),
    ...(per_verified === undefined ? [] : [ofVerifiedFee(per_verified, refunded)]),
  ]
}

function ofVerifiedFee(amount: number, refunded: boolean): string {
  return refunded
    ? say('Its verification was charged with {amount}, which was refunded because it was not verified.', { amount })
    : say('Its verification was charged with {amount}, which is refunded if it ends without being verified.', {
        amount,
      })
}

export function estimateSentences(explained: Omit<ExplainedEstimate, 'sentences'>): string[] {
  const { text, price, route, carriers } = explained
  return [...ofText(text), ...ofPrice(price), ...ofRoute(route), ...ofCarriers(carriers)]
}

export function deliverySentences(explained: Omit<ExplainedDelivery, 'sentences'>): string[] {
  const { text, price, route, carriers, choice, attempts, waits, refund, cost, status, send_at } = explained
  return [
    ...ofText(text),
    ...ofPrice(price),
    ...ofRoute(route),
    ...(send_at === undefined ? [] : [ofDelay(send_at)]),
    ...(choice ? ofChoice(choice, carriers) : []),
    ...ofCarriers(carriers),
    ...attempts.flatMap((attempt) => ofAttempt(attempt, carriers)),
    ...ofState(status),
    ...(waits ? ofWait(waits) : []),
    ...ofRefund(refund, status),
    ...(cost ? [ofCost(cost)] : []),
  ]
}

function ofRoute({ result, name = '', ...target }: ExplainedRoute): string[] {
  const values = { name, rule: ruleText(target) }
  switch (result) {
    case 'matched':
      return [say('The route is {name}, which is for {rule}.', values)]
    case 'number':
      return [say('The route is {name}: it leads from the WhatsApp number of the message.', values)]
    case 'differs':
      return [
        say(
          'The route is {name}, which is for {rule} by the present configuration, and so not for this number.',
          values,
        ),
        say('The configuration was changed since, or an operator moved the message.'),
      ]
    case 'erased':
      return [
        say('The route is {name}, which is for {rule}.', values),
        say('Whether it matched the number is unknown, because the person was erased.'),
      ]
    case 'not_configured':
      return [say('The route was {name}, which is not configured any more.', values)]
    case 'test':
      return [say('Messages of test keys go to the simulator, over no route of the configuration.')]
    case 'opted_out':
      return [say('The recipient has opted out, so that the message is refused before a route is chosen.')]
    case 'dnd':
      return [
        say('The recipient is on a do-not-disturb list, so that the message is refused before a route is chosen.'),
      ]
    case 'window':
      return [
        say(
          'The recipient had not written on WhatsApp in the 24 hours before, so that the message is refused before a route is chosen.',
        ),
      ]
  }
}

function ofDelay(time: string): string {
  return say('It was scheduled for {time}, by its send_at or by quiet hours; the price is that of its acceptance.', {
    time: momentText(time),
  })
}

function ofState(status: ExplainedDelivery['status']): string[] {
  if (status === 'sent') return [say('No final report of the carrier has arrived so far.')]
  if (status === 'unknown') {
    return [say('It is not sent again, because a carrier may have it; a report may still arrive.')]
  }
  return []
}

function ofWait({ reason, attempts, until, detail }: ExplainedWait): string[] {
  const values = { attempts, time: until === undefined ? '' : momentText(until), detail: detail ?? '' }
  return [
    waitText(reason),
    ...(attempts === 0 ? [] : [say('Attempts so far: {attempts}.', values)]),
    ...(until === undefined ? [] : [say('The next attempt is possible at {time}.', values)]),
    ...(detail === undefined ? [] : [say('In detail: {detail}.', values)]),
  ]
}

function waitText(reason: ExplainedWait['reason']): string {
  switch (reason) {
    case 'in_flight':
      return say('It is being submitted.')
    case 'retry':
    case 'refused':
      return say('It waits for the next attempt.')
    case 'due':
      return say('It is due, and is submitted in its turn.')
    case 'waiting':
      return say('It is due, and other messages are submitted first.')
    case 'no_job':
      return say('It waits, but no attempt is scheduled: the operator of the service can requeue it.')
    case 'on_hold':
      return say('The messages of the organisation are on hold.')
    case 'no_route':
      return say('It waits, because its route is not configured any more.')
    case 'not_served':
    case 'not_bound':
      return say('It waits, because the carrier is not connected.')
    case 'throttled':
      return say('It waits, because the carrier limits how fast it takes messages.')
    case 'paused':
      return say('It waits, because its route or its carrier is paused.')
    case 'draining':
      return say('It waits, because its route or its carrier takes no new messages at present.')
    case 'rate':
      return say('It waits, because the rate of its route is limited.')
  }
}

function ofCost({ cost, margin, reason }: ExplainedCost): string {
  const values = { cost, margin }
  switch (reason) {
    case 'accepted':
      return say('The cost is {cost}, since the carrier charges for what it accepts; the margin is {margin}.', values)
    case 'delivered':
      return say('The cost is {cost}, since the carrier charges for what is delivered; the margin is {margin}.', values)
    case 'if_delivered':
      return say('The cost is {cost} if it is delivered, and else nothing; the margin is then {margin}.', values)
    case 'not_delivered':
      return say(
        'It costs nothing, since the carrier charges only for what is delivered; the margin is {margin}.',
        values,
      )
  }
}

function ofRefund({ reason, amount = 0 }: ExplainedRefund, status: ExplainedDelivery['status']): string[] {
  const values = { amount }
  switch (reason) {
    case 'canceled':
      return [say('The charge of {amount} was refunded, because it was canceled before a carrier had it.', values)]
    case 'rejected':
      return [say('The charge of {amount} was refunded, because it was rejected.', values)]
    case 'failed':
      return [say('The charge of {amount} was refunded, because no carrier took it.', values)]
    case 'accepted':
      return status === 'undelivered' || status === 'expired'
        ? [say('The charge stays: what a carrier takes is charged, whether it arrives or not.')]
        : []
    case 'possibly_accepted':
      return [say('The charge stays, because a carrier may have the message.')]
    case 'not_charged':
    case 'not_over':
      return []
  }
}
