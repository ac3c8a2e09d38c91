import type { ExplainedChoice } from '../choice.ts'
import type { ExplainedAttempt, ExplainedCarrier } from '../schema.ts'
import { present } from '../../values/record.ts'
import { momentText, say } from './say.ts'

/** Carriers whose attempts are not among the stored ones. */
export function ofCarriers(carriers: readonly ExplainedCarrier[]): string[] {
  return carriers.flatMap((carrier): string[] => {
    const which = whichText(carrier, carriers)
    switch (carrier.result) {
      case 'first':
        return [say('{which}: submits the message first, unless it is down.', { which })]
      case 'candidate':
        return [say('{which}: may be chosen for the message.', { which })]
      case 'skipped':
        return [
          say('{which}: skipped. A carrier is skipped while it is down or paused; the reason is not stored.', {
            which,
          }),
        ]
      case 'possible':
        return [say('{which}: may have the message.', { which })]
      case 'waiting':
        return [say('{which}: makes the next attempt.', { which })]
      case 'paused':
        return [say('{which}: paused at present.', { which })]
      case 'draining':
        return [say('{which}: takes no new messages at present.', { which })]
      case 'accepted':
      case 'rejected':
      case 'not_chosen':
      case 'untried':
      case 'unknown':
        return []
    }
  })
}

export function ofChoice(
  { reason, advised_place, advised_carrier }: ExplainedChoice,
  carriers: readonly ExplainedCarrier[],
): string[] {
  if (advised_place === undefined) return [choiceText(reason)]
  const advised = { place: advised_place, ...present('carrier', advised_carrier) }
  return [
    say('The message took the first carrier of the route, because the evidence is not followed for it.'),
    say('{which}: advised by the evidence.', { which: whichText(advised, carriers) }),
  ]
}

function choiceText(reason: ExplainedChoice['reason']): string {
  switch (reason) {
    case 'share':
      return say('The carrier was chosen by the shares of the route.')
    case 'cheapest':
      return say('The carrier was chosen because it has the lowest cost.')
    case 'good_enough':
      return say('The carrier was chosen because it is the least expensive one that delivers well enough.')
    case 'explored':
      return say('The carrier was chosen to learn how well it delivers.')
    case 'only_candidate':
      return say('The carrier was chosen because no other one could take the message.')
    case 'outage':
      return say('The carrier was chosen because the preferred one did not deliver at that time.')
    case 'contract':
      return say('The carrier was chosen to keep to the agreed share of a carrier.')
    case 'probe':
      return say('The carrier was chosen to see whether it delivers again.')
  }
}

function whichText(
  { place, carrier }: Pick<ExplainedAttempt, 'place' | 'carrier'>,
  carriers: readonly ExplainedCarrier[],
): string {
  const values = { place: place ?? 0, n: carriers.length, carrier: carrier ?? '' }
  if (place === undefined) {
    return carrier === undefined ? say('A carrier') : say('Carrier {carrier}', values)
  }
  return carrier === undefined
    ? say('Carrier {place} of {n}', values)
    : say('Carrier {place} of {n}, {carrier}', values)
}

export function ofAttempt(attempt: ExplainedAttempt, carriers: readonly ExplainedCarrier[]): string[] {
  const { result, code = '', description, created_datetime, advice } = attempt
  const which = whichText(attempt, carriers)
  const time = created_datetime === undefined ? '' : momentText(created_datetime)
  if (result === 'moved_on') {
    return [
      say('{which}: did not take the message, so that the next one was tried; its answer is not stored.', { which }),
    ]
  }
  if (result === 'accepted') return [say('{which}: took the message at {time}.', { which, time })]
  const why = description === result ? '' : (description ?? code)
  const reason = description !== undefined && code !== '' ? `${description} (${code})` : why
  const is_from = attempt.place !== undefined || attempt.carrier !== undefined
  const values = { which, time, status: result, reason }
  const end = is_from
    ? why === ''
      ? say('{which}: {status} at {time}.', values)
      : say('{which}: {status} at {time}: {reason}.', values)
    : why === ''
      ? say('It ended as {status} at {time}.', values)
      : say('It ended as {status} at {time}: {reason}.', values)
  return [end, ...(advice === undefined ? [] : [advice])]
}
