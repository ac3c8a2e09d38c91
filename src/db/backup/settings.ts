import { Type, type Static } from '../../values/schema/type.ts'

/** Scheduled backups. */
export const BackupSettings = Type.Object(
  {
    folder: Type.String({ minLength: 1, maxLength: 1_000 }),
    every_hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }),
    keep: Type.Integer({ minimum: 1, maximum: 1_000, default: 7 }),
    /** Continuous archiving of the embedded database; without it there is none. */
    wal: Type.Optional(
      Type.Object(
        { every_s: Type.Integer({ minimum: 5, maximum: 3_600, default: 60 }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type BackupSettings = Static<typeof BackupSettings>
