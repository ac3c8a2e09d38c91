import { isOneOf, timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage, PageQuery } from '../values/page.ts'
import { MEDIA_KINDS } from './kinds.ts'

export const MAX_FILENAME = 240

const filename = Type.String({ minLength: 1, maxLength: MAX_FILENAME, examples: ['invoice.pdf'] })

export const UploadQuery = Type.Object({
  filename: Type.Optional(
    Type.String({ ...filename, description: 'Its name: what a phone shows of a document, and what it is saved as.' }),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

const direction = isOneOf(['in', 'out'], {
  description: '`out`: uploaded, to be sent. `in`: received from a person.',
  examples: ['out'],
})

export const MediaQuery = Type.Object({ ...PageQuery.properties, direction: Type.Optional(direction) })
export type MediaQuery = Static<typeof MediaQuery>

const id = Type.String({ format: 'uuid', examples: ['019a8475-0000-7000-8000-000000000001'] })
const type = Type.String({
  description: 'By its content; of a received file that is not stored, as its sender declared it.',
  examples: ['application/pdf'],
})
const size = Type.Integer({ description: 'In bytes.', examples: [18_230] })
const state = isOneOf(['pending', 'stored', 'refused', 'expired'], {
  description:
    '`pending`: being downloaded from WhatsApp. `refused`: too large, or not what its sender declared. `expired`: WhatsApp no longer had it.',
  examples: ['stored'],
})

/** A file of a text that was received. */
export const ReceivedMedia = Type.Object(
  { id, type, filename: Type.Optional(filename), size: Type.Optional(size), state },
  { description: 'The file that came with it; its content is at `GET /media/{id}/content` once it is `stored`.' },
)
export type ReceivedMedia = Static<typeof ReceivedMedia>

export const Media = Type.Object({
  id: Type.String({ ...id, description: 'Of a received file: the id of its text.' }),
  direction,
  type,
  kind: Type.Optional(
    isOneOf([...MEDIA_KINDS], {
      description: 'What a message may send it as; left out if it cannot be sent.',
      examples: ['document'],
    }),
  ),
  filename: Type.Optional(filename),
  size: Type.Optional(size),
  sha256: Type.Optional(Type.String({ description: 'Of its content, in hexadecimal.' })),
  state,
  reason: Type.Optional(Type.String({ description: 'Why it was refused.' })),
  created_datetime: timestamp,
  expires_datetime: Type.Optional(
    Type.String({ format: 'date-time', description: 'When an uploaded file is deleted.' }),
  ),
})
export type Media = Static<typeof Media>

export const MediaPage = Type.Object({ media: onePage(Media), meta: ListMeta })
export type MediaPage = Static<typeof MediaPage>

/** The `media` section of the configuration file. */
export const MediaSettings = Type.Object(
  {
    quota_mb: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 2_048 }),
    uploads_per_s: Type.Number({ minimum: 0.1, maximum: 1_000, default: 5 }),
  },
  { additionalProperties: false, default: {} },
)
export type MediaSettings = Static<typeof MediaSettings>
