import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { Cell } from './Cell.tsx'
import type { ContactTable } from './contacts.ts'
import { RemoveRow } from './RemoveRow.tsx'
import type { Rows } from './rows.ts'

const ROW_PX = 38
/** The next rows are asked for this many before the last is seen. */
const AHEAD = 60

type Props = { table: ContactTable; rows: Rows; sort: string; onSort: (sort: string) => void }

/**
 * Only the rows in sight are drawn. The arrow keys move from cell to cell, Enter edits, Esc gives up: one cell at a
 * time can be reached with Tab, as in a spreadsheet.
 */
export function Grid({ table, rows: { rows, count_total, more }, sort, onSort }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && last >= rows.length - AHEAD) more()
  }, [more, last, rows.length])
  function move(row: number, column: number) {
    const next = {
      row: Math.min(Math.max(row, 0), rows.length - 1),
      column: Math.min(Math.max(column, 0), table.columns.length - 1),
    }
    setAt(next)
    virtual.scrollToIndex(next.row)
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-at="${next.row} ${next.column}"]`)?.focus()
    })
  }
  const template = { gridTemplateColumns: `repeat(${table.columns.length}, minmax(150px, 1fr)) 44px` }
  return (
    <>
      <div
        className="sheet"
        ref={scroller}
        role="grid"
        aria-label="Contacts"
        aria-rowcount={count_total ?? rows.length}
        aria-colcount={table.columns.length + 1}
      >
        <div className="sheet-head" role="row" style={template}>
          {table.columns.map((column) => (
            <div key={column.id} role="columnheader" aria-sort={sortOf(sort, column.id)}>
              <button type="button" onClick={() => onSort(nextSort(sort, column.id))} title={`Sort by ${column.name}`}>
                {column.name}
                {sort.endsWith(column.id) && (
                  <span className={sort.startsWith('-') ? 'sheet-down' : 'sheet-up'}>
                    <Icon name="down" />
                  </span>
                )}
              </button>
            </div>
          ))}
          <div role="columnheader">
            <span className="unseen">Delete</span>
          </div>
        </div>
        <div className="sheet-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (!row) return null
            return (
              <div
                key={row.id}
                role="row"
                aria-rowindex={item.index + 1}
                className="sheet-row"
                style={{ ...template, transform: `translateY(${item.start}px)` }}
              >
                {table.columns.map((column, index) => (
                  <Cell
                    key={column.id}
                    row={row}
                    column={column}
                    at={`${item.index} ${index}`}
                    reachable={at.row === item.index && at.column === index}
                    onMove={(down, right) => move(item.index + down, index + right)}
                    onReach={() => setAt({ row: item.index, column: index })}
                  />
                ))}
                <div role="gridcell" className="sheet-last">
                  <RemoveRow row={row} table={table} />
                </div>
              </div>
            )
          })}
        </div>
      </div>
      <p className="table-foot soft small" role="status">
        {(count_total ?? rows.length).toLocaleString('en')} {count_total === 1 ? 'contact' : 'contacts'}
      </p>
    </>
  )
}

function sortOf(sort: string, id: string): 'ascending' | 'descending' | 'none' {
  if (!sort.endsWith(id)) return 'none'
  return sort.startsWith('-') ? 'descending' : 'ascending'
}

/** Upwards, downwards, not at all. */
function nextSort(sort: string, id: string): string {
  if (sort === id) return `-${id}`
  return sort === `-${id}` ? '' : id
}
