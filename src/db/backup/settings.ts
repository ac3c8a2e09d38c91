import { Type, type Static } from '../../values/schema/type.ts'

/** Scheduled backups. */
export const BackupSettings = Type.Object(
  {
    folder: Type.String({ minLength: 1, maxLength: 1_000 }),
    every_hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }),
    keep: Type.Integer({ minimum: 1, maximum: 1_000, default: 7 }),
  },
  { additionalProperties: false },
)
export type BackupSettings = Static<typeof BackupSettings>
