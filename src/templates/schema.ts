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

/** The WhatsApp template that is sent outside the 24-hour customer service window. */
export const WhatsappTemplate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512, examples: ['order_update'] }),
    language: Type.String({ minLength: 2, maxLength: 20, examples: ['en'] }),
    parameters: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_WHATSAPP_VALUES,
      description: 'The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, …',
      examples: [['name', 'order']],
    }),
  },
  {
    description:
      'The template approved by Meta that is sent instead of the text on the channel `whatsapp`. Its state and the number of its values are checked before a message is charged.',
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
    { maxItems: MAX_CONTENT, description: 'The distinct placeholders, in order of appearance.' },
  ),
  whatsapp: Type.Optional(WhatsappTemplate),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Template = Static<typeof Template>

export const TemplatePage = Type.Object({ templates: onePage(Template), meta: ListMeta })
export type TemplatePage = Static<typeof TemplatePage>
