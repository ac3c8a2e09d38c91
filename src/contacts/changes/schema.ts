import { Type, type Static, AnyName } from '../../values/schema/type.ts'
import { Filters } from '../query/schema.ts'
import { id, timestamp } from '../schema.ts'

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
  action: Type.Unsafe<ChangeAction>({
    type: 'string',
    enum: [...CHANGE_ACTIONS],
    description: '`set` writes one cell of every row, `delete` deletes the rows.',
    examples: ['set'],
  }),
  columns: Type.Optional(
    Type.Record(AnyName, Type.Unknown(), {
      description:
        'For `set`: the one column, by id or name, and what its cells are to say; `null` or `""` clears them.',
      examples: [{ City: 'Lagos' }],
    }),
  ),
  row_ids: Type.Optional(
    Type.Array(RowId, {
      minItems: 1,
      maxItems: MAX_SELECTED_ROWS,
      description: 'The rows, by id. One that is not there any more is passed over.',
    }),
  ),
  query: Type.Optional(
    Type.Object(
      {
        filters: Type.Optional(Filters),
        smartlist_id: Type.Optional(Type.String({ maxLength: MAX_ID_CHARACTERS })),
        search: Type.Optional(Type.String({ maxLength: 200 })),
        except: Type.Optional(Type.Array(RowId, { maxItems: MAX_EXCEPTIONS, description: 'But not these rows.' })),
      },
      { description: 'In place of `row_ids`: all rows a query finds. An empty one finds every row.' },
    ),
  ),
})
export type ChangeBody = Static<typeof ChangeBody>

/** A change of many rows, and how far it has come. */
export const Change = Type.Object({
  id,
  action: Type.Unsafe<ChangeAction>({ type: 'string', enum: [...CHANGE_ACTIONS] }),
  status: Type.Unsafe<ChangeStatus>({
    type: 'string',
    enum: [...CHANGE_STATUSES],
    description: '`final` is one that cannot be taken back any more.',
    examples: ['done'],
  }),
  rows: Type.Integer({ description: 'Rows changed or deleted so far; those that said so already are not counted.' }),
  restored: Type.Integer({ description: 'Rows that are again as they were.' }),
  not_restored: Type.Integer({ description: 'Rows that somebody has changed since, and that were left so.' }),
  undo_until: Type.Optional(timestamp),
  fault: Type.Optional(Type.String({ description: 'Why it could not go on.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Change = Static<typeof Change>
