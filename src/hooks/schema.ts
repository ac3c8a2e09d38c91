import { Type, type Static } from '../values/schema/type.ts'

/** Software that posts messages to be sent, each in its own format. */
export const HOOK_KINDS = [
  'supabase',
  'logto',
  'authentik',
  'zitadel',
  'kratos',
  'keycloak',
  'fusionauth',
  'listmonk',
  'novu',
] as const
export type HookKind = (typeof HOOK_KINDS)[number]

export const MAX_HOOKS = 50
const LONGEST_SECRET = 200

const kind = Type.Unsafe<HookKind>({
  type: 'string',
  enum: [...HOOK_KINDS],
  description: 'Whose requests it takes.',
  examples: ['supabase'],
})

export const HookBody = Type.Object({
  kind,
  secret: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: LONGEST_SECRET,
      pattern: '^[\\x21-\\x7e]*$',
      description: 'What the other side signs or authenticates with, where it has made that itself; else one is made.',
      examples: [],
    }),
  ),
})
export type HookBody = Static<typeof HookBody>

export const Hook = Type.Object({
  name: Type.String({
    description: 'What the path of the hook ends with: `/hooks/{name}`.',
    examples: ['supabase-4k1x8c0p2m9q7z5t'],
  }),
  kind,
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
})
export type Hook = Static<typeof Hook>

export const HookPage = Type.Object({ hooks: Type.Array(Hook, { maxItems: MAX_HOOKS }) })

/** Returned only on creation. */
export const HookWithSecret = Type.Object({
  ...Hook.properties,
  secret: Type.String({
    description: 'What the other side signs or authenticates with. Shown this once.',
    examples: ['v1,whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  }),
})
export type HookWithSecret = Static<typeof HookWithSecret>
