import type { Channel } from '../../carriers/message-carrier.ts'
import { isDnd, presentOperator } from '../../numbers/conclude.ts'
import type { NumberKnowledge } from '../../numbers/knowledge.ts'
import type { RouteClass } from '../settings.ts'
import type { Tariff } from './tariff.ts'

/** The facts about recipients that decide their route and price. */
export type Audience = {
  /** Undefined where the operator follows from the prefix. */
  operatorOf: (recipient: string) => string | undefined
  /** On a do-not-disturb list: takes no promotional message by a promotional route. */
  isDnd: (recipient: string) => boolean
  /** Has opted out of messages of this organisation. */
  isOptedOut: (recipient: string) => boolean
}

export type AudienceDeps = {
  numbers: NumberKnowledge
  findOptedOut: (organisation_id: string, recipients: readonly string[]) => Promise<ReadonlySet<string>>
}

/**
 * Reads the facts about all recipients in one batch, and only if needed: when a price or route names an operator, the
 * message is promotional, or the organisation has opt-outs. Do-not-disturb lists apply to promotional SMS; opt-outs apply
 * to every message on every channel.
 */
export async function readAudience(
  { numbers, findOptedOut }: AudienceDeps,
  tariff: Tariff,
  message: {
    organisation_id: string
    has_optouts: boolean
    channel: Channel
    route_class: RouteClass
    recipients: readonly string[]
  },
): Promise<Audience> {
  const { organisation_id, has_optouts, channel, recipients } = message
  const dnd_matters = message.route_class === 'promotional' && channel === 'sms'
  const facts_matter = dnd_matters || tariff.namesOperator(channel)
  if (recipients.length === 0 || (!facts_matter && !has_optouts)) return NO_FACTS
  const [known, opted_out] = await Promise.all([
    facts_matter ? numbers.find(recipients) : NOTHING_KNOWN,
    has_optouts ? findOptedOut(organisation_id, recipients) : NONE,
  ])
  return {
    operatorOf(recipient) {
      const facts = known.get(recipient)
      return facts && presentOperator(numbers.table.originOf(recipient), facts).operator
    },
    isDnd: (recipient) => dnd_matters && isDnd(known.get(recipient)),
    isOptedOut: (recipient) => opted_out.has(recipient),
  }
}

const NOTHING_KNOWN: Awaited<ReturnType<NumberKnowledge['find']>> = new Map()
const NONE: ReadonlySet<string> = new Set()
const NO_FACTS: Audience = { operatorOf: () => undefined, isDnd: () => false, isOptedOut: () => false }
