import { AnyName, id, isOneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { COLUMN_TYPES, MAX_OPTIONS } from '../schema.ts'
import { FORMATS } from '../types/formats.ts'
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
  detect: Type.Optional(
    isOneOf(['certain', 'likely'] as const, {
      description:
        'Which types new columns get. `certain` (default): a type that all of the first thousand values fit. `likely`: also one that nearly all of them fit, and SELECT for a few recurring values. The import rejects the lines that do not fit: read the result of a dry run first.',
    }),
  ),
  new_columns: Type.Optional(
    Type.Boolean({
      description: 'Whether headers that match no column create one, of the type of their values. Default: true.',
    }),
  ),
}

const types_description = `Headers and the types of the columns they create, such as \`{"Joined": "DATE"}\`; other headers get the type of their values.`
const formats_description =
  'Headers and how their numbers or dates are written: `1,234.5`, `1.234,5`; `YYYY-MM-DD` (also names of months: `3 Apr 2026`), `DD/MM/YYYY`, `MM/DD/YYYY`. Cells are stored as `1234.5` and `2026-04-03`. Without it, the format that most values fit is used; numbers that fit both are read as in the country of the organisation; ambiguous dates (`03/04/2026`) are not read as dates.'

/** For a CSV body, the options are in the query string. */
export const ImportQuery = Type.Object({
  ...options,
  mapping: Type.Optional(Type.String({ description: `${mapping_description} As JSON text.` })),
  types: Type.Optional(Type.String({ description: `${types_description} As JSON text.` })),
  formats: Type.Optional(Type.String({ description: `${formats_description} As JSON text.` })),
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

const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const ImportBody = Type.Object({
  ...options,
  mapping: Type.Optional(Type.Record(AnyName, TextOrNull, { description: mapping_description })),
  types: Type.Optional(Type.Record(AnyName, TextOrNull, { description: types_description })),
  formats: Type.Optional(Type.Record(AnyName, TextOrNull, { description: formats_description })),
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
      format: Type.Optional(isOneOf(FORMATS, { description: 'How the numbers or dates are written.' })),
      formats: Type.Optional(
        Type.Array(isOneOf(FORMATS), {
          maxItems: FORMATS.length,
          description: 'Formats that fit the values equally well and give them another meaning.',
        }),
      ),
      detected: Type.Optional(
        isOneOf(COLUMN_TYPES, {
          description: 'The type the column gets if you choose one of `formats`; without a choice it is TEXT.',
        }),
      ),
      options: Type.Optional(
        Type.Array(Type.String(), { maxItems: MAX_OPTIONS, description: 'Of a new SELECT column: its first values.' }),
      ),
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
