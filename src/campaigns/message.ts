import type { SliceMessage, SlicePerson } from '../messaging/compose/slice.ts'
import type { Sender } from '../messaging/draft.ts'
import { placeholdersOf } from '../templates/placeholders.ts'
import type { WhatsappTemplate } from '../templates/schema.ts'
import { readPattern, type Placeholder } from '../values/placeholders.ts'
import type { CampaignRow, CampaignText } from './store.ts'

/** One of a campaign's texts as a message without recipients. */
export type CampaignWords = SliceMessage & {
  /** Its placeholders, in the order in which slices store the values. */
  names: string[]
}

export function wordsOf(
  { message }: Pick<CampaignRow, 'message'>,
  { content, template_id, template_version, whatsapp }: CampaignText,
  sender: Pick<Sender, 'smart_encoding'>,
): CampaignWords {
  const pattern = readPattern(content)
  const placeholders = neededPlaceholders(message.channel, { content, whatsapp })
  return {
    channel: message.channel,
    sender_id: message.sender_id ?? null,
    route_class: message.route_class ?? 'transactional',
    smart_encoding: message.smart_encoding ?? sender.smart_encoding,
    is_trackable: message.is_trackable ?? false,
    source: {
      content,
      ...(template_id !== undefined && template_version !== undefined
        ? { template: { id: template_id, version: template_version } }
        : {}),
      ...(whatsapp ? { whatsapp } : {}),
      ...(placeholders.length > 0 ? { personal: { pattern, values: new Map() } } : {}),
    },
    names: placeholders.map(({ name }) => name),
  }
}

/** The placeholders of a text that are filled on a channel: those of a WhatsApp template are on WhatsApp only. */
export function neededPlaceholders(
  channel: string,
  { content, whatsapp }: Pick<CampaignText, 'content'> & { whatsapp?: WhatsappTemplate | null | undefined },
): Placeholder[] {
  return placeholdersOf({ content, whatsapp: channel === 'whatsapp' ? whatsapp : undefined })
}

/** A number and the values of the placeholders in their order; null for a missing one. */
export type SliceEntry = [recipient: string, ...values: (string | null)[]]

export function personOf(names: readonly string[], [recipient, ...values]: SliceEntry): SlicePerson {
  const given = names.flatMap((name, n) => {
    const value = values[n]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return { recipient, substitutions: Object.fromEntries(given) }
}
