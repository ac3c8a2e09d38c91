import { AnyName, Type, type Static } from '../values/schema/type.ts'

/** What operators configure while the service runs. */
export const ENTRY_KINDS = ['carrier', 'route'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
export const ENTRY_NAME = /^[a-z0-9-]{1,40}$/

/** JSON of one carrier or route. */
export const MAX_ENTRY_BYTES = 32 * 1024
/** Of a request that changes many. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024

const kind = Type.Unsafe<EntryKind>({ type: 'string', enum: [...ENTRY_KINDS] })
const timestamp = Type.String({ format: 'date-time' })

/** As in the configuration file. */
const EntrySettings = Type.Record(AnyName, Type.Unsafe<unknown>({}))
export type EntrySettings = Static<typeof EntrySettings>

/** `default`: what is there without a configuration file. */
const MANAGERS = ['operator', 'file', 'default'] as const

/** A carrier or route, with placeholders for its secrets. */
export const ConfiguredEntry = Type.Object({
  kind,
  name: Type.String(),
  /** Only entries of operators can be changed. */
  managed_by: Type.Unsafe<(typeof MANAGERS)[number]>({ type: 'string', enum: [...MANAGERS] }),
  /** A change names the version that it was made for. */
  version: Type.Integer(),
  settings: EntrySettings,
  /** The configuration file has an entry of this name, which applies instead. */
  is_shadowed: Type.Boolean(),
  changed_datetime: Type.Optional(timestamp),
  changed_by: Type.Optional(Type.String()),
})
export type ConfiguredEntry = Static<typeof ConfiguredEntry>

/** A field of an entry before and after a change; secrets are placeholders. */
const FieldChange = Type.Object({
  field: Type.String(),
  before: Type.Optional(Type.Unsafe<unknown>({})),
  after: Type.Optional(Type.Unsafe<unknown>({})),
})
export type FieldChange = Static<typeof FieldChange>

export const EntryChange = Type.Object({
  kind,
  /** `*` if the entries of this kind have another order. */
  name: Type.String(),
  change: Type.Unsafe<'created' | 'updated' | 'deleted' | 'reordered'>({
    type: 'string',
    enum: ['created', 'updated', 'deleted', 'reordered'],
  }),
  fields: Type.Array(FieldChange),
})
export type EntryChange = Static<typeof EntryChange>

export const EntryParams = Type.Object({ name: Type.String({ maxLength: 100 }) })
export const EntryBody = Type.Object({ settings: EntrySettings })
export const EntryUpdateBody = Type.Object({ version: Type.Integer({ minimum: 0 }), settings: EntrySettings })
export const EntryDeleteQuery = Type.Object({ version: Type.Integer({ minimum: 0 }) })

/** All carriers and routes of operators; what it does not name is deleted. An absent kind stays as it is. */
export const ApplyBody = Type.Object({
  carriers: Type.Optional(Type.Array(EntrySettings, { maxItems: 100 })),
  routes: Type.Optional(Type.Array(EntrySettings, { maxItems: 1_000 })),
  dry_run: Type.Optional(Type.Boolean()),
})

/** What a change has done, or would do. */
export const ChangesMade = Type.Object({
  changes: Type.Array(EntryChange),
  applied: Type.Boolean(),
  /** The sandbox begins with this change, which takes a restart of the service. */
  needs_restart: Type.Boolean(),
  /** The sandbox ends with this change: the service restarts itself within a few seconds. */
  ends_sandbox: Type.Boolean(),
})
export type ChangesMade = Static<typeof ChangesMade>
