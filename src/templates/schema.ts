import { id, timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

const MAX_NAME = 200
/** Longer than any text of a channel: a placeholder may be longer than its value. */
const MAX_CONTENT = 8_192

const name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  description: 'A label, shown in lists.',
  examples: ['Order shipped'],
})
const content = Type.String({
  minLength: 1,
  maxLength: MAX_CONTENT,
  description:
    'The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` if it has none.',
  examples: ['Hello {{name|there}}, your order {{order}} is on its way.'],
})

const MAX_WHATSAPP_VALUES = 100
const MAX_LANGUAGES = 10
/** Meta's limits of a template. */
const MAX_BUTTONS = 10
const MAX_CARDS = 10
const MAX_CARD_BUTTONS = 2
/** The length of a URL. Longer than any other value. */
const MAX_VALUE = 2_000

const language = Type.String({ minLength: 2, maxLength: 20, examples: ['en'] })
/** A value with placeholders: what it may be is checked once they are filled. */
const value = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_VALUE, description, examples: [example] })

const mediaFields = {
  id: Type.Optional(value('The id of a file of `/media`; or give its `link`.', '{{photo}}')),
  link: Type.Optional(
    value(
      'A public https address that Meta fetches the file from; or give its `id`.',
      'https://example.com/{{order}}.jpg',
    ),
  ),
}
/** These are stored as they are given, so they have no other fields. */
const closed = { additionalProperties: false }
const Media = Type.Object(mediaFields, closed)
const Document = Type.Object(
  { ...mediaFields, filename: Type.Optional(value('The name that the phone shows.', 'Invoice {{order}}.pdf')) },
  closed,
)
const Location = Type.Object(
  {
    latitude: value('Degrees from -90 to 90.', '6.4281'),
    longitude: value('Degrees from -180 to 180.', '3.4219'),
    name: Type.Optional(value('Its name.', 'Our shop')),
    address: Type.Optional(value('Its address.', '12 Marina, Lagos')),
  },
  closed,
)

const Header = Type.Object(
  {
    text: Type.Optional(value('The value of its text.', '{{month}}')),
    image: Type.Optional(Media),
    video: Type.Optional(Media),
    document: Type.Optional(Document),
    location: Type.Optional(Location),
  },
  {
    ...closed,
    minProperties: 1,
    maxProperties: 1,
    description: 'What the header of the template takes: exactly one of these.',
  },
)
export type WhatsappHeader = Static<typeof Header>

const Button = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: MAX_BUTTONS - 1, description: 'Its position, from 0.', examples: [0] }),
    url: Type.Optional(value('The end of its URL.', '{{order}}')),
    payload: Type.Optional(
      value('What a quick reply reports when it is pressed, at most 128 characters.', 'confirm-{{order}}'),
    ),
    code: Type.Optional(value('The code that it copies, at most 15 characters.', '{{coupon}}')),
  },
  {
    ...closed,
    minProperties: 2,
    maxProperties: 2,
    description: 'The value of a button: `url`, `payload` or `code`, as its type requires.',
  },
)
export type WhatsappButton = Static<typeof Button>

const Card = Type.Object(
  {
    header: Type.Optional(Header),
    texts: Type.Optional(
      Type.Array(value('The value of a parameter.', '{{product}}'), {
        maxItems: MAX_WHATSAPP_VALUES,
        description: 'The values of its text, in the order of its parameters.',
      }),
    ),
    buttons: Type.Optional(Type.Array(Button, { maxItems: MAX_CARD_BUTTONS })),
  },
  { ...closed, description: 'A card of a carousel.' },
)
export type WhatsappCard = Static<typeof Card>

/** The WhatsApp template that is sent outside the 24-hour customer service window. */
export const WhatsappTemplate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512, examples: ['order_update'] }),
    language,
    fallback_languages: Type.Optional(
      Type.Array(language, {
        maxItems: MAX_LANGUAGES,
        description: 'If it is not approved in `language`: the languages to try instead, in this order.',
        examples: [['en_US']],
      }),
    ),
    parameters: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_WHATSAPP_VALUES,
      description:
        'The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, …; of named parameters, in the order in which the text names them.',
      examples: [['name', 'order']],
    }),
    parameter_names: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: MAX_WHATSAPP_VALUES,
        description:
          'The parameter of the WhatsApp template that each of `parameters` fills, if they are in another order.',
        examples: [['first_name', 'order_number']],
      }),
    ),
    header: Type.Optional(Header),
    buttons: Type.Optional(Type.Array(Button, { maxItems: MAX_BUTTONS })),
    cards: Type.Optional(
      Type.Array(Card, { maxItems: MAX_CARDS, description: 'The cards of a carousel: all that the template has.' }),
    ),
  },
  {
    description:
      'The template approved by Meta that is sent instead of the text on the channel `whatsapp`. The values of header, buttons and cards are texts with placeholders, which are filled like those of `content`. Its state and all values are checked before a message is charged.',
  },
)
export type WhatsappTemplate = Static<typeof WhatsappTemplate>

export const TemplateBody = Type.Object({ name, content, whatsapp: Type.Optional(WhatsappTemplate) })
export type TemplateBody = Static<typeof TemplateBody>

export const TemplateChange = Type.Object({
  name: Type.Optional(name),
  content: Type.Optional(content),
  whatsapp: Type.Optional(
    Type.Unsafe<WhatsappTemplate | null>({
      ...WhatsappTemplate,
      type: ['object', 'null'],
      description: 'Null removes it.',
    }),
  ),
})
export type TemplateChange = Static<typeof TemplateChange>

export const TemplateQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A version other than the newest.' }),
  ),
})
export type TemplateQuery = Static<typeof TemplateQuery>

export const Template = Type.Object({
  id,
  version: Type.Integer({ description: 'Counted from 1; every change creates a new one.', examples: [1] }),
  name,
  content,
  placeholders: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['name'] }),
      default: Type.Optional(Type.String({ examples: ['there'] })),
    }),
    {
      maxItems: MAX_CONTENT,
      description: 'The distinct placeholders of `content` and `whatsapp`, in order of appearance.',
    },
  ),
  whatsapp: Type.Optional(WhatsappTemplate),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Template = Static<typeof Template>

export const TemplatePage = Type.Object({ templates: onePage(Template), meta: ListMeta })
export type TemplatePage = Static<typeof TemplatePage>
