import { isOneOf, Type, type Static } from '../../values/schema/type.ts'

/** Meta's limits of messages within the 24-hour window (docs/whatsapp.md). */
const MAX_LINK = 2_000
const MAX_FILENAME = 240
const MAX_HEADER = 60
const MAX_FOOTER = 60
const MAX_BUTTON = 20
const MAX_REPLY_BUTTONS = 3
const MAX_ROWS = 10
const MAX_ROW_TITLE = 24
const MAX_CONTACTS = 257
const MAX_DETAILS = 20
/** Of a template; the values of its text, or of that of a card. */
const MAX_BUTTONS = 10
const MAX_CARDS = 10
const MAX_VALUES = 100

/** These are stored as they are given, so they have no other fields. */
const closed = { additionalProperties: false }

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })
const optionalText = (maxLength: number, description: string, example: string) =>
  Type.Optional(text(maxLength, description, example))

const mediaFields = {
  id: Type.Optional(
    Type.String({
      description: 'A file of `/media`; or give its `link`.',
      examples: ['019a8475-0000-7000-8000-000000000001'],
    }),
  ),
  link: optionalText(
    MAX_LINK,
    'A public https address that Meta fetches the file from; or give its `id`.',
    'https://example.com/photo.jpg',
  ),
}
const media = (description: string) => Type.Optional(Type.Object(mediaFields, { ...closed, description }))
const document = Type.Optional(
  Type.Object(
    { ...mediaFields, filename: optionalText(MAX_FILENAME, 'The name that the phone shows.', 'invoice.pdf') },
    { ...closed, description: 'A PDF or another document; `content` is its caption.' },
  ),
)

const Header = Type.Object(
  {
    text: optionalText(MAX_HEADER, 'A title.', 'Your order'),
    image: media('An image.'),
    video: media('A video.'),
    document,
  },
  { ...closed, minProperties: 1, maxProperties: 1, description: 'Above the text of buttons or a list: one of these.' },
)

const List = Type.Object(
  {
    button: text(MAX_BUTTON, 'The button that opens the list.', 'Choose'),
    sections: Type.Array(
      Type.Object(
        {
          title: optionalText(MAX_ROW_TITLE, 'Required if there are several sections.', 'Delivery'),
          rows: Type.Array(
            Type.Object(
              {
                id: text(200, 'What the reply reports; distinct in the list.', 'express'),
                title: text(MAX_ROW_TITLE, 'What the person chooses.', 'Express'),
                description: optionalText(72, 'More about it.', 'Tomorrow before noon'),
              },
              closed,
            ),
            { minItems: 1, maxItems: MAX_ROWS },
          ),
        },
        closed,
      ),
      { minItems: 1, maxItems: MAX_ROWS, description: `At most ${MAX_ROWS} rows in all sections.` },
    ),
  },
  { ...closed, description: 'Up to ten rows to choose from, below `content`.' },
)

const Contact = Type.Object(
  {
    name: Type.Object(
      {
        formatted_name: text(1_000, 'The whole name.', 'Ada Obi'),
        first_name: optionalText(1_000, 'Required, or another part of the name.', 'Ada'),
        last_name: optionalText(1_000, 'The family name.', 'Obi'),
      },
      closed,
    ),
    phones: Type.Optional(
      Type.Array(
        Type.Object(
          {
            phone: text(30, 'The number.', '+234 803 123 4567'),
            type: optionalText(30, 'What it is for.', 'WORK'),
            wa_id: optionalText(30, 'The number as digits, if it is on WhatsApp.', '2348031234567'),
          },
          closed,
        ),
        { minItems: 1, maxItems: MAX_DETAILS },
      ),
    ),
    emails: Type.Optional(
      Type.Array(
        Type.Object(
          { email: text(320, 'The address.', 'ada@example.com'), type: optionalText(30, 'What it is for.', 'WORK') },
          closed,
        ),
        { minItems: 1, maxItems: MAX_DETAILS },
      ),
    ),
  },
  closed,
)

const Location = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, examples: [6.4281] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, examples: [3.4219] }),
    name: optionalText(1_000, 'Its name.', 'Our shop'),
    address: optionalText(1_000, 'Its address.', '12 Marina, Lagos'),
  },
  closed,
)

/** What a message on WhatsApp has besides its text. */
export const WhatsappContent = Type.Object(
  {
    preview_url: Type.Optional(Type.Boolean({ description: 'Shows a preview of the first link in a text.' })),
    reply_to: Type.Optional(
      Type.String({
        description: 'The id of a received text (`/inbound`) that this message quotes, or that `reaction` is for.',
        examples: ['019a8475-0000-7000-8000-000000000001'],
      }),
    ),
    image: media('A JPEG or PNG; `content` is its caption.'),
    video: media('An MP4; `content` is its caption.'),
    audio: media('A recording.'),
    document,
    sticker: media('A WebP sticker.'),
    header: Type.Optional(Header),
    footer: optionalText(MAX_FOOTER, 'Below the text of buttons or a list.', 'Reply STOP to opt out'),
    reply_buttons: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: text(256, 'What the reply reports; distinct in the message.', 'yes'),
            title: text(MAX_BUTTON, 'What the button says; distinct in the message.', 'Yes'),
          },
          closed,
        ),
        { minItems: 1, maxItems: MAX_REPLY_BUTTONS, description: 'Buttons below `content` that reply when pressed.' },
      ),
    ),
    list: Type.Optional(List),
    url_button: Type.Optional(
      Type.Object(
        {
          title: text(MAX_BUTTON, 'What the button says.', 'Track'),
          url: text(MAX_LINK, 'The https address that it opens.', 'https://example.com/orders/1042'),
        },
        { ...closed, description: 'A button below `content` that opens an address.' },
      ),
    ),
    location: Type.Optional(Location),
    contacts: Type.Optional(Type.Array(Contact, { minItems: 1, maxItems: MAX_CONTACTS })),
    reaction: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'An emoji as the reaction to the text in `reply_to`; empty to remove it.',
        examples: ['👍'],
      }),
    ),
  },
  {
    ...closed,
    description:
      'On `whatsapp`, within 24 hours of the person’s last message: at most one of `image`, `video`, `audio`, `document`, `sticker`, `reply_buttons`, `list`, `url_button`, `location`, `contacts` and `reaction`.',
  },
)
export type WhatsappContent = Static<typeof WhatsappContent>

export const RECEIVED_TYPES = [
  'text',
  'button_reply',
  'list_reply',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'order',
  'unsupported',
] as const
export type ReceivedType = (typeof RECEIVED_TYPES)[number]

/** Longer than Meta's limits for buttons and rows, so that replies to templates fit too. */
const MAX_CHOICE = 256

/** What a text received on WhatsApp is besides its words. */
export const ReceivedContent = Type.Object(
  {
    type: isOneOf(RECEIVED_TYPES, {
      description: '`unsupported`: WhatsApp does not pass on what the person sent.',
      examples: ['button_reply'],
    }),
    reply_to: Type.Optional(
      Type.String({
        description:
          'The id of the message of yours, or of the text of theirs, that it answers, quotes or reacts to. Left out if it is not known any more.',
        examples: ['019a8475-0000-7000-8000-000000000001'],
      }),
    ),
    button_reply: Type.Optional(
      Type.Object(
        {
          id: Type.String({
            maxLength: MAX_CHOICE,
            description: 'The `id` of the reply button, or the `payload` of the quick reply of a template.',
            examples: ['am'],
          }),
          title: text(MAX_CHOICE, 'What the button says.', 'Morning'),
        },
        { ...closed, description: 'The button that was pressed.' },
      ),
    ),
    list_reply: Type.Optional(
      Type.Object(
        {
          id: text(MAX_CHOICE, 'The `id` of the row.', 'express'),
          title: text(MAX_CHOICE, 'What the row says.', 'Express'),
          description: optionalText(MAX_CHOICE, 'What it says below.', 'Tomorrow before noon'),
        },
        { ...closed, description: 'The row that was chosen in a list.' },
      ),
    ),
    location: Type.Optional(Location),
    contacts: Type.Optional(Type.Array(Contact, { minItems: 1, maxItems: MAX_CONTACTS })),
    reaction: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The emoji with which the person reacts to the message in `reply_to`; empty: they removed it.',
        examples: ['👍'],
      }),
    ),
  },
  { ...closed, description: 'On `whatsapp`: what it is besides its text.' },
)
export type ReceivedContent = Static<typeof ReceivedContent>

const SentButton = Type.Object({
  index: Type.Integer({ description: 'Its position, from 0.', examples: [0] }),
  url: Type.Optional(Type.String({ description: 'The end of its URL.', examples: ['1042'] })),
  payload: Type.Optional(Type.String({ description: 'What a quick reply reports.', examples: ['confirm-1042'] })),
  code: Type.Optional(Type.String({ description: 'The code that it copies.', examples: ['SPRING'] })),
})

/** What a message that was sent on WhatsApp has besides its text. */
export const SentContent = Type.Object(
  {
    ...Type.Omit(WhatsappContent, ['preview_url']).properties,
    template: Type.Optional(
      Type.Object(
        {
          name: Type.String({ examples: ['shipped'] }),
          language: Type.String({ examples: ['en_US'] }),
        },
        { description: 'The template at Meta that it was sent as.' },
      ),
    ),
    buttons: Type.Optional(
      Type.Array(SentButton, {
        maxItems: MAX_BUTTONS,
        description: 'Of a template: the values of its buttons. Their titles are those of the template at Meta.',
      }),
    ),
    cards: Type.Optional(
      Type.Array(
        Type.Object({
          header: Type.Optional(Header),
          texts: Type.Optional(Type.Array(Type.String({ examples: ['Shoes'] }), { maxItems: MAX_VALUES })),
          buttons: Type.Optional(Type.Array(SentButton, { maxItems: MAX_BUTTONS })),
        }),
        { maxItems: MAX_CARDS, description: 'Of a template with a carousel: the values of its cards.' },
      ),
    ),
  },
  { description: 'On `whatsapp`: what it has besides its text, as it was sent.' },
)
export type SentContent = Static<typeof SentContent>
