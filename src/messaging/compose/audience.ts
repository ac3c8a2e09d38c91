import type { Channel } from '../../carriers/message-carrier.ts'
import { isDnd, presentOperator } from '../../numbers/conclude.ts'
import type { NumberKnowledge } from '../../numbers/knowledge.ts'
import type { RouteClass } from '../settings.ts'
import type { Tariff } from './tariff.ts'

/** What must be known about recipients before their route and price can be. */
export type Audience = {
  /** Undefined where the prefix says it. */
  operatorOf: (recipient: string) => string | undefined
  /** On a do-not-disturb list: nothing promotional by a promotional route. */
  isDnd: (recipient: string) => boolean
  /** Has asked this organisation for silence. */
  isOptedOut: (recipient: string) => boolean
}

export type AudienceDeps = {
  numbers: NumberKnowledge
  findOptedOut: (organisation_id: string, recipients: readonly string[]) => Promise<ReadonlySet<string>>
}

/**
 * Asks the database about all recipients at once, and only if it matters: when a price or route names an operator, the
 * message is promotional, or anybody has opted out. Do-not-disturb lists are for promotional SMS; opting out counts for
 * every message on every channel.
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
  if (recipients.length === 0 || (!facts_matter && !has_optouts)) return NOBODY_SPECIAL
  const [known, opted_out] = await Promise.all([
    facts_matter ? numbers.find(recipients) : NOTHING_KNOWN,
    has_optouts ? findOptedOut(organisation_id, recipients) : NOBODY,
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
const NOBODY: ReadonlySet<string> = new Set()
const NOBODY_SPECIAL: Audience = { operatorOf: () => undefined, isDnd: () => false, isOptedOut: () => false }
