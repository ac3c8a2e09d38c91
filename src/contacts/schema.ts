import { AnyName, id, isOneOf, oneOf, timestamp, Type, type Static } from '../values/schema/type.ts'

export const MAX_COLUMNS = 100
export const MAX_CELL_CHARACTERS = 1_000
export const MAX_COLUMN_NAME = 100
export const MAX_OPTIONS = 500
export const MAX_OPTION_CHARACTERS = 100

export const COLUMN_TYPES = [
  'TEXT',
  'NUMBER',
  'DATE',
  'PHONE NUMBER',
  'EMAIL',
  'URL',
  'SELECT',
  'MULTI SELECT',
] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export const Column = Type.Object({
  id,
  name: Type.String({ examples: ['Name'] }),
  type: isOneOf(COLUMN_TYPES, { examples: ['TEXT'] }),
  options: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_OPTIONS,
      description: 'The allowed values of a SELECT or MULTI SELECT column.',
    }),
  ),
  conversion_id: Type.Optional(
    Type.String({ description: 'The conversion to another type that is running, or that can be undone.' }),
  ),
})
export type Column = Static<typeof Column>

/** The contact list: its columns. */
export const ContactTable = Type.Object({
  id,
  columns: Type.Array(Column, { maxItems: MAX_COLUMNS }),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type ContactTable = Static<typeof ContactTable>

export const ContactRow = Type.Object({
  id,
  columns: Type.Record(AnyName, Type.String(), {
    description: 'Cells by column id. Empty cells are left out.',
    examples: [{ '0192f0c1-7c3e-7a52-8a6e-3f1f0c9b2d10': 'Ada Obi' }],
  }),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type ContactRow = Static<typeof ContactRow>

export const RowAnswer = Type.Object({ row: ContactRow, table: ContactTable })

export const GivenCells = Type.Record(AnyName, Type.Unknown(), {
  description:
    'Cells by column id or column name (case-insensitive). Numbers and booleans are stored as text; `null` or `""` clears a cell; a MULTI SELECT cell is a list or a comma-separated text.',
  examples: [{ Name: 'Ada Obi', Email: 'ada@example.com', Mobile: '+234 803 123 4567' }],
})
export type GivenCells = Static<typeof GivenCells>

export const RowBody = Type.Object({ columns: GivenCells })
export type RowBody = Static<typeof RowBody>

export const MAX_BULK_ROWS = 1_000

export const BulkBody = Type.Object({
  rows: Type.Array(RowBody, { minItems: 1, maxItems: MAX_BULK_ROWS, description: 'All of them are created, or none.' }),
})
export type BulkBody = Static<typeof BulkBody>

export const BulkAnswer = Type.Object({
  rows: Type.Array(ContactRow, { maxItems: MAX_BULK_ROWS }),
  table: ContactTable,
})

const options = Type.Array(Type.String({ minLength: 1, maxLength: MAX_OPTION_CHARACTERS }), {
  minItems: 1,
  maxItems: MAX_OPTIONS,
  description: 'For SELECT and MULTI SELECT: the allowed values. An option contains no comma.',
})
const name = Type.String({ minLength: 1, maxLength: MAX_COLUMN_NAME, examples: ['City'] })

export const ColumnBody = Type.Object({
  name,
  type: Type.Optional(
    oneOf(COLUMN_TYPES, {
      description: `One of ${COLUMN_TYPES.join(', ')} (case-insensitive); default TEXT.`,
      examples: ['TEXT'],
    }),
  ),
  options: Type.Optional(options),
})
export type ColumnBody = Static<typeof ColumnBody>

export const ColumnChange = Type.Object({
  name: Type.Optional(name),
  options: Type.Optional(options),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_COLUMNS,
      description: 'The position in the table, counted from 1; the others move. Beyond the end means last.',
      examples: [1],
    }),
  ),
})
export type ColumnChange = Static<typeof ColumnChange>

export const ColumnAnswer = Type.Object({ column: Column, table: ContactTable })
