import { Type, type Static } from '../../values/schema/type.ts'
import { Estimate, MAX_CONTENT_CHARACTERS, requestMeta } from '../schema.ts'

const encoding = Type.Union([Type.Literal('GSM'), Type.Literal('UCS-2')])
const message_length = Type.Integer({ examples: [25] })
const pages = Type.Integer({ examples: [1] })
const charge = Type.Number({ examples: [4] })

const ForeignCharacter = Type.Object({
  character: Type.String({ examples: ['₦'] }),
  code_point: Type.String({ examples: ['U+20A6'] }),
  positions: Type.Array(Type.Integer(), {
    maxItems: MAX_CONTENT_CHARACTERS,
    description: 'Where in `text`, counted from 0 in UTF-16 units, as JavaScript and Java do.',
    examples: [[14]],
  }),
  look_alike: Type.Optional(Type.String({ description: 'What smart encoding would put in its place.' })),
})

export const EstimatedText = Type.Object({
  text: Type.String({ description: 'As it would be sent; the codes of tracked links are shown as `xxxxxxx`.' }),
  recipients: Type.Integer({ description: 'How many would get exactly this.', examples: [1] }),
  encoding,
  message_length,
  pages: Type.Integer({
    description: 'Where carriers take it in different ways, the most; `charge` is then the sum of what each needs.',
    examples: [1],
  }),
  charge: Type.Number({ description: 'For all that get it.', examples: [4] }),
  foreign_characters: Type.Array(ForeignCharacter, {
    maxItems: MAX_CONTENT_CHARACTERS,
    description: 'What forces UCS-2; nothing where it is GSM.',
  }),
  smart_encoding: Type.Optional(
    Type.Object(
      { text: Type.String(), encoding, message_length, pages, charge },
      { description: 'What smart encoding makes of it, where it can do anything.' },
    ),
  ),
  gsm: Type.Optional(
    Type.Object(
      { message_length, pages, charge },
      { description: 'What it would come to with a GSM character in the place of every other.' },
    ),
  ),
})
export type EstimatedText = Static<typeof EstimatedText>

/** What a message would be and cost. */
export const MessageEstimate = Type.Object({
  recipients: Type.Integer({ description: 'How many would get it, each number once.', examples: [2] }),
  texts: Type.Array(EstimatedText, {
    maxItems: 20,
    description: 'The different texts, those with the most pages first; at most 20.',
  }),
  texts_total: Type.Integer({ description: 'How many different texts there are.', examples: [1] }),
  smart_encoding: Type.Object({
    applied: Type.Boolean({ description: 'Asked for in the request, or set for the organisation.' }),
    charge: Type.Number({ description: 'With smart encoding.', examples: [4] }),
  }),
  gsm: Type.Object({ charge: Type.Number({ description: 'With GSM characters only.', examples: [4] }) }),
  meta: Type.Object({ ...requestMeta, estimate: Estimate }),
})
export type MessageEstimate = Omit<Static<typeof MessageEstimate>, 'meta'> & { estimate: Static<typeof Estimate> }
