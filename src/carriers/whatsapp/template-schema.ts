import { timestamp, Type, type Static } from '../../values/schema/type.ts'

const MAX_NAME = 512
const MAX_COMPONENTS = 10
/** Meta allows a business account at most 6,000. */
export const MAX_LISTED = 6_000
const MAX_BUTTONS = 10
const MAX_CARDS = 10
const MAX_APPS = 5
const MAX_SAMPLES = 100
/** Longer than any text of a template. */
const MAX_TEXT = 2_000

/** These are passed on as they are given, so they have no other fields. */
const closed = { additionalProperties: false }
const text = Type.String({ maxLength: MAX_TEXT })
const sample = (description: string) => Type.Optional(Type.Array(text, { maxItems: MAX_SAMPLES, description }))
const namedSamples = Type.Optional(
  Type.Array(Type.Object({ param_name: text, example: text }, closed), { maxItems: MAX_SAMPLES }),
)

const Button = Type.Object(
  {
    type: Type.String({
      maxLength: 30,
      description: '`QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or `OTP` for authentication; in any case.',
      examples: ['URL'],
    }),
    text: Type.Optional(Type.String({ maxLength: MAX_TEXT, examples: ['Track'] })),
    url: Type.Optional(
      Type.String({ maxLength: MAX_TEXT, description: 'May end in `{{1}}`.', examples: ['https://example.com/{{1}}'] }),
    ),
    phone_number: Type.Optional(Type.String({ maxLength: MAX_TEXT, examples: ['+2348031234567'] })),
    example: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string', maxLength: MAX_TEXT },
        maxItems: MAX_SAMPLES,
        maxLength: MAX_TEXT,
        description: 'A sample: of a URL with a parameter in a list, of a code to copy the code.',
      }),
    ),
    otp_type: Type.Optional(
      Type.String({ maxLength: 30, description: '`COPY_CODE`, `ONE_TAP` or `ZERO_TAP`, in any case.' }),
    ),
    autofill_text: Type.Optional(text),
    zero_tap_terms_accepted: Type.Optional(Type.Boolean()),
    supported_apps: Type.Optional(
      Type.Array(Type.Object({ package_name: text, signature_hash: text }, closed), { maxItems: MAX_APPS }),
    ),
  },
  closed,
)
export type ButtonComponent = Static<typeof Button>

const part = {
  type: Type.String({ maxLength: 30, examples: ['BODY'] }),
  format: Type.Optional(
    Type.String({
      maxLength: 30,
      description: 'Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`, in any case.',
    }),
  ),
  text: Type.Optional(Type.String({ maxLength: MAX_TEXT, examples: ['Hello {{1}}, your order {{2}} is on its way.'] })),
  example: Type.Optional(
    Type.Object(
      {
        header_text: sample('A sample for the parameter of the header.'),
        header_text_named_params: namedSamples,
        header_media_id: Type.Optional(
          Type.String({
            format: 'uuid',
            description:
              'The sample of a header with a file: the id of a file of `/media`, which is uploaded to Meta. JPEG or PNG, MP4, or PDF.',
            examples: ['019a8475-0000-7000-8000-000000000001'],
          }),
        ),
        header_handle: sample('Instead of `header_media_id`: a handle that Meta’s resumable upload returned.'),
        body_text: Type.Optional(
          Type.Array(Type.Array(text, { maxItems: MAX_SAMPLES }), {
            maxItems: 1,
            description: 'A list with a sample for each parameter of the body.',
            examples: [[['Ada', '1042']]],
          }),
        ),
        body_text_named_params: namedSamples,
      },
      closed,
    ),
  ),
  buttons: Type.Optional(Type.Array(Button, { maxItems: MAX_BUTTONS })),
  add_security_recommendation: Type.Optional(Type.Boolean({ description: 'Of the body, for authentication.' })),
  code_expiration_minutes: Type.Optional(Type.Integer({ description: 'Of the footer, for authentication: 1 to 90.' })),
}
const CardComponent = Type.Object(part, closed)
const Component = Type.Object(
  {
    ...part,
    cards: Type.Optional(
      Type.Array(Type.Object({ components: Type.Array(CardComponent, { maxItems: MAX_COMPONENTS }) }, closed), {
        maxItems: MAX_CARDS,
        description: 'Of a carousel: two to ten cards with the same components.',
      }),
    ),
  },
  closed,
)
export type Component = Static<typeof Component>

const components = Type.Array(Component, {
  minItems: 1,
  maxItems: MAX_COMPONENTS,
  description:
    'Header, body, footer, buttons and carousel, as Meta documents them: `type` is `HEADER`, `BODY`, `FOOTER`, `BUTTONS` or `CAROUSEL`, in any case.',
  examples: [[{ type: 'BODY', text: 'Your order is on its way.' }]],
})
const category = Type.String({
  maxLength: 30,
  description: '`marketing`, `utility` or `authentication`, in any case. Meta may change it.',
  examples: ['utility'],
})

export const MetaTemplateBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    description: 'Lowercase letters, digits and underscores.',
    examples: ['order_update'],
  }),
  language: Type.String({ minLength: 2, maxLength: 20, description: 'Such as `en` or `pt_BR`.', examples: ['en'] }),
  category,
  parameter_format: Type.Optional(
    Type.String({ maxLength: 20, description: '`positional` (the default) or `named`, in any case.' }),
  ),
  components,
})
export type MetaTemplateBody = Static<typeof MetaTemplateBody>

export const MetaTemplateChange = Type.Object({ category: Type.Optional(category), components })
export type MetaTemplateChange = Static<typeof MetaTemplateChange>

export const MetaTemplate = Type.Object({
  id: Type.String({ description: 'Meta’s id.', examples: ['1689556908129832'] }),
  name: Type.String({ examples: ['order_update'] }),
  language: Type.String({ examples: ['en'] }),
  category: Type.String({ examples: ['utility'] }),
  previous_category: Type.Optional(Type.String({ description: 'If Meta has changed it.', examples: ['utility'] })),
  status: Type.String({
    description: 'Meta’s: `pending` (in review), `approved`, `rejected`, `paused`, `disabled`, …',
    examples: ['approved'],
  }),
  reason: Type.Optional(
    Type.String({ description: 'Why it was rejected, paused or disabled.', examples: ['TAG_CONTENT_MISMATCH'] }),
  ),
  quality: Type.Optional(
    Type.String({ description: 'Meta’s score: `green`, `yellow`, `red` or `unknown`.', examples: ['green'] }),
  ),
  components: Type.Unsafe<Record<string, unknown>[]>({
    type: 'array',
    items: { type: 'object' },
    maxItems: MAX_COMPONENTS,
    description: 'As Meta describes them.',
  }),
  is_own: Type.Boolean({ description: 'You may change and delete it.' }),
  updated_datetime: timestamp,
})
export type MetaTemplate = Static<typeof MetaTemplate>

export const MetaTemplates = Type.Object({ templates: Type.Array(MetaTemplate, { maxItems: MAX_LISTED }) })
