import { costOf, type Costs } from '../../carriers/costs.ts'
import type { Channel, MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Asked, Chooser } from '../../choice/choice.ts'
import { originOfErasable } from '../../numbers/prefix-table.ts'
import { pendingClassOf } from '../routing.ts'
import type { ChooseLane } from './lanes.ts'
import type { Routable } from './target.ts'

type Deps = { costs?: Costs | undefined }

export type CarrierChoice = {
  choose: ChooseLane
  /** The position of the next carrier of a delivery, other than these; undefined: there is none. */
  next(attempt: Routable, excluded: readonly number[]): number | undefined
}

/** Chooses among the carriers of a route. `canTake`: whether the carrier at this position takes new messages. */
export function makeCarrierChoice(
  { costs }: Deps,
  chooser: Chooser,
  { carriers, channel }: { carriers: readonly MessageCarrier[]; channel: Channel | undefined },
  canTake: (position: number) => boolean,
): CarrierChoice {
  const names = carriers.map(({ name }) => name)

  function ask(given: Omit<Routable, 'tried'>, available: boolean[]): Asked {
    const { recipient, pages, promotional, sealed_text } = given
    const billed = { recipient, pages, promotional, channel: channel ?? given.channel }
    const { country, operator } = originOfErasable(recipient)
    return {
      country,
      operator,
      channel: billed.channel,
      class: pendingClassOf({ sealed_text }),
      costs: names.map((name) => costOf(costs?.of(name), billed)?.cost),
      available,
    }
  }

  return {
    choose(delivery, room) {
      const takes = names.map((_, n) => canTake(n))
      // A one-time password does not wait for room where another carrier has some.
      const is_urgent = delivery.sealed_text !== null
      const ready = is_urgent ? takes.map((can, n) => can && (room[n] ?? 0) > 0) : takes
      const available = ready.includes(true) ? ready : takes.includes(true) ? takes : names.map(() => true)
      const choice = chooser.choose(ask(delivery, available))
      delivery.choice = choice
      return choice.position
    },
    next(attempt, excluded) {
      const others = names.map((name, n) => !excluded.includes(n) && !attempt.tried.includes(name))
      if (!others.includes(true)) return undefined
      const taking = others.map((other, n) => other && canTake(n))
      const available = taking.includes(true) ? taking : others
      const passed = names.flatMap((_, n) => (others[n] ? [] : [n]))
      return chooser.next(ask(attempt, available), passed) ?? available.indexOf(true)
    },
  }
}
