import { Type, type Static } from '../../values/schema/type.ts'
import { Estimate, MAX_CONTENT_CHARACTERS, requestMeta, SendBody } from '../schema.ts'

const encoding = Type.Union([Type.Literal('GSM'), Type.Literal('UCS-2')])
const message_length = Type.Integer({ examples: [25] })
const pages = Type.Integer({ examples: [1] })
const charge = Type.Number({ examples: [4] })

const ForeignCharacter = Type.Object({
  character: Type.String({ examples: ['₦'] }),
  code_point: Type.String({ examples: ['U+20A6'] }),
  positions: Type.Array(Type.Integer(), {
    maxItems: MAX_CONTENT_CHARACTERS,
    description: 'Positions in `text`, from 0, in UTF-16 units, as in JavaScript and Java.',
    examples: [[14]],
  }),
  look_alike: Type.Optional(Type.String({ description: 'Its replacement by smart encoding.' })),
})

export const EstimatedText = Type.Object({
  text: Type.String({ description: 'The text as sent; codes of tracked links are shown as `xxxxxxx`.' }),
  recipients: Type.Integer({ description: 'Number of recipients of exactly this text.', examples: [1] }),
  encoding,
  message_length,
  pages: Type.Integer({
    description: 'The highest number, if routes differ; `charge` is the sum over all routes.',
    examples: [1],
  }),
  charge: Type.Number({ description: 'For all its recipients.', examples: [4] }),
  foreign_characters: Type.Array(ForeignCharacter, {
    maxItems: MAX_CONTENT_CHARACTERS,
    description: 'The characters that force UCS-2; empty for GSM.',
  }),
  smart_encoding: Type.Optional(
    Type.Object(
      { text: Type.String(), encoding, message_length, pages, charge },
      { description: 'The text with smart encoding, if that changes it.' },
    ),
  ),
  gsm: Type.Optional(
    Type.Object(
      { message_length, pages, charge },
      { description: 'Size and charge with a GSM character in place of every other one.' },
    ),
  ),
})
export type EstimatedText = Static<typeof EstimatedText>

/** Texts, pages and cost of a message. */
export const MessageEstimate = Type.Object({
  recipients: Type.Integer({ description: 'Number of distinct recipients.', examples: [2] }),
  texts: Type.Array(EstimatedText, {
    maxItems: 20,
    description: 'The distinct texts, those with the most pages first; at most 20.',
  }),
  texts_total: Type.Integer({ description: 'Number of distinct texts.', examples: [1] }),
  smart_encoding: Type.Object({
    applied: Type.Boolean({ description: 'Requested, or set for the organisation.' }),
    charge: Type.Number({ description: 'With smart encoding.', examples: [4] }),
  }),
  is_covered: Type.Boolean({ description: 'Whether the balance, with the credit limit, covers the charge.' }),
  gsm: Type.Object({ charge: Type.Number({ description: 'With GSM characters only.', examples: [4] }) }),
  meta: Type.Object({ ...requestMeta, estimate: Estimate }),
})
export type MessageEstimate = Omit<Static<typeof MessageEstimate>, 'meta'> & { estimate: Static<typeof Estimate> }

/** The body of a send, with what only an estimate takes. */
export const EstimateBody = Type.Object({
  ...SendBody.properties,
  explain: Type.Optional(
    Type.Boolean({
      description: 'Also explain the price, the route and the carriers of the first recipients (`explanations`).',
    }),
  ),
})
