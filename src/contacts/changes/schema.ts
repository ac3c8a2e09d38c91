import { AnyName, id, isOneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { Filters } from '../query/schema.ts'

export const MAX_SELECTED_ROWS = 10_000
const MAX_EXCEPTIONS = 1_000
const MAX_ID_CHARACTERS = 36

export const CHANGE_ACTIONS = ['set', 'delete'] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

export const CHANGE_STATUSES = ['running', 'done', 'undoing', 'undone', 'final'] as const
export type ChangeStatus = (typeof CHANGE_STATUSES)[number]

export const UNDO_S = 30

const RowId = Type.String({ maxLength: MAX_ID_CHARACTERS })

export const ChangeBody = Type.Object({
  action: isOneOf(CHANGE_ACTIONS, {
    description: '`set` writes one cell of every row, `delete` deletes the rows.',
    examples: ['set'],
  }),
  columns: Type.Optional(
    Type.Record(AnyName, Type.Unknown(), {
      description: 'For `set`: one column, by id or name, and the new value of its cells; `null` or `""` clears them.',
      examples: [{ City: 'Lagos' }],
    }),
  ),
  row_ids: Type.Optional(
    Type.Array(RowId, {
      minItems: 1,
      maxItems: MAX_SELECTED_ROWS,
      description: 'The rows, by id. Rows that do not exist are skipped.',
    }),
  ),
  query: Type.Optional(
    Type.Object(
      {
        filters: Type.Optional(Filters),
        smartlist_id: Type.Optional(Type.String({ maxLength: MAX_ID_CHARACTERS })),
        search: Type.Optional(Type.String({ maxLength: 200 })),
        except: Type.Optional(Type.Array(RowId, { maxItems: MAX_EXCEPTIONS, description: 'Rows to leave out.' })),
      },
      { description: 'In place of `row_ids`: all rows a query finds. An empty one finds every row.' },
    ),
  ),
})
export type ChangeBody = Static<typeof ChangeBody>

/** A change of many rows, with its progress. */
export const Change = Type.Object({
  id,
  action: isOneOf(CHANGE_ACTIONS),
  status: isOneOf(CHANGE_STATUSES, { description: '`final`: it cannot be undone any more.', examples: ['done'] }),
  rows: Type.Integer({ description: 'Rows changed or deleted so far, without those that had the value already.' }),
  restored: Type.Integer({ description: 'Rows restored by the undo.' }),
  not_restored: Type.Integer({ description: 'Rows that were changed since and keep their content.' }),
  undo_until: Type.Optional(timestamp),
  fault: Type.Optional(Type.String({ description: 'Why it stopped.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Change = Static<typeof Change>
