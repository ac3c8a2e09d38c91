import { id, timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

export const MAX_OPTOUT_RECIPIENTS = 10_000

export const OptoutBody = Type.Object({
  recipients: Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    maxItems: MAX_OPTOUT_RECIPIENTS,
    description: `Phone numbers to block: comma-separated or a list, at most ${MAX_OPTOUT_RECIPIENTS.toLocaleString('en')}. A number that is blocked already keeps its entry.`,
    examples: ['2348031234567'],
  }),
})
export type OptoutBody = Static<typeof OptoutBody>

export const Optout = Type.Object({
  id,
  recipient: Type.String({ examples: ['2348031234567'] }),
  source: Type.Unsafe<'text' | 'api' | 'carrier'>({
    type: 'string',
    enum: ['text', 'api', 'carrier'],
    description:
      '`text`: the person replied STOP or another keyword. `api`: you added the number. `carrier`: the person opted out at their network or stopped your marketing messages in WhatsApp, and the carrier reported it.',
    examples: ['text'],
  }),
  created_datetime: timestamp,
})
export type Optout = Static<typeof Optout>

export const OptoutPage = Type.Object({ optouts: onePage(Optout), meta: ListMeta })
export type OptoutPage = Static<typeof OptoutPage>
