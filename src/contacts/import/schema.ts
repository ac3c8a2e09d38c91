import { AnyName, id, isOneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { COLUMN_TYPES } from '../schema.ts'
import { IMPORT_STATUSES } from './import-store.ts'

const mapping_description =
  'Headers of the file and their columns (by id or name); `""` skips a header, `*` creates a column of its name. Other headers are matched by the names of the columns, and by common names of phone, email and name columns.'

const options = {
  dry_run: Type.Optional(Type.Boolean({ description: 'Only check: no row and no column is created.' })),
  upsert_by: Type.Optional(
    Type.String({
      description:
        'A column, such as Mobile or Email: a line with the same value as a row updates that row. Default: the first PHONE NUMBER column the file has values for.',
      examples: ['Mobile'],
    }),
  ),
  allow_duplicates: Type.Optional(
    Type.Boolean({
      description: 'Every line creates a row, even if a row with its phone number exists. Default: false.',
    }),
  ),
  new_columns: Type.Optional(
    Type.Boolean({
      description: 'Whether headers that match no column create one, of the type of their values. Default: true.',
    }),
  ),
}

/** For a CSV body, the options are in the query string. */
export const ImportQuery = Type.Object({
  ...options,
  mapping: Type.Optional(Type.String({ description: `${mapping_description} As JSON text.` })),
})
export type ImportQuery = Static<typeof ImportQuery>

/** Longer lists are uploaded as a file. */
const MAX_PASTED_ROWS = 10_000
/** Headers of a file; most of them may be skipped. */
export const MAX_FIELDS = 1_000
/** Bounds of a pasted row, above those of the table: 100 columns, 1,000 characters. */
const MAX_PASTED_CELLS = 200
const MAX_PASTED_CHARACTERS = 2_000

const PastedCell = Type.Unsafe<string | number>({
  type: ['string', 'number', 'null', 'boolean'],
  maxLength: MAX_PASTED_CHARACTERS,
})
const PastedRow = Type.Array(PastedCell, { maxItems: MAX_PASTED_CELLS })

export const ImportBody = Type.Object({
  ...options,
  mapping: Type.Optional(
    Type.Record(AnyName, Type.Unsafe<string | null>({ type: ['string', 'null'] }), {
      description: mapping_description,
    }),
  ),
  csv: Type.Optional(Type.String({ description: 'The file as text. Required unless `rows` is given.' })),
  rows: Type.Optional(
    Type.Array(PastedRow, {
      maxItems: MAX_PASTED_ROWS,
      description: `Pasted rows, at most ${MAX_PASTED_ROWS.toLocaleString('en')}; the first one holds the headers.`,
      examples: [
        [
          ['Name', 'Phone'],
          ['Ada Obi', '08031234567'],
        ],
      ],
    }),
  ),
})
export type ImportBody = Static<typeof ImportBody>

export const MAX_SAMPLES = 3

const LineFault = Type.Object({
  line: Type.Integer({ examples: [7] }),
  field: Type.String({ description: 'The header.', examples: ['Phone'] }),
  value: Type.Optional(Type.String({ description: 'The value in the file.', examples: ['0803'] })),
  message: Type.String(),
  type: Type.String({ examples: ['phone_invalid'] }),
})

/** An import, with its progress. */
export const Import = Type.Object({
  id,
  status: isOneOf(IMPORT_STATUSES, { examples: ['running'] }),
  dry_run: Type.Boolean(),
  columns: Type.Array(
    Type.Object({
      header: Type.String({ examples: ['Phone'] }),
      column_id: Type.Optional(id),
      name: Type.Optional(Type.String({ examples: ['Mobile'] })),
      type: Type.Optional(isOneOf(COLUMN_TYPES)),
      is_new: Type.Boolean(),
      samples: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: MAX_SAMPLES,
          description: 'The first values in the file; only in the response to the upload.',
        }),
      ),
    }),
    { maxItems: MAX_FIELDS, description: 'The mapping of the fields; a header without a column is skipped.' },
  ),
  upsert_by: Type.Optional(Type.String({ examples: ['Mobile'] })),
  progress: Type.Number({ description: 'From 0 to 1.', examples: [0.5] }),
  lines: Type.Integer({ description: 'Lines read so far, including the header.' }),
  created: Type.Integer({
    description:
      'Rows created; in a dry run, rows that would be created (a number that occurs twice, far apart, counts twice).',
  }),
  updated: Type.Integer(),
  rejected: Type.Integer(),
  fault: Type.Optional(Type.String({ description: 'Why a failed import stopped.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Import = Static<typeof Import>

export const ImportWithFaults = Type.Object({
  ...Import.properties,
  faults: Type.Array(LineFault, {
    maxItems: 100,
    description: 'The first hundred; all are in the rejects.',
  }),
})
export type ImportWithFaults = Static<typeof ImportWithFaults>
