import { REASONS } from '../choice/choice.ts'
import { choiceOf } from '../messaging/routing.ts'
import { forOperators, type Viewer } from '../users/viewer.ts'
import { present } from '../values/record.ts'
import { isOneOf, Type, type Static } from '../values/schema/type.ts'

/** Why its first carrier was chosen, on a route that chooses. */
export const ExplainedChoice = Type.Object({
  reason: isOneOf(REASONS, {
    description:
      '`share`: by the shares of the route; `cheapest`: it has the lowest cost; `good_enough`: the least expensive carrier that delivers well enough; `explored`: to learn how well it delivers; `only_candidate`: no other carrier could take the message; `outage`: the preferred carrier did not deliver at that time; `contract`: to keep to the least or highest share of a carrier; `probe`: to see whether it delivers again.',
    examples: ['good_enough'],
  }),
  advised_place: Type.Optional(
    Type.Integer({
      description:
        'The carrier that the evidence advised, if its advice was not followed: the message took the first one.',
      examples: [2],
    }),
  ),
  advised_carrier: Type.Optional(
    Type.String({ description: 'The name of that carrier. Only for operators of the installation.' }),
  ),
})
export type ExplainedChoice = Static<typeof ExplainedChoice>

/** Why the first carrier was chosen; undefined: the route has an order. */
export function explainChoice(
  carriers: readonly string[],
  routing: number | null,
  viewer: Viewer,
): ExplainedChoice | undefined {
  const choice = choiceOf(routing)
  if (!choice) return undefined
  const { reason, advised } = choice
  if (advised === undefined) return { reason }
  return {
    reason,
    advised_place: advised + 1,
    ...forOperators(viewer, present('advised_carrier', carriers[advised])),
  }
}
