import { Type, type Static, AnyName } from '../../values/schema/type.ts'
import { COLUMN_TYPES, id, timestamp, type ColumnType } from '../schema.ts'
import { IMPORT_STATUSES, type ImportStatus } from './import-store.ts'

const mapping_description =
  'Headers of the file and the columns (by id or name) they go to; `""` leaves a header out, `*` makes a new column of its name. Headers that are not named here are guessed: by the names of the columns, and by what phone, mail and name columns are usually called.'

const options = {
  dry_run: Type.Optional(Type.Boolean({ description: 'Only check: no row and no column is made.' })),
  upsert_by: Type.Optional(
    Type.String({
      description:
        'A column, such as Mobile or Email: a line with the same value as a row changes that row. Left out, it is the first PHONE NUMBER column the file has values for.',
      examples: ['Mobile'],
    }),
  ),
  allow_duplicates: Type.Optional(
    Type.Boolean({
      description:
        'Every line is a new row, also where a row with its phone number is there already. False if left out.',
    }),
  ),
  new_columns: Type.Optional(
    Type.Boolean({
      description:
        'Whether headers that fit no column make a new one, of the type their values have. True if left out.',
    }),
  ),
}

/** Beside a body that is CSV, the options stand in the query string. */
export const ImportQuery = Type.Object({
  ...options,
  mapping: Type.Optional(Type.String({ description: `${mapping_description} As JSON text.` })),
})
export type ImportQuery = Static<typeof ImportQuery>

/** Longer lists come as a file. */
const MAX_PASTED_ROWS = 10_000
/** Of a file; most of them may be left out. */
export const MAX_FIELDS = 1_000
/** Of a pasted row; the table has at most a hundred columns, and its cells a thousand characters. */
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
  csv: Type.Optional(Type.String({ description: 'The file as text. Needed unless `rows` is given.' })),
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
  value: Type.Optional(Type.String({ description: 'What stands there in the file.', examples: ['0803'] })),
  message: Type.String(),
  type: Type.String({ examples: ['phone_invalid'] }),
})

/** An import and how far it has come. */
export const Import = Type.Object({
  id,
  status: Type.Unsafe<ImportStatus>({ type: 'string', enum: [...IMPORT_STATUSES], examples: ['running'] }),
  dry_run: Type.Boolean(),
  columns: Type.Array(
    Type.Object({
      header: Type.String({ examples: ['Phone'] }),
      column_id: Type.Optional(id),
      name: Type.Optional(Type.String({ examples: ['Mobile'] })),
      type: Type.Optional(Type.Unsafe<ColumnType>({ type: 'string', enum: [...COLUMN_TYPES] })),
      is_new: Type.Boolean(),
      samples: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: MAX_SAMPLES,
          description: 'The first values in the file; only in the answer to the upload.',
        }),
      ),
    }),
    { maxItems: MAX_FIELDS, description: 'Where the fields go; a header without a column is left out.' },
  ),
  upsert_by: Type.Optional(Type.String({ examples: ['Mobile'] })),
  progress: Type.Number({ description: 'From 0 to 1.', examples: [0.5] }),
  lines: Type.Integer({ description: 'Lines read so far, the headers among them.' }),
  created: Type.Integer({
    description:
      'Rows made, or in a dry run: that would be made. There, a number that comes twice in the file, far apart, counts twice.',
  }),
  updated: Type.Integer(),
  rejected: Type.Integer(),
  fault: Type.Optional(Type.String({ description: 'Why a failed import could not go on.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Import = Static<typeof Import>

export const ImportWithFaults = Type.Object({
  ...Import.properties,
  faults: Type.Array(LineFault, {
    maxItems: 100,
    description: 'The first hundred; all of them are in the rejects.',
  }),
})
export type ImportWithFaults = Static<typeof ImportWithFaults>
