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
            description: 'Values of the placeholders, by name (case-insensitive).',
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
        'Instead of `recipients`: CSV with a header line. The numbers are in the column named phone, mobile, number, to or the like, otherwise in the first one.',
      examples: ['Mobile,Name\n08031234567,Ada'],
    }),
  ),
})
export type UploadBody = Static<typeof UploadBody>
