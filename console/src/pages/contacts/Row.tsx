import { memo, type CSSProperties } from 'react'
import { Link } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Bar } from '../../ui/Empty.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { EditCell } from './Cell.tsx'
import type { Column, ContactRow } from './contacts.ts'
import { nameOf } from './words.ts'

/** A cell of this row that is being edited: its column, and what it begins with. */
export type Editing = { column: number; first: string }

/** Events of a row. The same functions for all rows, so that unchanged rows are not rendered again. */
export type RowActions = {
  onEnd: (index: number, column: number, moved: 'down' | 'stay' | 'nowhere') => void
  onWritten: (row_id: string, column: Column, before: string) => void
  onRemove: (row: ContactRow) => void
}

export type RowProps = {
  /** Undefined while it is being read. */
  row: ContactRow | undefined
  index: number
  columns: readonly Column[]
  style: CSSProperties
  /** Undefined where rows cannot be chosen. */
  chosen: boolean | undefined
  /** The cell that Tab reaches, if it is in this row. */
  reachable: number | undefined
  editing: Editing | undefined
  may_change: boolean
  actions: RowActions
}

function leftToGrid(): void {}

/** One contact. Clicks and keys are the grid's: a row that comes into sight costs what its cells cost. */
export const Row = memo(function Row(props: RowProps) {
  const { row, index, columns, style, chosen, reachable, editing, may_change, actions } = props
  const name = row ? nameOf(row, columns) : t('Loading…')
  const open = t('Open {name}', { name })
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={chosen}
      aria-busy={row === undefined}
      className="sheet-row"
      style={style}
    >
      {chosen !== undefined && (
        <div role="gridcell" className="sheet-box">
          <input
            type="checkbox"
            data-row={index}
            aria-label={t('Select {name}', { name })}
            checked={chosen}
            disabled={row === undefined}
            onChange={leftToGrid}
            tabIndex={-1}
          />
        </div>
      )}
      {columns.map((column, place) =>
        row && editing?.column === place ? (
          <EditCell
            key={`${row.id} ${column.id}`}
            row={row}
            column={column}
            first={editing.first}
            onEnd={(moved) => actions.onEnd(index, place, moved)}
            onWritten={(before) => actions.onWritten(row.id, column, before)}
          />
        ) : (
          <div
            key={column.id}
            role="gridcell"
            data-at={`${index} ${place}`}
            tabIndex={reachable === place ? 0 : -1}
            className={column.type === 'NUMBER' ? 'sheet-cell number' : 'sheet-cell'}
          >
            {row ? (row.columns[column.id] ?? '') : <Bar />}
          </div>
        ),
      )}
      <div role="gridcell" className="sheet-last">
        {row && (
          <Link className="icon-button" to={`/contacts/${row.id}`} aria-label={open} title={open} tabIndex={-1}>
            <Icon name="right" />
          </Link>
        )}
        {row && may_change && (
          <IconButton
            label={t('Delete {name}', { name })}
            icon="trash"
            tabIndex={-1}
            onClick={() => actions.onRemove(row)}
          />
        )}
      </div>
    </div>
  )
})
