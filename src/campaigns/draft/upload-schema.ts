import { Type, type Static, AnyName } from '../../values/schema/type.ts'

/** Entries of one request. */
export const MAX_UPLOAD_ENTRIES = 10_000
/** Lines of a CSV file in one request. */
export const MAX_UPLOAD_LINES = 100_000
/** Entries of one campaign. */
export const MAX_UPLOADED = 5_000_000
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024

export const UploadBody = Type.Object({
  recipients: Type.Optional(
    Type.Array(
      Type.Object({
        to: Type.String({ maxLength: 100, examples: ['08031234567'] }),
        substitutions: Type.Optional(
          Type.Record(AnyName, Type.String({ maxLength: 4_096 }), {
            description: 'Values for the placeholders, by name in any case.',
            examples: [{ name: 'Ada' }],
          }),
        ),
      }),
      { minItems: 1, maxItems: MAX_UPLOAD_ENTRIES },
    ),
  ),
  csv: Type.Optional(
    Type.String({
      maxLength: MAX_UPLOAD_BYTES,
      description:
        'In place of `recipients`: lines of CSV, the first with the names. The numbers stand in the column called phone, mobile, number, to or the like, or else in the first one.',
      examples: ['Mobile,Name\n08031234567,Ada'],
    }),
  ),
})
export type UploadBody = Static<typeof UploadBody>
