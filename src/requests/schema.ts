import { Type, type Static } from '../values/schema/type.ts'
import { onePage, ScrollMeta } from '../values/page.ts'

const request_id = Type.String({
  description: 'The `x-request-id` of the answer: yours, if you gave one.',
  examples: ['0199a1e2-f1ef-7a74-91a6-4e737e4e132d'],
})

export const LoggedRequest = Type.Object({
  request_id,
  method: Type.String({ examples: ['POST'] }),
  path: Type.String({ description: 'With its query; secrets in it are masked.', examples: ['/sms/send'] }),
  status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [200] }),
  duration_ms: Type.Number({ description: 'From the request to the answer.', examples: [3.4] }),
  key: Type.Optional(Type.String({ description: 'The beginning of the key.', examples: ['gg_live_3kTf'] })),
  key_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Left out where no key was needed, as for a hook.' }),
  ),
  key_name: Type.Optional(Type.String()),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  shown: Type.Optional(
    Type.Integer({ description: 'If there were too many in one second: how many of them were stored.' }),
  ),
  seen: Type.Optional(Type.Integer({ description: 'And how many there were.' })),
})
export type LoggedRequest = Static<typeof LoggedRequest>

const DAYS = Type.Integer({ description: 'How many days calls are kept; 0: not at all.', examples: [3] })

export const RequestPage = Type.Object({ requests: onePage(LoggedRequest), kept_days: DAYS, meta: ScrollMeta })
export type RequestPage = Static<typeof RequestPage>

export const RequestWithContent = Type.Object({
  ...LoggedRequest.properties,
  body: Type.Optional(
    Type.String({ description: 'What was sent, as JSON: its first 4,096 characters, without secrets.' }),
  ),
  answer: Type.Optional(Type.String({ description: 'What was answered, likewise.' })),
  left_out: Type.Boolean({
    description: 'The bodies were not stored, because there were too many in a short time.',
    examples: [false],
  }),
})
export type RequestWithContent = Static<typeof RequestWithContent>

const time = { maxLength: 40, examples: ['2026-11-14T23:00:00Z'] }

export const RequestFilter = Type.Object({
  status: Type.Optional(
    Type.String({
      pattern: '^([1-5][0-9][0-9]|[1-5]xx|failed)?$',
      description: 'A status such as `404`, all of a kind such as `4xx`, or `failed` for 400 and above.',
      examples: ['4xx'],
    }),
  ),
  path: Type.Optional(Type.String({ maxLength: 200, description: 'What the path begins with.', examples: ['/sms'] })),
  key_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only calls with this key.' })),
  request_id: Type.Optional(Type.String({ maxLength: 128, description: 'Only calls with this id.' })),
  from: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment: nothing older.' })),
  until: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment: nothing younger.' })),
})
export type RequestFilter = Static<typeof RequestFilter>
