import { id, isOneOf, oneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { COLUMN_TYPES, MAX_OPTION_CHARACTERS, MAX_OPTIONS } from '../schema.ts'
import { FORMATS } from '../types/formats.ts'

export const CONVERSION_STATUSES = ['checking', 'checked', 'running', 'done', 'final', 'undone', 'failed'] as const
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number]

/** How long a conversion can be undone. Longer than a bulk change: its result is looked at before it is trusted. */
export const UNDO_S = 600
export const MAX_FIT_ROWS = 5
export const MAX_UNFIT_ROWS = 100

export const ConversionBody = Type.Object({
  type: oneOf(COLUMN_TYPES, { description: 'The new type of the column (case-insensitive).', examples: ['NUMBER'] }),
  format: Type.Optional(
    oneOf(FORMATS, {
      description:
        'How the cells are written: `1,234.5` or `1.234,5` for NUMBER; `YYYY-MM-DD`, `DD/MM/YYYY` or `MM/DD/YYYY` for DATE. Default: the format that most cells fit. Required if dates are ambiguous.',
      examples: ['1,234.5'],
    }),
  ),
  options: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_OPTION_CHARACTERS }), {
      minItems: 1,
      maxItems: MAX_OPTIONS,
      description: 'For SELECT and MULTI SELECT. Default: the different values of the column.',
    }),
  ),
  clear_unfit: Type.Optional(
    Type.Boolean({
      description:
        'Whether cells that do not fit the type are cleared. Default false: if there are any, the conversion fails, and the column stays as it is.',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only check all cells; nothing is changed. Default false.' })),
})
export type ConversionBody = Static<typeof ConversionBody>

const value = Type.String({ description: 'The cell as it is now.', examples: ['50,000'] })

/** The conversion of a column, or its preview, with its progress. */
export const Conversion = Type.Object({
  id,
  column_id: id,
  status: isOneOf(CONVERSION_STATUSES, {
    description:
      'A dry run is `checking`, then `checked`. A conversion is `running`, then `done` (it can be undone) and `final`; or `undone`, or `failed`: the column is as it was.',
    examples: ['done'],
  }),
  from_type: isOneOf(COLUMN_TYPES, { examples: ['TEXT'] }),
  type: isOneOf(COLUMN_TYPES, { examples: ['NUMBER'] }),
  format: Type.Optional(isOneOf(FORMATS, { examples: ['1,234.5'] })),
  options: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_OPTIONS })),
  clear_unfit: Type.Boolean(),
  rows: Type.Integer({ description: 'Contacts read so far.' }),
  fits: Type.Integer({ description: 'Cells that fit the type.' }),
  unfit: Type.Integer({ description: 'Cells that do not. Empty cells are in neither count.' }),
  examples: Type.Array(Type.Object({ row_id: id, value, becomes: Type.String({ examples: ['50000'] }) }), {
    maxItems: MAX_FIT_ROWS,
    description: 'The first cells that fit, as long as the previous cells are kept.',
  }),
  faults: Type.Array(
    Type.Object({ row_id: id, value, message: Type.String(), type: Type.String({ examples: ['number_type'] }) }),
    { maxItems: MAX_UNFIT_ROWS, description: 'The first cells that do not fit.' },
  ),
  undo_until: Type.Optional(timestamp),
  fault: Type.Optional(Type.String({ description: 'Why it failed.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Conversion = Static<typeof Conversion>
